package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// A log too long for one page is shown part by part; a search covers all parts.
// The summary above the lines is that of the whole log, computed when it was
// shared. Servers do not receive fragments such as #L123456, so line links are
// ?line=123456#L123456; a script rewrites the former to the latter.

// A partView says which part of a log a page shows.
type partView struct {
	Number, Of  int // Number starts at 1; it is 0 for search results
	First, Last int // line numbers
	Prev, Next  string
	After       int // line to search from for the next error
}

// seekWork is the approximate time to look for an error in the longest log.
const seekWork = time.Second

// chosenPart returns the index of the requested part: ?part=3, or ?line=123456
// for the part that contains that line.
func chosenPart(query url.Values, l *share.LargeLog) int {
	if line, err := strconv.Atoi(query.Get("line")); err == nil {
		return l.PartOf(line)
	}
	part, _ := strconv.Atoi(query.Get("part"))
	return min(max(part, 1), len(l.Parts)) - 1
}

// showPart shows the requested part.
func (s *site) showPart(r *http.Request, log *share.Log, v *logView) error {
	query, parts := r.URL.Query(), log.Large.Parts
	v.Part = &partView{Of: len(parts)}
	i := chosenPart(query, log.Large)
	text, err := s.Shares.LogPart(r.Context(), *log, i)
	if err != nil {
		return err
	}
	log.Content = text
	first, total := parts[i].Line, log.Large.Summary.Analysis.Lines
	v.Part.Number, v.Part.First, v.Part.Last = i+1, first, total
	if i > 0 {
		v.Part.Prev = fmt.Sprintf("?part=%d", i)
	}
	if i+1 < len(parts) {
		v.Part.Next, v.Part.Last = fmt.Sprintf("?part=%d", i+2), max(first, parts[i+1].Line-1)
	}
	v.Part.After = first - 1
	if line, err := strconv.Atoi(query.Get("line")); err == nil && line <= v.Part.Last {
		v.Part.After = line
	}
	v.Records = listing.AreRecords(text)
	all := listing.FoldsOf(text, logs.Options{})
	for k := range all {
		all[k].From, all[k].To = all[k].From+first-1, all[k].To+first-1
	}
	v.Listing = listing.Log(text, listing.Options{
		First: first, Folds: all, Columns: v.Records && !v.Raw, Address: v.address,
		Open: v.open,
	})
	v.Lines = total
	return nil
}

// findInParts shows the lines of a log that a filter selects.
func (s *site) findInParts(r *http.Request, log share.Log, filter listing.Filter, v *logView) error {
	v.Part = &partView{Of: len(log.Large.Parts)}
	hits := listing.NewHits(filter, func(line int) string { return fmt.Sprintf("?line=%d", line) })
	ctx, cancel := search.Limit(r.Context())
	defer cancel()
	i := 0
	for text, err := range s.Shares.LogText(ctx, log) {
		if err == nil {
			err = hits.Add(ctx, text, log.Large.Parts[i].Line)
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err != nil {
			break
		}
		i++
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	total := log.Large.Summary.Analysis.Lines
	v.Listing = hits.Listing(total)
	v.countMatches(hits.Count, hits.Searched, total)
	if hits.Shown < hits.Count {
		v.Matches += ", here the first " + layout.Thousands(hits.Shown)
	}
	return nil
}

// seekError redirects to the next error after a line or the previous one before
// it, wrapping around at the ends of the log.
func (s *site) seekError(r *http.Request, log share.Log) (*layout.Response, error) {
	query, large := r.URL.Query(), log.Large
	from, step, found := query.Get("after"), 1, large.Summary.Analysis.FirstErrorLine
	if query.Has("before") {
		from, step, found = query.Get("before"), -1, large.Summary.LastError.Line
	}
	line, err := strconv.Atoi(from)
	if err != nil {
		return nil, layout.NoPage
	}
	if err := reserve(r, partMemory); err != nil {
		return nil, err
	}
	err = fair.Do(r.Context(), seekWork, func() error {
		for i := large.PartOf(line); i >= 0 && i < len(large.Parts); i += step {
			text, err := s.Shares.LogPart(r.Context(), log, i)
			if err != nil {
				return err
			}
			if next := errorBeside(text, large.Parts[i].Line, line, step); next > 0 {
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
	anchor := fmt.Sprintf("#L%d", line)
	if p := v.Part; p != nil && (line < p.First || line > p.Last) {
		return fmt.Sprintf("?line=%d", line) + anchor
	}
	return anchor
}

// RawPath returns the path of the text shown on the page.
func (v logView) RawPath() string {
	if v.Part != nil && v.Part.Number > 0 {
		return fmt.Sprintf("%s/raw?part=%d", v.Path, v.Part.Number)
	}
	return v.Path + "/raw"
}
