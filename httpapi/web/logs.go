package web

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
)

// A shareView holds what the header of every viewer shows.
type shareView struct {
	Path    string // of the share; /raw and /download are below it
	Title   string
	Facts   []string // size, format or language
	Expires time.Time
	Left    string
	Masked  string // what was masked before the share was stored; may be empty
	Card    string // URL of the preview picture; may be empty
	Shared  string // full link, for the visitor who just created the share; otherwise empty
	Delete  string // link that deletes the share, for the visitor who created it without a key
	Once    bool   // the first read deletes the share

	listing.Listing
}

// maskedNote describes what was masked; it is empty if nothing was.
func maskedNote(found mask.Found) string {
	switch n := found.Total(); n {
	case 0:
		return ""
	case 1:
		return "1 secret was masked: " + found.String()
	default:
		return layout.Plural(n, "secret") + " were masked: " + found.String()
	}
}

// A logView is the content of the page of a log.
type logView struct {
	shareView

	Levels     []levelCount
	FirstError int // line number; 0 if there is none
	JSON       bool
	ANSI       bool

	Query   string
	Within  string // lines selected in the histogram; may be empty
	All     bool   // lines that do not match stay visible
	Chosen  bool   // a filter is active
	Records bool   // the lines are JSON, which can be shown in columns
	Raw     bool   // columns are turned off
	Problem string // error in the query; may be empty
	Matches string // number of matching lines; empty if all are shown
	NoHits  bool

	Headline headline
	Findings []finding
	Chart    chart

	Part *partView // nil if the page shows the whole log

	open listing.Ranges
}

// A levelCount is the number of entries of a level.
type levelCount struct {
	Class string // letter of the level in the listing; o for none
	Name  string
	Count string

	Chosen bool // lines of other levels are hidden
}

func (s *site) viewLog(r *http.Request) (*layout.Response, error) {
	if id, kind, ok := picturePath(r); ok {
		return s.logPicture(r, id, kind)
	}
	log, err := s.Shares.OpenLog(r.Context(), r.PathValue("id"))
	if s.wantsPage(r) && isPrivate(log.Encrypted, err) {
		return s.showPrivate(r, s.privateLog(r, log, err))
	}
	if err != nil {
		return nil, err
	}
	query, inParts := r.URL.Query(), isTooLong(log)
	switch {
	case log.Encrypted || (inParts || log.Large != nil && r.URL.RawQuery == "") && !s.wantsPage(r) && !query.Has("summary"):
		a, err := s.rawText(r, log)
		if err != nil {
			return nil, err
		}
		return negotiated(a), nil
	case inParts:
		err = reserve(r, 3*partMemory)
	default:
		err = s.readWhole(r, &log)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case query.Has("summary") && !negotiate.WantsHTML(r.Header):
		return plainSummary(r.Context(), log)
	case !inParts && r.URL.RawQuery != "" && negotiate.WantsJSON(r.Header):
		return wholeHits(r.Context(), log.Content, query)
	case !s.wantsPage(r):
		return negotiated(raw(log.Content)), nil
	case inParts && (query.Has("after") || query.Has("before")):
		return s.seekError(r, log)
	}
	return s.showLog(r, log)
}

// filterOf returns the filter of a query. It compiles expressions, so it is
// called in the queue.
func filterOf(query url.Values) (listing.Filter, error) {
	return listing.NewFilter(query.Get("q"), strings.Join(query["level"], ""), query.Get("lines"))
}

// searchWork is the approximate time to search a log for what a query asks, at
// worst [search.MaxTime].
func searchWork(query url.Values, bytes int) time.Duration {
	if strings.Contains(query.Get("q"), "/") {
		return search.MaxTime // there may be an expression
	}
	const perByteAndTerm = time.Nanosecond
	terms := 1 + strings.Count(query.Get("q"), " ")
	return min(search.MaxTime, time.Duration(bytes)*time.Duration(terms)*perByteAndTerm)
}

// showLog shows a log, in whole or in part.
func (s *site) showLog(r *http.Request, log share.Log) (*layout.Response, error) {
	query := r.URL.Query()
	v := logView{
		shareView: s.shareView(r, "/logs/"+log.ID, or(log.Title, "Untitled log"), log.Expires),
		Query:     query.Get("q"), Within: listing.ParseRanges(query.Get("lines")).String(), All: query.Has("all"), Raw: query.Has("raw"),
	}
	v.open = listing.ParseRanges(query.Get("open"))
	inParts := isTooLong(log)
	work := searchWork(query, log.Bytes()) + logWork(len(log.Content))
	err := fair.Do(r.Context(), work, func() (err error) {
		filter, wrong := filterOf(query)
		if wrong != nil {
			v.Problem = searchProblem(wrong).Sentence()
		}
		v.Chosen = wrong == nil && filter.Active()
		switch {
		case inParts && v.Chosen:
			err = s.findInParts(r, log, filter, &v)
		case inParts:
			err = s.showPart(r, &log, &v)
		}
		v.read(log, strings.Join(query["level"], ""))
		if !inParts {
			v.choose(r.Context(), log.Content, filter)
		}
		return errors.Join(err, r.Context().Err())
	})
	if err != nil {
		return nil, err
	}
	return s.renderLog(v)
}

