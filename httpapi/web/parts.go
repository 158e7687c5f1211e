package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// A page shows all parts of a log that fits it, and otherwise one part; a search
// covers all. The summary above the lines is that of the whole log. Servers do
// not receive fragments such as #L123456, so links to the lines of a log that
// does not fit are ?line=123456#L123456; a script rewrites the former to the
// latter.

// Limits of a page that shows several parts.
const (
	wholeBytes = 4 << 20
	wholeLines = 60_000
)

// fitsPage reports whether one page shows the whole log.
func fitsPage(log share.Log) bool {
	return len(log.Parts) == 1 || log.Bytes <= wholeBytes && log.Lines <= wholeLines
}

// visibleParts returns the parts that a page shows: from that with the first
// index to before that with the second.
func visibleParts(log share.Log, query url.Values) (from, to int) {
	if fitsPage(log) {
		return 0, len(log.Parts)
	}
	i := chosenPart(query, log)
	return i, i + 1
}

// chosenPart returns the index of the requested part: ?part=3, or ?line=123456
// for the part that contains that line.
func chosenPart(query url.Values, log share.Log) int {
	if line, err := strconv.Atoi(query.Get("line")); err == nil {
		return log.PartOf(line)
	}
	part, _ := strconv.Atoi(query.Get("part"))
	return min(max(part, 1), len(log.Parts)) - 1
}

// textOf returns the text of the parts from one index to before another.
func (s *site) textOf(r *http.Request, log share.Log, from, to int) (string, error) {
	bytes := 0
	for _, part := range log.Parts[from:to] {
		bytes += part.Bytes
	}
	if err := reserve(r, 2*bytes); err != nil {
		return "", err
	}
	if len(log.Parts) == 1 {
		return s.Shares.LogPart(r.Context(), log, 0)
	}
	var text strings.Builder
	text.Grow(bytes)
	for i := from; i < to; i++ {
		part, err := s.Shares.LogPart(r.Context(), log, i)
		if err != nil {
			return "", err
		}
		text.WriteString(part)
	}
	return text.String(), nil
}

// A partView says which part of a log a page shows.
type partView struct {
	Number, Of  int // Number starts at 1; it is 0 for search results
	First, Last int // line numbers
	Prev, Next  string
	After       int // line to search from for the next error
}

// newPartView describes the part with index i.
func newPartView(log share.Log, i int, query url.Values) *partView {
	v := &partView{Number: i + 1, Of: len(log.Parts), First: log.Parts[i].Line, Last: log.Lines}
	if i > 0 {
		v.Prev = fmt.Sprintf("?part=%d", i)
	}
	if i+1 < v.Of {
		v.Next, v.Last = fmt.Sprintf("?part=%d", i+2), max(v.First, log.Parts[i+1].Line-1)
	}
	v.After = v.First - 1
	if line, err := strconv.Atoi(query.Get("line")); err == nil && line <= v.Last {
		v.After = line
	}
	return v
}

// findInParts shows the lines of a log that a filter selects.
func (s *site) findInParts(r *http.Request, log share.Log, filter listing.Filter, v *logView) error {
	v.Part = &partView{Of: len(log.Parts)}
	hits := listing.NewHits(filter, func(line int) string { return fmt.Sprintf("?line=%d", line) })
	ctx, cancel := context.WithTimeout(r.Context(), search.MaxTime)
	defer cancel()
	for i := range log.Parts {
		text, err := s.Shares.LogPart(ctx, log, i)
		if err == nil {
			err = hits.Add(ctx, text, log.Parts[i].Line)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
	}
	v.Listing = hits.Listing()
	v.countMatches(hits.Count, hits.Searched, log.Lines)
	if hits.Shown < hits.Count {
		v.Matches += ", here the first " + layout.Thousands(hits.Shown)
	}
	return nil
}

// partMemory is the approximate memory in bytes to read and send one part of a
// long log, and seekWork the time to look for an error in the longest.
const (
	partMemory = 2 << 20
	seekWork   = time.Second
)

// seekError redirects to the next error after a line or the previous one before
// it, wrapping around at the ends of the log.
func (s *site) seekError(r *http.Request, log share.Log) (*layout.Response, error) {
	query, summary := r.URL.Query(), log.Summary()
	from, step, found := query.Get("after"), 1, summary.Analysis.FirstErrorLine
	if query.Has("before") {
		from, step, found = query.Get("before"), -1, summary.LastError.Line
	}
	line, err := strconv.Atoi(from)
	if err != nil {
		return nil, layout.NoPage
	}
	if err := reserve(r, partMemory); err != nil {
		return nil, err
	}
	err = fair.Do(r.Context(), seekWork, func() error {
		for i := log.PartOf(line); i >= 0 && i < len(log.Parts); i += step {
			text, err := s.Shares.LogPart(r.Context(), log, i)
			if err != nil {
				return err
			}
			if next := errorBeside(text, log.Parts[i].Line, line, step); next > 0 {
				found = next
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return layout.SeeOther(fmt.Sprintf("%s?line=%d#L%d", s.Path("/logs/"+log.ID), found, found)), nil
}

// errorBeside returns the number of the first error after line from, or of the
// last one before it if step is -1; it returns 0 if there is none. The first
// line of text has the number first.
func errorBeside(text string, first, from, step int) (found int) {
	for line := range logs.Lines(text) {
		number := line.Number + first - 1
		switch {
		case !line.Head || line.Level < logs.LevelError:
		case step > 0 && number > from:
			return number
		case step < 0 && number < from:
			found = number
		}
	}
	return found
}

// At returns the URL of a line.
func (v logView) At(line int) string {
	if p := v.Part; p != nil && (line < p.First || line > p.Last) {
		return fmt.Sprintf("?line=%d#L%[1]d", line)
	}
	return fmt.Sprintf("#L%d", line)
}

// RawPath returns the path of the text shown on the page.
func (v logView) RawPath() string {
	if v.Part != nil && v.Part.Number > 0 {
		return fmt.Sprintf("%s/raw?part=%d", v.Path, v.Part.Number)
	}
	return v.Path + "/raw"
}
