package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/web"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func TestViewers_maskedSecrets(t *testing.T) {
	masking := newShares(t, store.NewMemory(), share.Options{MaskSecrets: true})
	p := newPages(t, func(o *web.Options) { o.Shares = masking })
	p.shares = masking

	log := p.get(t, "/logs/"+p.newLog(t, "10:00:00 user=ada password=hunter2\npassword=hunter3 http://a:bcd@e\n", share.LogOptions{}), browser).Body.String()
	assert.Contains(t, log, `<p class="note masked">3 secrets masked: 3 × password</p>`)
	lines := listed(t, log)
	assert.Contains(t, lines, "user=ada password=<i class=z>[masked: password]</i>")
	assert.Contains(t, lines, "<p id=L2>password=<i class=z>[masked: password]</i> http://a:<i class=z>[masked: password]</i>@e")
	assert.Contains(t, onlyOurs(t, lines), "\npassword=[masked: password] http://a:[masked: password]@e")

	id := p.newSnippet(t, "password = \"hunter2\"\n", share.SnippetOptions{Language: "python"})
	snippet := p.get(t, "/snippets/"+id, browser).Body.String()
	assert.Contains(t, snippet, `<p class="note masked">1 secret masked: 1 × password</p>`)
	assert.Contains(t, listed(t, snippet), "<i class=z>[masked: password]</i>")

	for _, path := range []string{"/logs/" + p.newLog(t, "password expired", share.LogOptions{}), "/snippets/" + p.newSnippet(t, "x", share.SnippetOptions{})} {
		assert.NotContains(t, p.get(t, path, browser).Body.String(), "masked")
	}
}

// Masked secrets are highlighted until the page reaches its weight limit.
func TestViewLog_weightOfMarks(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	p := newPages(t)
	content := strings.Repeat("[masked: password]\n", 25_000)
	page := p.get(t, "/logs/"+p.newLog(t, content, share.LogOptions{}), browser).Body.String()
	require.LessOrEqual(t, float64(len(page)), 2.5*float64(len(content)))
	assert.Contains(t, page, "<p id=L1><i class=z>[masked: password]</i>")
	assert.Equal(t, 25_000, strings.Count(onlyOurs(t, listed(t, page)), "[masked: password]"))
}
