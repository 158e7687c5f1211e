package listing

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// A line of a log is hidden if the filter does not select it or if it is
// folded. Either way a row in its place gives the number of hidden lines. That of
// lines which the filter does not select links to the page that shows them.
// Folding needs the script of the page: without it the style sheet shows all.

// The size of a log page in bytes is limited to weightPercent of its content,
// or to freeWeight if that is more.
const (
	weightPercent = 240
	freeWeight    = 256 << 10
)

const (
	// lineWeight is the maximum markup of a line in bytes:
	// <p id=L12345 class=ee>.
	lineWeight = 22
	// rowWeight is that of a row, excluding its URL and text, and foldedWeight
	// what a line that is folded adds.
	rowWeight    = 120
	foldedWeight = len(" data-folded")
	// maxLines is the number of lines up to which each gets an element.
	// Browsers become slow beyond that.
	maxLines = 60_000
	// plainBlock is the size in bytes of a block without line elements.
	plainBlock = 8 << 10
)

// levelClass maps levels to the classes of a continuation line and of the first
// line of an entry.
var levelClass = [...][2]string{
	logs.LevelNone: {"", ""}, logs.LevelTrace: {"t", "T"}, logs.LevelDebug: {"d", "D"}, logs.LevelInfo: {"i", "I"},
	logs.LevelWarning: {"w", "W"}, logs.LevelError: {"e", "E"}, logs.LevelFatal: {"f", "F"},
}

// roomBeside returns how many bytes of markup the page of a text may have. It
// is negative if escaping alone exceeds the limit: each < becomes four bytes.
func roomBeside(text string) int {
	w := writer{out: io.Discard}
	for line := range strings.Lines(text) {
		w.escape(terminal.Text(strings.TrimRight(line, "\r\n")))
		w.spill()
	}
	w.flush()
	return max(freeWeight, len(text)*weightPercent/100) - int(w.written) - strings.Count(text, "\n")
}

// A Fold is a collapsible range of lines, such as the rest of a stack trace or
// a section of a build. The line before it serves as its heading, so it cannot
// start at line 1.
type Fold struct {
	Range

	Title string // shown instead of the line before; may be empty
	Label string // describes the lines, such as "12 frames"
	Open  bool   // open by default
}

// logWriter writes the lines of a log with their levels.
type logWriter struct {
	writer
	Options

	style   terminal.Style
	skipped int  // lines filtered out since the last visible one
	folded  int  // last folded line so far
	stamped bool // the current entry starts with a timestamp
	ended   bool // no further line has the colour of the current entry
}