func (s *site) renderLog(v logView) (*layout.Response, error) {
	p := layout.Page{Title: v.Title, Description: s.preview(v.described()), Styles: []string{"lines.css", "viewer.css"}, Picture: v.Card, Scripts: v.scripts("log.js"), Private: true, Wide: true, Content: v, Large: v.Listing}
	if v.ANSI {
		p.Styles = append(p.Styles, "ansi.css")
	}
	a, err := s.Render("log", p)
	if err != nil {
		return nil, err
	}
	return negotiated(a), nil
}

// counted returns the numbers of fatal entries, errors and warnings, in words.
func (v *logView) counted() (all []string) {
	for _, level := range v.Levels {
		if strings.ContainsAny(level.Class, "few") {
			name := strings.ToLower(level.Name)
			if level.Count != "1" && level.Class != "f" {
				name += "s"
			}
			all = append(all, level.Count+" "+name)
		}
	}
	return all
}

// described returns what a link preview says of the log: what failed, or else
// its facts.
func (v *logView) described() []string {
	if v.Headline.Sentence != "" {
		return []string{v.Headline.Sentence}
	}
	return slices.Concat([]string{"Log"}, v.Facts, v.counted())
}

// read fills in the results of the analysis.
func (v *logView) read(log share.Log, levels string) {
	summary, bars := analyzed(log)
	analysis := summary.Analysis
	v.Facts = []string{layout.Plural(analysis.Lines, "line"), layout.Size(log.Bytes()), logKind(log.Format, analysis.Format)}
	if log.Large == nil {
		v.Facts = append(v.Facts, blank(log.Content)...)
	}
	v.Masked = maskedNote(log.Masked)
	v.Levels = levelCounts(analysis, levels)
	v.FirstError = analysis.FirstErrorLine
	v.JSON = strings.Contains(log.Content, "{")
	v.ANSI = strings.Contains(log.Content, "\x1b") || v.Part != nil
	v.Headline = newHeadline(summary.Report)
	if analysis.Lines >= summaryLines {
		v.Findings = findings(summary)
	}
	if analysis.Lines >= histogramLines {
		v.Chart = newChart(bars())
	}
}

// analyzed returns the summary of a log and a function that returns its
// histogram.
func analyzed(log share.Log) (logs.Summary, func() []logs.Bar) {
	if l := log.Large; l != nil {
		return l.Summary, func() []logs.Bar { return l.Histogram }
	}
	o := logs.Options{Now: log.Created}
	return logs.Summarize(log.Content, o), func() []logs.Bar { return logs.Histogram(log.Content, chartBars, o) }
}

// choose shows the lines that a filter selects.
func (v *logView) choose(ctx context.Context, content string, filter listing.Filter) {
	v.Records = listing.AreRecords(content)
	o := listing.Options{Open: v.open, Address: v.address, Folds: listing.FoldsOf(content, logs.Options{}), Columns: v.Records && !v.Raw}
	v.Listing = listing.Log(content, o)
	if !v.Chosen || v.All || v.Plain {
		return
	}
	ctx, cancel := search.Limit(ctx)
	defer cancel()
	found := filter.Select(ctx, content)
	o.Selection = &found
	v.Listing = listing.Log(content, o)
	v.countMatches(len(found.Lines), found.Searched, v.Lines)
}

// countMatches says how many lines match, and whether all were searched.
func (v *logView) countMatches(found, searched, lines int) {
	v.NoHits = found == 0 && searched == lines
	v.Matches = layout.Thousands(found) + " of " + layout.Thousands(lines)
	if searched < lines {
		v.Matches += "; the search stopped after line " + layout.Thousands(searched)
	}
}

// address returns the URL of the page with other lines open.
func (v *logView) address(open listing.Ranges) string {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" && len(value) <= listing.MaxQuery {
			query.Set(name, value)
		}
	}
	set("q", v.Query)
	set("lines", v.Within)
	set("open", open.String())
	if v.Part != nil {
		set("part", strconv.Itoa(v.Part.Number))
	}
	for _, level := range v.Levels {
		if level.Chosen {
			query.Add("level", level.Class)
		}
	}
	for name, on := range map[string]bool{"all": v.All, "raw": v.Raw} {
		if on {
			query.Set(name, "1")
		}
	}
	return "?" + strings.ReplaceAll(query.Encode(), "%2C", ",")
}

