package gradient_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var draw = flag.Bool("draw", false, "draw the pictures of docs/gradients.md again")

// The pictures in the document are what the library paints for their CSS.
func TestDocs_pictures(t *testing.T) {
	const docs = "../docs"
	text, err := os.ReadFile(filepath.Join(docs, "gradients.md"))
	require.NoError(t, err)
	pictures := regexp.MustCompile(`!\[(.*?)\]\((gradients/[\w-]+\.svg)\)`).FindAllStringSubmatch(string(text), -1)
	files, err := os.ReadDir(filepath.Join(docs, "gradients"))
	require.NoError(t, err)
	for _, m := range pictures {
		var b bytes.Buffer
		require.NoError(t, mustParse(t, m[1]).WriteSVG(&b, 480, 48))
		file := filepath.Join(docs, m[2])
		if *draw {
			require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
		}
		had, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, b.String(), string(had), "%s: go test ./gradient -run Docs -draw", file)
	}
	assert.Len(t, files, len(pictures))
}
