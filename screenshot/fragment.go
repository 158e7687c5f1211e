package screenshot

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// maxFragment is the maximum length of a fragment and of the JSON inside it, in
// bytes. The longest JSON of a Config has 12 bytes for each of 50,000
// characters.
const maxFragment = 1 << 20

// Fragment returns the Config, without its Extras, for the fragment of a URL:
// its JSON, compressed with raw DEFLATE (RFC 1951) and encoded in base64url
// without padding (RFC 4648, section 5). Browsers decode it with
// DecompressionStream("deflate-raw").
func (c Config) Fragment() (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	encoder := base64.NewEncoder(base64.RawURLEncoding, &b)
	deflate, err := flate.NewWriter(encoder, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if err := json.NewEncoder(deflate).Encode(c); err != nil {
		return "", err
	}
	if err := errors.Join(deflate.Close(), encoder.Close()); err != nil {
		return "", err
	}
	return b.String(), nil
}

// Link returns the query and the fragment of the link that opens the Config in
// the studio, such as ?theme=nord#7cs. The query has what the JSON in the
// fragment has not.
func (c Config) Link() (string, error) {
	fragment, err := c.Fragment()
	if err != nil {
		return "", err
	}
	link := url.URL{RawQuery: c.query().Encode()}
	return link.String() + "#" + fragment, nil
}

// query returns the options in queries that differ from their defaults, without
// a theme that the JSON of the Config may have.
func (c Config) query() url.Values {
	o := c.Options()
	values := parameters().InQuery().Query(&o)
	if slices.Contains(highlight.Themes(), o.Theme) {
		values.Del("theme")
	}
	return values
}

// ParseFragment decodes the text of [Config.Fragment]. The error is that of
// [New], or an option error for the field "fragment" if the text is not a
// fragment or is larger than any Config.
func ParseFragment(s string) (Config, error) {
	if len(s) > maxFragment {
		return Config{}, badFragment("must have at most 1 MiB")
	}
	inflate := flate.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(s)))
	defer inflate.Close()
	text, err := io.ReadAll(io.LimitReader(inflate, maxFragment+1))
	if err != nil {
		return Config{}, badFragment("must be base64url of raw DEFLATE data")
	}
	if len(text) > maxFragment {
		return Config{}, badFragment("must hold at most 1 MiB of JSON")
	}
	var c Config
	if json.Unmarshal(text, &c) != nil {
		return Config{}, badFragment("must hold the JSON of a config")
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	return c, nil
}

func badFragment(message string) error {
	return &invalid.Fault{Field: "fragment", Reason: "invalid_format", Message: message}
}