func newLogWriter(w writer, o Options) *logWriter {
	o.Folds = slices.DeleteFunc(slices.Clone(o.Folds), func(f Fold) bool { return f.From < 2 || f.To < f.From })
	slices.SortStableFunc(o.Folds, func(a, b Fold) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	w.n = max(0, o.First-1)
	return &logWriter{writer: w, Options: o}
}

// log writes all lines. Those that are not selected are hidden, and the others
// then carry their numbers, because style sheets do not count hidden lines.
func (w *logWriter) log(content string) {
	for line := range logs.Lines(content) {
		if w.err != nil {
			return
		}
		line.Number += max(0, w.First-1)
		chosen := w.Selection == nil || w.Selection.has(line.Number)
		w.line(line, chosen, w.Selection != nil || w.First > 0)
	}
	w.endGap()
	w.end()
}

// line writes a line, and above it the row of a gap that ends there and those
// of folds that start there.
func (w *logWriter) line(line logs.Line, shown, numbered bool) {
	if !shown {
		w.skipped++
	} else if w.skipped > 0 {
		w.gap(Range{line.Number - w.skipped, line.Number - 1})
		w.skipped = 0
	}
	for len(w.Folds) > 0 && w.Folds[0].From <= line.Number {
		w.fold(w.Folds[0])
		w.Folds = w.Folds[1:]
	}
	attributes := ""
	switch {
	case !shown:
		attributes = " data-miss"
	case numbered:
		attributes = " data-n=" + strconv.Itoa(line.Number)
	}
	if line.Number <= w.folded {
		attributes += " data-folded"
	}
	w.begin(w.class(line), attributes)
	line = WithoutMarker(line)
	if f := w.Folds; len(f) > 0 && f[0].From == line.Number+1 && f[0].Title != "" {
		line.Text = strings.TrimLeft(line.Text[:line.TimeEnd]+" "+f[0].Title, " ")
	}
	if !w.Columns || !w.columns(line.Text) {
		w.decorated(&w.style, line)
	}
}

// over is what ends the colour of an entry, and aside what is about something
// else: a test that passed, a time.
var (
	over  = regexp.MustCompile(`^(?: ?$|[ \t]*❯)`)
	aside = regexp.MustCompile(`^[ \t]*(?:$|[✓✔√]|PASS|ok |--- PASS|Start at |Duration )`)
)

// class returns the class of a line. A line after the head of an entry has the
// colour of the entry up to an empty line or the place of a failure, if it is of
// a stack trace, or if only the head has a timestamp. The letter of the others
// is there twice.
func (w *logWriter) class(line logs.Line) string {
	class, stamped := levelClass[line.Level][0], line.TimeEnd > 0
	if line.Head {
		w.stamped, w.ended = stamped, false
		return levelClass[line.Level][1]
	}
	text := terminal.Text(line.Text[line.TimeEnd:])
	if w.ended = !line.Frame && !strings.HasPrefix(text, "goroutine ") && (w.ended || over.MatchString(text)); stamped == w.stamped && (w.ended || aside.MatchString(text)) {
		return class + class
	}
	return class
}

// WithoutMarker returns a line without what is for the pages of GitHub Actions,
// Azure Pipelines or GitLab CI, not for readers.
func WithoutMarker(line logs.Line) logs.Line {
	line.Text = line.Text[:line.TimeEnd] + marker.ReplaceAllString(line.Text[line.TimeEnd:], "$1")
	return line
}

// marker is what starts or ends a section, or states the level of a line, at its
// start.
var marker = regexp.MustCompile(`^([ \t]*)(?:##\[(?:group|endgroup|section|error|warning|notice|debug)\]|::(?:group|endgroup)::|(?:\x1b\[0?K)*section_(?:start|end):[0-9]+:[^\r]*\r?(?:\x1b\[0?K)*)+`)

// endGap writes the row of a gap after the last visible line.
func (w *logWriter) endGap() {
	if 0 < w.skipped && w.skipped < w.n {
		w.gap(Range{w.n - w.skipped + 1, w.n})
	}
}

// gap writes the row of hidden lines.
func (w *logWriter) gap(gap Range) {
	if w.Address == nil {
		return
	}
	address := w.Address(gap.From) + "#L" + strconv.Itoa(gap.From)
	if w.affords(rowWeight + len(address)) {
		w.row("gap", address, "⋯ "+layout.Plural(gap.To-gap.From+1, "line"), "")
	}
}

// fold writes the row of a fold and folds its lines, unless the page would
// exceed its weight.
func (w *logWriter) fold(f Fold) {
	if !w.affords(rowWeight + len(f.Label) + foldedWeight*(f.To-f.From+1)) {
		return
	}
	class := "fold data-to=" + strconv.Itoa(f.To)
	if f.From <= w.folded {
		class += " data-folded"
	}
	sign := "− "
	if !f.Open {
		sign = "⋯ "
		w.folded = max(w.folded, f.To)
	}
	if f.Title != "" { // the style sheet has a sign for it
		class, sign = class+" data-step", ""
	}
	w.row(class, "#L"+strconv.Itoa(f.From), sign+f.Label, " aria-expanded="+strconv.FormatBool(f.Open))
}

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
	w      *logWriter
}

// NewHits returns empty Hits for a filter. The rows for gaps link to the URL
// that address returns for a line.
func NewHits(f Filter, address func(line int) string) *Hits {
	h := &Hits{filter: f}
	h.w = newLogWriter(writer{out: &h.html, room: maxHitBytes}, Options{Address: address})
	return h
}

// Add searches the next part, whose first line has the number first. The error
// is that of ctx, which ends the search.
func (h *Hits) Add(ctx context.Context, text string, first int) error {
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
		if !chosen {
			h.skip(1)
			continue
		}
		h.Searched = line.Number
		h.Count++
		if h.Shown < maxHits && h.html.Len()+len(h.w.b)+len(line.Text) <= maxHitBytes {
			h.Shown++
			h.w.n = line.Number - 1
			h.w.line(line, true, true)
		}
	}
	return nil
}

// skip counts lines that are not selected.
func (h *Hits) skip(lines int) {
	h.Searched += lines
	h.w.skipped += lines
}

// Listing returns the lines to show.
func (h *Hits) Listing() Listing {
	if h.Shown == h.Count && h.Shown > 0 {
		h.w.n = h.Searched
		h.w.endGap()
	}
	h.w.end()
	h.w.flush()
	return Listing{write: func(w *writer) { _, _ = io.Copy(w.out, &h.html) }}
}

