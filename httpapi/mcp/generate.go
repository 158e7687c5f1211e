package mcp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/slugify"
)

type drawInput struct {
	source

	Scale pictureScale `json:"scale,omitempty" jsonschema:"pixels per CSS pixel, 1 to 4; 2 unless given"`
}

// drawOutput is the result of draw_code as data, beside the image.
type drawOutput struct {
	Language string `json:"language"` // as given, or as detected
	Bytes    int    `json:"bytes"`    // of the image

	png []byte
}

func (o drawOutput) content() sdk.Content {
	return &sdk.ImageContent{Data: o.png, MIMEType: "image/png"}
}

// Bounds of a picture.
const (
	maxImage    = 1 << 20 // bytes
	maxDrawTime = 10 * time.Second
)

// drawCode draws a picture. An agent cannot request the rest of one, so a
// picture that is too large is an error.
func (k *toolset) drawCode(ctx context.Context, in drawInput, o screenshot.Options) (out drawOutput, err error) {
	defer func() {
		if err != nil { // no argument is called code
			err = errors.New(strings.ReplaceAll("\n"+err.Error(), "\ncode: ", "\nthe code ")[1:])
		}
	}()
	code, err := k.read(ctx, in.source)
	if err != nil {
		return drawOutput{}, err
	}
	if o.Language == "" && in.File != "" {
		o.Language = language.Detect(code, filepath.Base(in.File))
	}
	o.WindowTitle, o.Watermark = k.masked(o.WindowTitle), k.masked(o.Watermark)
	o.Fonts, o.Themes = k.Fonts, k.Themes
	config, err := screenshot.New(code, o)
	scale := cmp.Or(float64(in.Scale), screenshot.DefaultScale)
	if scale < screenshot.MinScale || scale > screenshot.MaxScale {
		err = errors.Join(err, fmt.Errorf("scale: must be from %d to %d", screenshot.MinScale, screenshot.MaxScale))
	}
	if err != nil {
		return drawOutput{}, err
	}
	cost := config.Cost(scale)
	if cost.Work > maxDrawTime {
		return drawOutput{}, errors.New("the picture is too large: give less code or a smaller scale")
	}
	var file bytes.Buffer
	err = k.draw(ctx, cost.Work, func() error { return config.WritePNG(ctx, &file, scale) })
	if err == nil && file.Len() > maxImage {
		err = fmt.Errorf("the picture has more than %d bytes: give less code or a smaller scale", maxImage)
	}
	return drawOutput{config.Language, file.Len(), file.Bytes()}, err
}

type slugInput struct {
	Text slugText `json:"text" jsonschema:"at most 4,000 bytes"`
}

// slugOutput is the result of slug as data.
type slugOutput struct {
	Slug string `json:"slug"`
}

func (o slugOutput) content() sdk.Content {
	return &sdk.TextContent{Text: cmp.Or(o.Slug, "The text has nothing that a slug can have, so its slug is empty. The argument fallback gives one.")}
}

// maxSlugText is the maximum length of the text of a slug in bytes.
const maxSlugText = 4_000

func (*toolset) slug(_ context.Context, in slugInput, o slugify.Options) (slugOutput, error) {
	if len(in.Text) > maxSlugText {
		return slugOutput{}, fmt.Errorf("text: has %d bytes, must have at most %d", len(in.Text), maxSlugText)
	}
	slug, err := slugify.Make(string(in.Text), o)
	return slugOutput{slug}, err
}

type gradientInput struct {
	Colors colorList    `json:"colors" jsonschema:"2 to 10 colours of CSS, such as #ff7e5f, rebeccapurple or oklch(0.7 0.1 50)"`
	Format exportFormat `json:"format,omitempty" jsonschema:"the target that the gradient is written for; css unless given"`
}

// gradientOutput is the result of gradient as data.
type gradientOutput struct {
	Code string `json:"code"`
}

func (o gradientOutput) content() sdk.Content { return &sdk.TextContent{Text: o.Code} }

func (*toolset) gradient(_ context.Context, in gradientInput, o gradient.Options) (gradientOutput, error) {
	o.CSSColors = true
	g, err := gradient.New(in.Colors, o)
	if err != nil {
		return gradientOutput{}, err
	}
	var code strings.Builder
	err = export.Write(&code, g, cmp.Or(string(in.Format), "css"), export.Options{})
	return gradientOutput{code.String()}, err
}
