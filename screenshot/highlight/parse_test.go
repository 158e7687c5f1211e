package highlight_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

func TestLoadThemes_ofAFolder(t *testing.T) {
	themes, err := highlight.LoadThemes(fstest.MapFS{
		"b.json":          {Data: []byte(`{"include": "parts/base.json", "colors": {"editor.background": "#010203"}}`)},
		"a.xml":           {Data: []byte(`<style name="x"><entry type="Background" style="#ffffff bg:#040506"/></style>`)},
		"parts/base.json": {Data: []byte(`{"colors": {"editor.background": "#ffffff", "editor.foreground": "#000000"}}`)},
		"readme.txt":      {Data: []byte("no theme")},
	})
	require.NoError(t, err)
	require.Len(t, themes, 2)
	assert.Equal(t, [2]string{"a", "#040506"}, [2]string{themes[0].Name, themes[0].Background})
	assert.Equal(t, [2]string{"b", "#010203"}, [2]string{themes[1].Name, themes[1].Background})
}

func TestLoadThemes_refuses(t *testing.T) {
	for name, data := range map[string]string{
		"no theme": "{}x", "too large": strings.Repeat(" ", 2<<20), "itself": `{"include": "x.json"}`, "outside": `{"include": "../../x.json"}`,
	} {
		_, err := highlight.LoadThemes(fstest.MapFS{"x.json": {Data: []byte(data)}})
		assert.Error(t, err, name)
	}
}
