package web

import (
	"context"
	"sync"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/internal/bounded"
)

// A lexer can take two seconds for a snippet, which anyone may request. So the
// first view of a snippet takes at most firstView and may come without colours;
// the second, if there is one, takes at most secondView, in a turn of long work.
// Later ones find the result.

const (
	// firstView and secondView are the maximum processor times of a lexer.
	firstView  = 300 * time.Millisecond
	secondView = 900 * time.Millisecond
	// codeWork is the typical time of a lexer for a byte of code.
	codeWork = 3 * time.Microsecond
	// maxColored is the size of all cached listings in bytes. One of more than
	// half a megabyte, some 100,000 bytes of code, is not cached.
	maxColored = 32 << 20
)

// colored caches the listings of snippets by their ids.
type colored struct {
	mu    sync.Mutex
	cache bounded.Cache[coloredCode]
}

// coloredCode is the result of highlighting a snippet.
type coloredCode struct {
	listing.Listing

	second bool // it is that of a second view
}

// Note says why there are no colours; it is empty if there are.
func (c coloredCode) Note() string {
	switch {
	case !c.Uncolored:
		return ""
	case c.second:
		return "Shown without colours: this code takes too long to colour."
	default:
		return "Shown without colours, which take long for this code. Reload the page for them."
	}
}

func newColored() *colored {
	return &colored{cache: bounded.Cache[coloredCode]{Max: maxColored}}
}

func (c *colored) get(id string) (coloredCode, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cache.Get(id)
}

func (c *colored) put(id string, code coloredCode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cache.Put(id, code, code.Bytes())
}

// code returns the lines of a snippet that can be viewed again.
func (c *colored) code(ctx context.Context, id, code, lang string) (coloredCode, error) {
	found, ok := c.get(id)
	if ok && (!found.Uncolored || found.second) {
		return found, nil
	}
	limit, work := firstView, min(firstView, time.Duration(len(code))*codeWork)
	if ok {
		limit, work = secondView, secondView
	}
	err := fair.Do(ctx, work, func() error {
		latest, exists := c.get(id)
		if exists && (!ok || latest.second) { // another view was first
			found = latest
			return nil
		}
		found = coloredCode{listing.Code(code, lang, listing.Options{MaxWork: limit}), ok}
		c.put(id, found)
		return nil
	})
	return found, err
}