// wholeHits sends the page's script the numbers of the lines that a filter
// selects.
func wholeHits(ctx context.Context, content string, query url.Values) (*layout.Response, error) {
	var found listing.Selection
	var wrong error
	err := fair.Do(ctx, searchWork(query, len(content)), func() error {
		var filter listing.Filter
		if filter, wrong = filterOf(query); wrong == nil {
			limited, cancel := search.Limit(ctx)
			defer cancel()
			found = filter.Select(limited, content)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		return layout.Refuse([]layout.Problem{searchProblem(wrong)})
	}
	a, err := layout.JSON(struct {
		Lines    []int    `json:"lines"`
		Found    []string `json:"found,omitempty"` // texts matched by regular expressions
		Searched int      `json:"searched"`        // number of lines that were searched
	}{found.Lines, found.Texts, found.Searched})
	if err != nil {
		return nil, err
	}
	return negotiated(a.NoIndex()), nil
}

func searchProblem(wrong error) layout.Problem {
	return layout.Problem{Field: "q", Message: "cannot be read: " + wrong.Error()}
}

func (s *site) shareView(r *http.Request, path, title string, expires time.Time) shareView {
	v := shareView{Path: s.Path(path), Title: title, Expires: expires, Left: layout.TimeLeft(expires, s.Now()), Card: s.cardAddress(r, path)}
	if r.URL.Query().Has(justShared) {
		v.Shared = s.origin(r) + path
		if token := r.URL.Query().Get(justShared); token != "" {
			v.Delete = v.Shared + "/delete?token=" + url.QueryEscape(token)
		}
	}
	return v
}

// scripts returns the scripts of a viewer: its own and, if the share was just
// created, that for its link.
func (v shareView) scripts(own string) []string {
	if v.Shared != "" {
		return []string{own, "shared.js"}
	}
	return []string{own}
}

func or(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}

// logKind returns the display name of a log's format.
func logKind(f share.Format, analysed string) string {
	if f == share.FormatJSON {
		return "JSON"
	}
	switch analysed {
	case "", "plain", "text", "none":
		return "Text"
	default:
		return analysed
	}
}

// levelCounts returns the levels that occur, most severe first. Levels whose
// letters are in chosen are marked.
func levelCounts(a logs.Analysis, chosen string) []levelCount {
	var counts []levelCount
	for _, level := range []struct {
		class, name string
		count       int
	}{
		{"f", "Fatal", a.Fatal},
		{"e", "Error", a.Errors},
		{"w", "Warning", a.Warnings},
		{"i", "Info", a.Info},
		{"d", "Debug", a.Debug},
		{"t", "Trace", a.Trace},
		{"o", "Other", a.Other},
	} {
		if level.count > 0 {
			counts = append(counts, levelCount{level.class, level.name, layout.Thousands(level.count), strings.Contains(chosen, level.class)})
		}
	}
	return counts
}

func (s *site) rawLog(r *http.Request) (*layout.Response, error) {
	log, err := s.Shares.OpenLog(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if log.Large != nil && r.URL.Query().Has("part") {
		text, err := s.Shares.LogPart(r.Context(), log, chosenPart(r.URL.Query(), log.Large))
		return raw(text), err
	}
	return s.rawText(r, log)
}

func (s *site) downloadLog(r *http.Request) (*layout.Response, error) {
	log, err := s.Shares.OpenLog(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	a, err := s.rawText(r, log)
	if err != nil {
		return nil, err
	}
	return attached(a, fileName(log.Title, "log-"+log.ID, logExtension(log))), nil
}

// rawText responds with the text of a log; a log in parts is streamed.
func (s *site) rawText(r *http.Request, log share.Log) (*layout.Response, error) {
	a := raw(log.Content)
	if log.Large == nil {
		return a, nil
	}
	if err := reserve(r, partMemory); err != nil {
		return nil, err
	}
	a.Large = writerTo(func(w io.Writer) (written int64, err error) {
		for text, err := range s.Shares.LogText(r.Context(), log) {
			if err != nil {
				return written, err
			}
			n, err := io.WriteString(w, text)
			if written += int64(n); err != nil {
				return written, err
			}
		}
		return written, nil
	})
	return a, nil
}

// A log in parts is shown on one page up to these limits, and part by part
// beyond.
const (
	wholeBytes = 4 << 20
	wholeLines = 60_000
)

// isTooLong reports whether a log exceeds the limits of one page.
func isTooLong(log share.Log) bool {
	return log.Large != nil && (log.Large.Bytes > wholeBytes || log.Large.Summary.Analysis.Lines > wholeLines)
}

// readWhole loads the content of a log in parts.
func (s *site) readWhole(r *http.Request, log *share.Log) error {
	if err := reserve(r, 2*log.Bytes()); err != nil || log.Large == nil {
		return err
	}
	var text strings.Builder
	text.Grow(log.Bytes())
	for part, err := range s.Shares.LogText(r.Context(), *log) {
		if err != nil {
			return err
		}
		text.WriteString(part)
	}
	log.Content = text.String()
	return nil
}

// partMemory is the approximate memory in bytes to read and send one part of a
// log.
const partMemory = 2 << 20

type writerTo func(io.Writer) (int64, error)

// WriteTo implements io.WriterTo.
func (f writerTo) WriteTo(w io.Writer) (int64, error) { return f(w) }

// logExtension returns the file extension of a log: .log, .json or .jsonl.
func logExtension(log share.Log) string {
	if log.Format != share.FormatJSON {
		return ".log"
	}
	if log.Large != nil {
		return ".jsonl"
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(log.Content), "\n"); json.Valid([]byte(first)) && strings.Contains(strings.TrimSpace(log.Content), "\n") {
		return ".jsonl"
	}
	return ".json"
}
