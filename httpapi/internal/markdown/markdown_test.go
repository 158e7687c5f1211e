package markdown_test

import (
	"html"
	"html/template"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/markdown"
)

// plain writes code without colours, after its language.
func plain(code, language string) template.HTML {
	return template.HTML(language + ": " + html.EscapeString(code))
}

func TestHTML_footnotes(t *testing.T) {
	got, err := markdown.HTML("Hot[^1].\n\n[^1]: 1,240 degrees\n", plain)
	require.NoError(t, err)
	assert.Contains(t, string(got), `<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup>`)
	assert.Contains(t, string(got), `<li id="fn:1">`)
}

func TestHTML_dialect(t *testing.T) {
	for text, want := range map[string]string{
		"# Title\n\nText *a* **b** ~~c~~ `d`":     "<h2>Title</h2>\n<p>Text <em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>\n",
		"###### six":                              "<h6>six</h6>\n",
		"- [ ] a\n- [x] b\n":                      "<ul>\n<li class=\"task\">☐ a</li>\n<li class=\"task\">☑ b</li>\n</ul>\n",
		"|a|b|\n|-|-:|\n|1|2|\n":                  "<table>\n<thead>\n<tr>\n<th>a</th>\n<th class=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td class=\"right\">2</td>\n</tr>\n</tbody>\n</table>\n",
		"```go\na < b\n```\n":                     "<pre tabindex=\"0\"><code class=\"code\">go: a &lt; b\n</code></pre>\n",
		"[a](https://a.example 'b')":              "<p><a href=\"https://a.example\" title=\"b\" rel=\"nofollow noopener\">a</a></p>\n",
		"https://a.example":                       "<p><a href=\"https://a.example\" rel=\"nofollow noopener\">https://a.example</a></p>\n",
		"![a](https://a.example/b.png)":           "<p><a href=\"https://a.example/b.png\" rel=\"nofollow noopener\" class=\"picture\">a</a></p>\n",
		"[![a](a.png) picture](b)":                "<p><a href=\"b\" rel=\"nofollow noopener\">a picture</a></p>\n",
		"a <b>c</b>\n\n<script>x</script>":        "<p>a <!-- raw HTML omitted -->c<!-- raw HTML omitted --></p>\n<!-- raw HTML omitted -->\n",
		"[a](javascript:x) [b](data:text/html,x)": "<p><a href=\"\" rel=\"nofollow noopener\">a</a> <a href=\"\" rel=\"nofollow noopener\">b</a></p>\n",
	} {
		got, err := markdown.HTML(text, plain)
		require.NoError(t, err, text)
		assert.Equal(t, want, string(got), text)
	}
}

// Texts with quadratic rendering costs are refused; ordinary texts are not.
func TestHTML_boundsCost(t *testing.T) {
	for _, part := range []string{">", "> ", "[a](", "*a_ ", "1. ", "[](", "[a](<b", ">- ", "- > ", "[", "**a ", "`a", "<a ", "_a ", "![", "~~a "} {
		_, err := markdown.HTML(strings.Repeat(part, 100_000/len(part)), plain)
		assert.ErrorIs(t, err, markdown.ErrTooMuch, "%q", part)
	}
	wide := strings.Repeat("|a", 500) + "|\n" + strings.Repeat("|-", 500) + "|\n"
	for name, text := range map[string]string{
		"cells":     wide + strings.Repeat("|\n", 10_000),
		"addresses": "[a]: " + strings.Repeat("u", 10_000) + "\n\n" + strings.Repeat("[a]\n\n", 5_000),
		"notes":     "[^a]: b\n\n" + strings.Repeat("[^a]: "+strings.Repeat("c", 60)+"\n\n", 1_000) + strings.Repeat("[^a] ", 20_000),
		"fences":    strings.Repeat("```go\n```\n", 10_000),
		"long":      strings.Repeat("a\n", 100_001),
	} {
		_, err := markdown.HTML(text, plain)
		assert.ErrorIs(t, err, markdown.ErrTooMuch, name)
	}
	for name, text := range map[string]string{
		"a long document": strings.Repeat("## A heading\n\nSome *text* with [a link](https://a.example) and `code`,\nin **two** lines.\n\n- one\n  - two\n    - three\n\n> quoted\n\n", 900),
		"a table":         strings.Repeat("|a|b|c|\n", 1) + "|-|-|-|\n" + strings.Repeat("|1|2|3|\n", 2_000),
		"code":            "```go\n" + strings.Repeat("\tx[i] = *y(a, b) // <- [z]\n\n", 3_000) + "```\n",
	} {
		_, err := markdown.HTML(text, plain)
		assert.NoError(t, err, name)
	}
}
