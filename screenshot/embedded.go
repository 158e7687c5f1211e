package screenshot

import (
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot/internal/stripng"
)

// A PNG has a title and, with [EmbedConfig], its Config: the query and the
// fragment of the link to the studio, under this keyword.
const configKeyword = "devkiln"

// maxEmbedded is the maximum length of the query and the fragment together, in
// bytes.
const maxEmbedded = maxFragment + 64<<10

// texts returns the texts of the picture's PNG.
func (p *Picture) texts() ([]stripng.Text, error) {
	all := []stripng.Text{{Keyword: "Title", Value: p.scene.Name}}
	if p.config.Embed == "" {
		return all, nil
	}
	fragment, err := p.config.Fragment()
	if err != nil {
		return nil, err
	}
	return append(all, stripng.Text{Keyword: configKeyword, Value: "?" + p.config.Values().Encode() + "#" + fragment}), nil
}

// ReadConfig reads the [Config] from a PNG written with [Extras].Embed. The
// file holds neither Fonts nor a Palette. It holds FontFamily, which the caller
// must clear or provide with Fonts.
//
// It reads no more of r than necessary, and keeps only the Config. The error is
// an option error for the field "file" if there is no Config in it, else that
// of r, or of [New].
func ReadConfig(r io.Reader) (Config, error) {
	text, err := stripng.ReadText(r, configKeyword, maxEmbedded)
	if errors.Is(err, stripng.ErrNoText) {
		return Config{}, noConfig()
	} else if err != nil {
		return Config{}, err
	}
	query, fragment, found := strings.Cut(text, "#")
	query, ok := strings.CutPrefix(query, "?")
	values, err := url.ParseQuery(query)
	if !found || !ok || err != nil {
		return Config{}, noConfig()
	}
	c, err := ParseFragment(fragment)
	if err != nil {
		return Config{}, err
	}
	o := c.Options()
	if err := o.SetValues(values); err != nil {
		return Config{}, err
	}
	c = o.Fill(c.Code)
	withoutFamily := c
	withoutFamily.FontFamily = ""
	return c, withoutFamily.check()
}

func noConfig() error {
	return &invalid.Input{Field: "file", Reason: "invalid_format", Message: "must be a PNG with the embedded configuration of a picture"}
}
