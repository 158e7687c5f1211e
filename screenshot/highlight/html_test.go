package highlight_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/screenshot/highlight"
)

func TestWriteHTML_escapes(t *testing.T) {
	var b strings.Builder
	require.NoError(t, highlight.WriteHTML(&b, highlight.Code("<script>\"&'", "text").Lines, highlight.HTMLOptions{}))
	require.Equal(t, "&lt;script&gt;&#34;&amp;&#39;\n", b.String())
}

func TestWriteCSS(t *testing.T) {
	theme, _ := highlight.LookupTheme("dracula")
	var b strings.Builder
	require.NoError(t, highlight.WriteCSS(&b, theme, "pre"))
	require.Contains(t, b.String(), "pre{background:#282a36;color:#f8f8f2}\n")
	require.Contains(t, b.String(), "pre .keyword{color:#ff79c6}\n")
	require.Contains(t, b.String(), "pre .inherited{color:#8be9fd;font-style:italic}\n")
}
