package screenshot_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot"
)

// pack encodes any text as a fragment.
func pack(t testing.TB, text io.Reader) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	require.NoError(t, err)
	_, err = io.Copy(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func TestFragment_short(t *testing.T) {
	code := strings.Repeat("func main() { fmt.Println(\"hello\") }\n", 30)
	config, err := screenshot.New(code, screenshot.Options{})
	require.NoError(t, err)
	fragment, err := config.Fragment()
	require.NoError(t, err)
	assert.Less(t, len(fragment), 500)
}

func TestFragment_badConfig(t *testing.T) {
	_, err := screenshot.Config{}.Fragment()
	assert.Contains(t, faultsOf(t, err), "code too_short")
}

func TestParseFragment_refuses(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	const full = `{"code":"x","language":"text","theme":"dracula","background":"red","padding":1,"fontSize":10,` +
		`"lineNumbers":true,"windowControls":true,"windowTitle":"","borderRadius":1,"shadow":true}`
	_, err := screenshot.ParseFragment(pack(t, strings.NewReader(full)))
	require.NoError(t, err)

	for name, c := range map[string]struct{ fragment, fault string }{
		"nothing":          {"", "fragment invalid_format"},
		"no base64url":     {"a+b/", "fragment invalid_format"},
		"no deflate":       {"AAAA", "fragment invalid_format"},
		"cut off":          {pack(t, strings.NewReader(full))[:60], "fragment invalid_format"},
		"no JSON":          {pack(t, strings.NewReader("x")), "fragment invalid_format"},
		"no object":        {pack(t, strings.NewReader("[]")), "fragment invalid_format"},
		"two objects":      {pack(t, strings.NewReader(full+full)), "fragment invalid_format"},
		"an unknown field": {pack(t, strings.NewReader(`{"x":1,`+full[1:])), "fragment invalid_format"},
		"extras":           {pack(t, strings.NewReader(`{"Watermark":"x",`+full[1:])), "fragment invalid_format"},
		"bad theme":        {pack(t, strings.NewReader(strings.Replace(full, "dracula", "x", 1))), "theme not_one_of"},
		"too long":         {strings.Repeat("A", 1<<20+1), "fragment invalid_format"},
		"a bomb":           {pack(t, io.LimitReader(zeros{}, 64<<20)), "fragment invalid_format"},
	} {
		_, err := screenshot.ParseFragment(c.fragment)
		assert.Equal(t, []string{c.fault}, faultsOf(t, err), name)
	}
}

// zeros is an endless reader of spaces.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzParseFragment(f *testing.F) {
	config, err := screenshot.New("x := 1", screenshot.Options{})
	require.NoError(f, err)
	fragment, err := config.Fragment()
	require.NoError(f, err)
	f.Add(fragment)
	f.Add("")
	f.Add(pack(f, strings.NewReader("{}")))
	f.Fuzz(func(t *testing.T, s string) {
		config, err := screenshot.ParseFragment(s)
		if err != nil {
			faultsOf(t, err)
			return
		}
		again, err := config.Fragment()
		require.NoError(t, err)
		back, err := screenshot.ParseFragment(again)
		require.NoError(t, err)
		assert.Equal(t, config, back)
	})
}
