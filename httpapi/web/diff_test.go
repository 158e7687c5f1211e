package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/share"
)

// The page of a diff begins with a list of its files. Lines of a hunk that look
// like the head of a file are none.
func TestViewSnippet_filesOfADiff(t *testing.T) {
	p := newPages(t)
	const diff = "diff --git a/a b.go b/a b.go\nindex 1..2 100644\n--- a/a b.go\n+++ b/a b.go\n@@ -1,3 +1,3 @@\n a\n--- sql\n+++ sql\n b\n\\ No newline at end of file\n" +
		"diff --git a/old.go b/old.go\ndeleted file mode 100644\n--- a/old.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
		"diff --git a/x.png b/y.png\nsimilarity index 90%\nrename from x.png\nrename to y.png\nBinary files a/x.png and b/y.png differ\n" +
		"diff -u plain.txt plain.txt\n--- plain.txt\t2026-01-01\n+++ plain.txt\t2026-01-02\n@@ -1 +1,2 @@\n a\n+b\n"
	page := p.get(t, "/snippets/"+p.newSnippet(t, diff, share.SnippetOptions{Language: "diff"}), browser).Body.String()
	assert.Contains(t, page, `<h2>4 files</h2>
<ul><li><a href="#L1">a b.go</a> <span class="added">+1</span> <span class="removed">−1</span></li>
<li><a href="#L11">old.go</a> <span class="added"></span> <span class="removed">−1</span></li>
<li><a href="#L17">y.png</a> <span class="added"></span> <span class="removed"></span></li>
<li><a href="#L22">plain.txt</a> <span class="added">+1</span> <span class="removed"></span></li>
</ul>`)
	assert.Contains(t, page, `<p id=L4 class=head>`)
	assert.Contains(t, page, `<p id=L7><i class=x>-<mark>--</mark> sql</i>`, "no head")
	for n, listed := range map[int]bool{300: true, 301: false} {
		many := strings.Repeat("diff a b\n", n)
		page := p.get(t, "/snippets/"+p.newSnippet(t, many, share.SnippetOptions{Language: "diff"}), browser).Body.String()
		assert.Equal(t, listed, strings.Contains(page, `class="files`), "%d files", n)
	}
	assert.NotContains(t, p.get(t, "/snippets/"+p.newSnippet(t, diff, share.SnippetOptions{Language: "text"}), browser).Body.String(), `class="files`)
}
