package listing

import (
	"bytes"
	"context"
	"io"
	"strconv"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// Limits of a page of search results.
const (
	maxHits     = 1000
	maxHitBytes = 2 << 20
)

// Hits collects the lines that a filter selects in a log read part by part. Use
// [NewHits] to create one.
type Hits struct {
	Count    int // selected lines, including those not shown
	Shown    int
	Searched int // lines that were searched

	filter Filter
	html   bytes.Buffer
	w      writer
	h      *hiding
	style  terminal.Style
}

// NewHits returns empty Hits for a filter. The rows for gaps link to the URL
// that address returns for a line.
func NewHits(f Filter, address func(line int) string) *Hits {
	h := &Hits{filter: f, h: newHiding(Options{Address: func(open Ranges) string { return address(open[0].From) }})}
	h.w = writer{out: &h.html, room: maxHitBytes}
	return h
}

// Add searches the next part, whose first line has the number first. The error
// is that of ctx, which ends the search.
func (h *Hits) Add(ctx context.Context, text string, first int) error {
	h.w.n = first - 1
	if !h.filter.mayMatch(text) {
		h.skip(countLines(text))
		return ctx.Err()
	}
	for line := range logs.Lines(text) {
		line.Number += first - 1
		chosen, err := h.filter.matches(ctx, line)
		if err != nil {
			return err
		}
		h.Searched = line.Number
		if chosen {
			h.Count++
		}
		if h.Shown == maxHits || h.html.Len()+len(h.w.b)+len(line.Text) > maxHitBytes {
			continue
		}
		if chosen && !h.w.some {
			h.w.b, h.w.some = append(h.w.b, "<section>"...), true // a gap may precede the first line
		}
		h.h.before(&h.w, line.Number, chosen)
		if !chosen {
			h.w.n++
			continue
		}
		h.Shown++
		h.w.begin(classOf(line))
		h.w.attribute("data-n=" + strconv.Itoa(h.w.n))
		h.w.decorated(&h.style, line)
	}
	return nil
}

// skip counts lines as searched that are not selected.
func (h *Hits) skip(lines int) {
	h.w.n += lines
	h.Searched = h.w.n
	h.h.skipped += lines
}

// Listing returns the lines to show of a log with that many lines.
func (h *Hits) Listing(lines int) Listing {
	if h.Shown == h.Count && h.w.some {
		h.h.end(&h.w)
	}
	h.w.end()
	h.w.flush()
	return Listing{Lines: lines, write: func(w *writer) { _, _ = io.Copy(w.out, &h.html) }}
}
