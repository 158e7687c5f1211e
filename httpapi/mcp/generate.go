package mcp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/slugify"
)

// addGenerators adds the tools that depend on their arguments alone.
func (k *toolset) addGenerators(s *sdk.Server) {
	drawing := &sdk.Tool{Name: "draw_code", Description: "Draw a picture of code, as a PNG image.", Annotations: readingHints("Draw code")}
	optionTool(s, drawing, screenshot.Parameters, k.draw)
	slug := &sdk.Tool{Name: "slug", Description: "Turn text in any script into a part of a URL.", Annotations: readingHints("Make a slug")}
	optionTool(s, slug, slugify.Parameters, makeSlug)
	gradients := &sdk.Tool{Name: "gradient", Description: "Build a gradient from 2 to 10 colours, as CSS or as code for an app.", Annotations: readingHints("Build a gradient")}
	optionTool(s, gradients, gradient.Parameters, makeGradient)
}

type drawInput struct {
	Code  string  `json:"code" jsonschema:"the code, at most 50,000 characters"`
	Scale float64 `json:"scale,omitempty" jsonschema:"pixels per CSS pixel, 1 to 4; 2 unless given"`
}

// drawOutput is the result of draw_code as data, beside the image.
type drawOutput struct {
	Language string `json:"language"` // as given, or as detected
	Bytes    int    `json:"bytes"`    // of the image
}

// Bounds of a picture.
const (
	maxImage    = 1 << 20 // bytes
	maxDrawTime = 10 * time.Second
)

// draw returns a picture as the content of a result. An agent cannot request
// the rest of one, so a picture that is too large is an error.
func (k *toolset) draw(ctx context.Context, in drawInput, o screenshot.Options) (sdk.Content, drawOutput, error) {
	if in.Scale == 0 {
		in.Scale = screenshot.DefaultScale
	}
	if !(in.Scale >= screenshot.MinScale && in.Scale <= screenshot.MaxScale) {
		return nil, drawOutput{}, fmt.Errorf("scale: must be from %d to %d", screenshot.MinScale, screenshot.MaxScale)
	}
	o.WindowTitle, o.Watermark = k.masked(o.WindowTitle), k.masked(o.Watermark)
	o.Fonts, o.Themes = k.Fonts, k.Themes
	config, err := screenshot.New(k.masked(in.Code), o)
	if err != nil {
		return nil, drawOutput{}, err
	}
	cost := config.Cost(in.Scale)
	if cost.Work > maxDrawTime {
		return nil, drawOutput{}, errors.New("the picture is too large: give less code or a smaller scale")
	}
	var file bytes.Buffer
	err = k.Options.draw(ctx, cost.Work, func() error { return config.WritePNG(ctx, &file, in.Scale) })
	if err == nil && file.Len() > maxImage {
		err = fmt.Errorf("the picture has more than %d bytes: give less code or a smaller scale", maxImage)
	}
	return &sdk.ImageContent{Data: file.Bytes(), MIMEType: "image/png"}, drawOutput{config.Language, file.Len()}, err
}

type slugInput struct {
	Text string `json:"text" jsonschema:"at most 4,000 bytes"`
}

// slugOutput is the result of slug as data.
type slugOutput struct {
	Slug string `json:"slug"`
}

// maxSlugText is the maximum length of the text of a slug in bytes.
const maxSlugText = 4_000

func makeSlug(_ context.Context, in slugInput, o slugify.Options) (sdk.Content, slugOutput, error) {
	if len(in.Text) > maxSlugText {
		return nil, slugOutput{}, fmt.Errorf("text: has %d bytes, must have at most %d", len(in.Text), maxSlugText)
	}
	slug, err := slugify.Make(in.Text, o)
	return &sdk.TextContent{Text: slug}, slugOutput{slug}, err
}

type gradientInput struct {
	Colors []string     `json:"colors" jsonschema:"2 to 10 colours of CSS, such as #ff7e5f, rebeccapurple or oklch(0.7 0.1 50)"`
	Format exportFormat `json:"format,omitempty" jsonschema:"the target that the gradient is written for; css unless given"`
}

// gradientOutput is the result of gradient as data.
type gradientOutput struct {
	Code string `json:"code"`
}

func makeGradient(_ context.Context, in gradientInput, o gradient.Options) (sdk.Content, gradientOutput, error) {
	o.CSSColors = true
	g, err := gradient.New(in.Colors, o)
	if err != nil {
		return nil, gradientOutput{}, err
	}
	var text strings.Builder
	err = export.Write(&text, g, cmp.Or(string(in.Format), "css"), export.Options{})
	return &sdk.TextContent{Text: text.String()}, gradientOutput{text.String()}, err
}