// plain writes a log in blocks without line elements.
func (w *writer) plain(content string) {
	w.b = append(w.b, "<section><p>"...)
	size := 0
	for line := range strings.Lines(content) {
		if size += len(line); size > plainBlock {
			w.b, size = append(w.b, "</section><section><p>"...), len(line)
			w.spill()
		}
		text, ended := strings.CutSuffix(line, "\n")
		w.text(terminal.Text(strings.TrimSuffix(text, "\r")))
		if ended {
			w.b = append(w.b, '\n')
		}
	}
	w.b = append(w.b, "</section>"...)
}

// framesInSight is the number of visible lines of a stack trace that is of
// libraries alone, or of none.
const framesInSight = 3

// FoldsOf returns the folds of a text whose first line has the number first, or
// 1 if that is 0: its sections, open if they contain an error or one of the
// failures, and in stack traces the frames of libraries or, where all are or none
// is of libraries, what follows the first lines.
func FoldsOf(content string, first int, sections []logs.Section, failures []logs.Failure) []Fold {
	var all []Fold
	before := max(0, first-1)
	for _, s := range sections {
		label := layout.Plural(s.End-s.Start, "line")
		if s.Duration > 0 {
			label += " · " + s.Duration.Round(time.Second/10).String()
		}
		lines := Range{From: before + s.Start + 1, To: before + s.End}
		failed := s.Level >= logs.LevelError || slices.ContainsFunc(failures, func(f logs.Failure) bool { return lines.From <= f.First && f.First <= lines.To })
		all = append(all, Fold{Range: lines, Title: s.Title, Label: label, Open: failed})
	}
	trace := ""
	for line := range logs.Lines(content) {
		if line.Frame {
			trace += kindOf(strings.TrimSpace(line.Text[line.TimeEnd:]))
		} else {
			all, trace = append(all, foldsOfTrace(trace, before+line.Number)...), ""
		}
	}
	return append(all, foldsOfTrace(trace, before+countLines(content)+1)...)
}

// ofLibrary matches lines of frames that are not the reader's own: of runtimes,
// frameworks and packages. The script for what only a browser can read has the same.
var ofLibrary = regexp.MustCompile(`\bat (?:[\w.@-]+/+)*(?:javax?|jdk|sun|com\.sun|kotlinx?|scala|groovy|reactor|org\.(?:springframework|hibernate|apache|eclipse|junit|gradle|jboss|mockito)|io\.(?:netty|undertow|vertx)|System|Microsoft)\.` +
	`|node_modules/|\bnode:|\(internal/|/(?:site|dist)-packages/|/usr/(?:local/)?lib/|/go/src/|/pkg/mod/|/hostedtoolcache/|/\.cargo/registry/|/rustc/|/gems/|/vendor/|<frozen `)

// placed matches lines of frames that say where they are. The others belong with
// the line above or, where a trace begins with one as in Go, with that below.
var (
	placed  = regexp.MustCompile(`:\d|^File "`)
	pairs   = regexp.MustCompile(`\?([lo])`)
	several = regexp.MustCompile(`l[l?]+`)
)

// kindOf returns l for a line of a frame of a library, o for another, and ? for
// one without a place.
func kindOf(frame string) string {
	if library := ofLibrary.MatchString(frame); library || placed.MatchString(frame) {
		return map[bool]string{true: "l", false: "o"}[library]
	}
	return "?"
}

// foldsOfTrace returns the folds of a stack trace, as the kinds of its lines, that
// ends before a line.
func foldsOfTrace(trace string, end int) (all []Fold) {
	noun := "library frame"
	if strings.HasPrefix(trace, "?") {
		trace = pairs.ReplaceAllString(trace, "$1$1")
	}
	if !strings.Contains(trace, "l") || !strings.Contains(trace, "o") {
		trace, noun = strings.Repeat("o", min(len(trace), framesInSight))+strings.Repeat("l", max(0, len(trace)-framesInSight)), "more frame"
	}
	for _, at := range several.FindAllStringIndex(trace, -1) {
		from := end - len(trace)
		all = append(all, Fold{Range: Range{From: from + at[0], To: from + at[1] - 1}, Label: layout.Plural(at[1]-at[0], noun)})
	}
	return all
}

// AreRecords reports whether most of the first lines of a log are JSON with a
// level or a message.
func AreRecords(content string) bool {
	seen, found := 0, 0
	for line := range logs.Lines(content) {
		if line.Text == "" {
			continue
		}
		if r, ok := logs.ParseRecord(line.Text); ok && r.Level+r.Message != "" {
			found++
		}
		if seen++; seen == sampleLines {
			break
		}
	}
	return 2*found > seen
}

// sampleLines is the number of lines that AreRecords examines.
const sampleLines = 32
