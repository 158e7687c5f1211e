package httpapi

import (
	"context"

	"github.com/devkiln/devkiln/screenshot"
)

// screenshotRequest is the body of POST /api/v1/code-screenshot.
type screenshotRequest struct {
	code    string
	options screenshot.Options
}

// screenshotResult answers it.
type screenshotResult struct {
	Success bool              `json:"success"`
	Config  screenshot.Config `json:"config"`
	WebURL  string            `json:"webUrl"`
}

func decodeScreenshot(f *fields) screenshotRequest {
	f.required("code")
	return screenshotRequest{f.text("code"), screenshot.Options{
		Language:           f.text("language"),
		Theme:              f.word("theme"),
		Background:         f.filled("background", "too_short"),
		Padding:            f.number("padding"),
		FontSize:           f.number("fontSize"),
		HideLineNumbers:    f.off("lineNumbers"),
		HideWindowControls: f.off("windowControls"),
		WindowTitle:        f.text("windowTitle"),
		BorderRadius:       f.number("borderRadius"),
		HideShadow:         f.off("shadow"),
	}}
}

func checkScreenshot(in screenshotRequest) error {
	_, err := screenshot.New(in.code, in.options)
	return err
}

func (s *server) makeScreenshot(_ context.Context, c caller, in screenshotRequest) (screenshotResult, error) {
	config, err := screenshot.New(in.code, in.options)
	if err != nil {
		return screenshotResult{}, err
	}
	fragment, err := config.Fragment()
	if err != nil {
		return screenshotResult{}, err
	}
	return screenshotResult{true, config, c.base + "/screenshot#" + fragment}, nil
}
