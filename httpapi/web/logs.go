package web

import (
	"cmp"
	"context"
	_ "embed" // of the names of formats
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
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
	Path      string // of the share; /raw and /download are below it
	Title     string
	Facts     []string // size, format or language
	Expires   time.Time
	Left      string
	Masked    string // what was masked before the share was stored; may be empty
	Card      string // URL of the preview picture; may be empty
	Shared    string // full link, for the visitor who just created the share; otherwise empty
	Delete    string // link that deletes the share, for the visitor who created it without a key
	Once      bool   // the first read deletes the share
	Encrypted bool

	listing.Listing
}

// maskedNote describes what was masked; it is empty if nothing was.
func maskedNote(found mask.Found) string {
	if found.Total() == 0 {
		return ""
	}
	return layout.Plural(found.Total(), "secret") + " masked: " + found.String()
}

// A logView is the content of the page of a log.
type logView struct {
	shareView

	Levels     []levelCount
	FirstError int    // line number of the first failure or else error; 0 if there is none
	Failing    string // what a button goes to next: failure, or error
	JSON       bool
	ANSI       bool

	Query   string
	Within  string // lines selected in the histogram; may be empty
	All     bool   // lines that do not match stay visible
	Chosen  bool   // a filter is active
	Records bool   // the lines are JSON, which can be shown in columns
	Raw     bool   // columns are turned off
	Fault   string // error in the query; may be empty
	Matches string // number of matching lines; empty if all are shown
	NoHits  bool

	Headline headline
	Lead     *finding // the first error of a log without failures
	Findings []finding
	Chart    chart
	Steps    []step // in place of the chart

	Part *partView // nil if the page shows the whole log

	Failures []logs.Failure
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
	log, err := s.Shares.Log(r.Context(), r.PathValue("id"))
	if s.wantsPage(r) && isPrivate(log.Encrypted, err) {
		return s.showPrivate(r, s.privateLog(r, log, err))
	}
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	switch {
	case query.Has("summary") && !log.Encrypted && !negotiate.WantsHTML(r.Header):
		return plainSummary(r.Context(), log)
	case r.URL.RawQuery != "" && !log.Encrypted && fitsPage(log) && negotiate.WantsJSON(r.Header):
		return s.findLines(r, log)
	case !s.wantsPage(r):
		a, err := s.rawText(r, log)
		if err != nil {
			return nil, err
		}
		return a.Negotiated(), nil
	case query.Has("after") || query.Has("before"):
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
	terms := 1 + strings.Count(query.Get("q"), " ")
	return min(search.MaxTime, time.Duration(bytes*terms)*time.Nanosecond)
}

// showLog shows a log, one of its parts, or what a filter finds in all of them.
func (s *site) showLog(r *http.Request, log share.Log) (*layout.Response, error) {
	query := r.URL.Query()
	v := logView{
		shareView: s.shareView(r, share.KindLog, log.Info),
		Query:     query.Get("q"), Within: listing.ParseRanges(query.Get("lines")).String(), All: query.Has("all"), Raw: query.Has("raw"),
	}
	from, to := visibleParts(log, query)
	text, err := s.textOf(r, log, from, to)
	if err != nil {
		return nil, err
	}
	work := searchWork(query, log.Bytes) + logWork(len(text))
	err = fair.Do(r.Context(), work, func() (err error) {
		filter, wrong := filterOf(query)
		if wrong != nil {
			v.Fault = searchFault(wrong).Sentence()
		}
		v.Chosen = wrong == nil && filter.Active()
		if !fitsPage(log) {
			v.Part = newPartView(log, from, query)
		}
		v.read(log, text, strings.Join(query["level"], ""))
		v.Card = s.cardAddress(r, "/logs/"+log.ID, v.FirstError)
		if v.Part != nil && v.Chosen {
			err = s.findInParts(r, log, filter, &v)
		} else {
			v.show(r.Context(), text, filter)
		}
		return errors.Join(err, r.Context().Err())
	})
	if err != nil {
		return nil, err
	}
	v.Lines = log.Lines
	p := layout.Page{Title: v.Title, Description: s.preview(v.described()), Styles: []string{"lines.css", "viewer.css"}, Picture: v.Card, Scripts: v.scripts("log.js"), Private: true, Wide: true, Negotiated: true, Content: v, Large: v.Listing}
	if v.ANSI {
		p.Styles = append(p.Styles, "ansi.css")
	}
	return s.Render("log", p)
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

// read fills in the results of the analysis. text is what the page shows.
func (v *logView) read(log share.Log, text, levels string) {
	summary := log.Summary()
	analysis := summary.Analysis
	v.Facts = slices.DeleteFunc([]string{layout.Plural(analysis.Lines, "line"), layout.Size(log.Bytes), logKind(log.Format, analysis.Format)}, func(fact string) bool { return fact == "Text" })
	v.Masked = maskedNote(log.Masked)
	v.Levels = levelCounts(analysis, levels)
	v.FirstError, v.Failing = analysis.FirstErrorLine, "error"
	v.JSON = strings.Contains(text, "{")
	v.ANSI = strings.Contains(text, "\x1b") || v.Part != nil
	v.Headline, v.Failures = newHeadline(summary.Report), summary.Report.Failures
	if len(v.Failures) > 0 {
		v.FirstError, v.Failing = v.Failures[0].First, "failure"
	}
	if v.Part == nil {
		v.Facts = append(v.Facts, blank(text)...)
	} else {
		text = "" // of other lines
	}
	if analysis.Lines >= summaryLines {
		if v.Findings = findings(summary, text); len(v.Failures) == 0 && v.FirstError > 0 && len(v.Findings) > 0 {
			v.Lead, v.Findings = &v.Findings[0], v.Findings[1:]
		}
	}
	if analysis.Lines >= histogramLines {
		v.Chart = newChart(log.Histogram())
	}
}

// show shows the lines of a text, or those of them that a filter selects.
func (v *logView) show(ctx context.Context, text string, filter listing.Filter) {
	v.Records = listing.AreRecords(text)
	o := listing.Options{Address: func(int) string { return v.Path }, Columns: v.Records && !v.Raw}
	if v.Part != nil {
		o.First = v.Part.First
	}
	sections := logs.Sections(text, logs.Options{})
	o.Folds = listing.FoldsOf(text, o.First, sections, v.Failures)
	if v.Part == nil {
		if v.Steps = newSteps(sections); v.Steps != nil {
			v.Findings = slices.DeleteFunc(v.Findings, func(f finding) bool { return f.Kind == "Slow step" })
		}
	}
	v.Listing = listing.Log(text, o)
	if !v.Chosen || v.All || v.Plain {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, search.MaxTime)
	defer cancel()
	found := filter.Select(ctx, text)
	o.Selection = &found
	v.Listing = listing.Log(text, o)
	v.countMatches(len(found.Lines), found.Searched, v.Lines)
}

// countMatches says how many lines match, and whether all were searched.
func (v *logView) countMatches(found, searched, lines int) {
	v.NoHits = found == 0 && searched == lines
	v.Matches = layout.Thousands(found) + " of " + layout.Plural(lines, "line")
	if searched < lines {
		v.Matches += "; the search stopped after line " + layout.Thousands(searched)
	}
}

// findLines sends the page's script the numbers of the lines that a filter
// selects.
func (s *site) findLines(r *http.Request, log share.Log) (*layout.Response, error) {
	text, err := s.textOf(r, log, 0, len(log.Parts))
	if err != nil {
		return nil, err
	}
	var found listing.Selection
	var wrong error
	err = fair.Do(r.Context(), searchWork(r.URL.Query(), len(text)), func() error {
		var filter listing.Filter
		if filter, wrong = filterOf(r.URL.Query()); wrong == nil {
			limited, cancel := context.WithTimeout(r.Context(), search.MaxTime)
			defer cancel()
			found = filter.Select(limited, text)
		}
		return r.Context().Err()
	})
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		return layout.Refuse(layout.Faults{searchFault(wrong)})
	}
	a, err := layout.JSON(struct {
		Lines    []int    `json:"lines"`
		Found    []string `json:"found,omitempty"` // texts matched by regular expressions
		Searched int      `json:"searched"`        // number of lines that were searched
	}{found.Lines, found.Texts, found.Searched})
	if err != nil {
		return nil, err
	}
	return a.NoIndex().Negotiated(), nil
}

func searchFault(wrong error) layout.Fault {
	return layout.Fault{Field: "q", Message: "cannot be read: " + wrong.Error()}
}

func (s *site) shareView(r *http.Request, kind share.Kind, info share.Info) shareView {
	path := kind.Path(info.ID)
	v := shareView{Path: s.Path(path), Title: cmp.Or(strings.TrimSpace(info.Title), "Untitled "+string(kind)), Expires: info.Expires, Left: layout.TimeLeft(info.Expires, s.Now()), Encrypted: info.Encrypted, Card: s.cardAddress(r, path, 1)}
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

//go:embed formatnames.tsv
var formatNames string // for people: lines of a format that package logs names, a tab and a name

// logKind returns the display name of a log's format.
func logKind(f share.Format, analysed string) string {
	if f == share.FormatJSON {
		return "JSON"
	}
	_, row, _ := strings.Cut("\n"+formatNames, "\n"+analysed+"\t")
	name, _, _ := strings.Cut(row, "\n")
	return cmp.Or(name, analysed, "Text")
}

// levelCounts returns the levels that occur, most severe first. Levels whose
// letters are in chosen are marked.
func levelCounts(a logs.Analysis, chosen string) []levelCount {
	level := func(class, name string, count int) levelCount {
		return levelCount{class, name, layout.Thousands(count), strings.Contains(chosen, class)}
	}
	return slices.DeleteFunc([]levelCount{
		level("f", "Fatal", a.Fatal), level("e", "Error", a.Errors), level("w", "Warning", a.Warnings), level("i", "Info", a.Info),
		level("d", "Debug", a.Debug), level("t", "Trace", a.Trace), level("o", "Other", a.Other),
	}, func(l levelCount) bool { return l.Count == "0" })
}

// logText returns the handler of the text alone, shown or as a download.
func (s *site) logText(download bool) handler {
	return func(r *http.Request) (*layout.Response, error) {
		log, err := s.Shares.Log(r.Context(), r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		if query := r.URL.Query(); query.Has("part") && !download {
			text, err := s.Shares.LogPart(r.Context(), log, chosenPart(query, log))
			return raw(text), err
		}
		a, err := s.rawText(r, log)
		if err == nil && download {
			attached(a, fileName(log.Title, "log-"+log.ID, logExtension(log)))
		}
		return a, err
	}
}

// rawText responds with the text of a log, which is streamed if it has several
// parts.
func (s *site) rawText(r *http.Request, log share.Log) (*layout.Response, error) {
	if log.Content != "" {
		return raw(log.Content), nil
	}
	if err := reserve(r, partMemory); err != nil {
		return nil, err
	}
	a := raw("")
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

type writerTo func(io.Writer) (int64, error)

// WriteTo implements io.WriterTo.
func (f writerTo) WriteTo(w io.Writer) (int64, error) { return f(w) }

// logExtension returns the file extension of a log: .log, .json or .jsonl.
func logExtension(log share.Log) string {
	if log.Format != share.FormatJSON {
		return ".log"
	}
	if len(log.Parts) > 1 || !json.Valid([]byte(log.Content)) {
		return ".jsonl"
	}
	return ".json"
}
