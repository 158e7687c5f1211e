package web

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"iter"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// A comparison is the content of the page that compares two logs.
type comparison struct {
	A, B     comparedLog // the earlier and the later log
	Swap     string      // link to the reverse comparison
	Failures []groups
	Findings []groups // of other messages

	Rows  []diffRow
	Rest  int    // number of rows not shown
	Fault string // why lines are not compared; may be empty
}

// A comparedLog is one side of a comparison.
type comparedLog struct {
	shareView
	log share.Log
}

// At returns the URL of a line.
func (l comparedLog) At(line int) string {
	if !fitsPage(l.log) {
		return fmt.Sprintf("%s?line=%d#L%d", l.Path, line, line)
	}
	return fmt.Sprintf("%s#L%d", l.Path, line)
}

// groups holds the messages that differ in one way.
type groups struct {
	Title, Sign string
	Log         comparedLog // log that the lines are in
	All         []logs.Change
	More        int  // number of groups not shown
	Quiet       bool // no error is among them: they are folded
}

// Count returns the number of all groups.
func (g groups) Count() int { return len(g.All) + g.More }

// A diffRow is a line that one log has or both have, or tells of equal lines that
// are left out.
type diffRow struct {
	LeftOut int // number of lines left out, the first of which is B
	A, B    int // line numbers; 0 if a log does not have it
	Text    template.HTML
	Failed  bool   // a line of B alone tells of an error or a failure
	Was     string // what A has instead of what is marked in a line that counts as equal
}

// Limits of a comparison.
const (
	maxGroups     = 20 // of each kind
	diffContext   = 3  // lines around each difference
	maxDiffRows   = 2_000
	maxDiffLines  = 60_000                    // total of both logs
	maxCompared   = 2 * share.DefaultLogBytes // total bytes of both logs
	diffLineBytes = 300                       // memory per compared line, excluding its text
)

// compareForm redirects to the comparison of the two given logs, or shows the
// form that asks for them.
func (s *site) compareForm(r *http.Request) (*layout.Response, error) {
	query := r.URL.Query()
	links, wrong := [2]string{query.Get("a"), query.Get("b")}, [2]string{}
	a, b := idOf(links[0]), idOf(links[1])
	if a != "" && b != "" {
		return layout.SeeOther(s.Path("/compare/" + a + "/" + b)), nil
	}
	for i, id := range []string{a, b} {
		if id == "" && query.Has("a") && query.Has("b") {
			wrong[i] = "This is not the link of a log. A link looks like " + s.Path("/logs/") + "4gyvm6pt90hk4r7z."
		}
	}
	return s.askForLogs(r, http.StatusOK, links, wrong)
}

// askForLogs shows the form for the links of two logs, and what is wrong with
// each. Who can share without a key can paste logs.
func (s *site) askForLogs(r *http.Request, status int, links, wrong [2]string) (*layout.Response, error) {
	_, err := s.sharer(r, "")
	return s.Render("compare-form", layout.Page{
		Status: status, Title: "Compare two logs", Description: "What is new in a log and what is gone since an earlier one: times, ids and numbers do not count.",
		Styles: []string{"tool.css", "compare.css"}, Scripts: []string{"compareform.js"}, HasForm: err == nil, Content: map[string]any{"Links": links, "Wrong": wrong, "Paste": err == nil},
	})
}

// idOf returns the share ID in a link; a bare ID is returned unchanged.
func idOf(link string) string {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return ""
	}
	id := path.Base(strings.TrimSuffix(strings.TrimSuffix(u.Path, "/raw"), "/download"))
	if strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return id
}

func (s *site) compare(r *http.Request) (*layout.Response, error) {
	found, links, wrong := [2]comparedLog{}, [2]string{}, [2]string{}
	for i, name := range []string{"a", "b"} {
		log, err := s.openLog(r, r.PathValue(name))
		found[i] = comparedLog{s.shareView(r, share.KindLog, log.Info), log}
		if errors.Is(err, share.ErrNotFound) && negotiate.WantsHTML(r.Header) {
			wrong[i], err = "This log has expired, was deleted or never existed.", nil
		}
		if err != nil {
			return nil, err
		}
		links[i] = s.Path("/logs/" + r.PathValue(name))
	}
	if wrong != [2]string{} {
		return s.askForLogs(r, http.StatusNotFound, links, wrong)
	}
	return s.showComparison(r, comparison{A: found[0], B: found[1], Swap: s.Path("/compare/" + r.PathValue("b") + "/" + r.PathValue("a"))})
}

// comparedWork is the approximate time to compare a byte of two logs of which no
// line is equal, and to write the page.
const comparedWork = 300 * time.Nanosecond

// showComparison compares the messages of both logs part by part, and their lines
// if both logs are short enough. A client that wants text gets a unified diff, or
// the reason why there is none.
func (s *site) showComparison(r *http.Request, c comparison) (response *layout.Response, err error) {
	asText := !negotiate.WantsHTML(r.Header)
	size, lines := c.A.log.Bytes+c.B.log.Bytes, c.A.log.Lines+c.B.log.Lines
	switch {
	case size > maxCompared:
		return nil, tooLongToCompare
	case size > wholeBytes:
		c.Fault = "Together the logs have more than " + layout.Size(wholeBytes) + ": too much to compare line by line."
	case lines > maxDiffLines:
		c.Fault = "Together the logs have more than " + layout.Thousands(maxDiffLines) + " lines: too many to compare one by one."
	}
	if asText && c.Fault != "" {
		return raw(c.Fault + "\n").Negotiated(), nil
	}
	if err := reserve(r, 2*min(size, 2*partMemory)+diffLineBytes*min(lines, maxDiffLines)); err != nil {
		return nil, err
	}
	var texts [2]string
	for i := 0; i < 2 && c.Fault == ""; i++ {
		log := [2]share.Log{c.A.log, c.B.log}[i]
		if texts[i], err = s.textOf(r, log, 0, len(log.Parts)); err != nil {
			return nil, err
		}
	}
	err = fair.Do(r.Context(), min(time.Second, time.Duration(size)*comparedWork), func() error {
		var found []logs.DiffLine
		if c.Fault == "" {
			found = logs.Diff(texts[0], texts[1])
		}
		if asText {
			response = raw(logs.Unified(found, diffContext)).Negotiated()
			return nil
		}
		before, after := c.A.log.Summary().Report.Failures, c.B.log.Summary().Report.Failures
		c.rows(found, after)
		response, err = s.comparisonPage(r, c, before, after)
		return err
	})
	return response, err
}

// tooLongToCompare reports that the logs exceed maxCompared.
var tooLongToCompare = layout.Failure{
	Status: http.StatusRequestEntityTooLarge, Title: "These logs are too long to compare",
	Text: "Together they may have " + layout.Size(maxCompared) + ". Share the part of each that matters, as devkiln log --fit=ends does.",
}

// comparisonPage compares the messages of both logs too, which have these
// failures, and renders the page.
func (s *site) comparisonPage(r *http.Request, c comparison, before, after []logs.Failure) (*layout.Response, error) {
	var failed error
	texts := func(log share.Log) iter.Seq[string] {
		return func(yield func(string) bool) {
			for text, err := range s.Shares.LogText(r.Context(), log) {
				if failed = cmp.Or(failed, err); err != nil || !yield(text) {
					return
				}
			}
		}
	}
	c.add("New failures in B", "+", c.B, failuresOf(after, before, false), logs.LevelNone, logs.LevelFatal)
	c.add("Fixed in B", "−", c.A, failuresOf(before, after, false), logs.LevelNone, logs.LevelFatal)
	c.add("Still failing", "=", c.B, failuresOf(after, before, true), logs.LevelNone, logs.LevelFatal)
	c.Failures, c.Findings = c.Findings, nil
	found := logs.CompareParts(texts(c.A.log), texts(c.B.log))
	added, gone := changesOf(found.Added, after), changesOf(found.Gone, before)
	c.add("New errors in B", "+", c.B, added, logs.LevelError, logs.LevelFatal)
	c.add("Errors gone from A", "−", c.A, gone, logs.LevelError, logs.LevelFatal)
	c.add("More or fewer in B", "±", c.B, found.Changed, logs.LevelNone, logs.LevelFatal)
	c.add("Also new in B", "+", c.B, added, logs.LevelNone, logs.LevelWarning)
	c.add("Also gone from A", "−", c.A, gone, logs.LevelNone, logs.LevelWarning)
	if failed != nil {
		return nil, failed
	}
	return s.Render("compare", layout.Page{
		Title: c.A.Title + " and " + c.B.Title, Styles: []string{"lines.css", "viewer.css", "ansi.css", "compare.css"}, Scripts: []string{"compare.js"},
		Private: true, Wide: true, Negotiated: true, Content: c,
	})
}

// failuresOf returns those of all whose name is among others, or is not.
func failuresOf(all, others []logs.Failure, among bool) (changes []logs.Change) {
	name := func(f logs.Failure) string { return cmp.Or(f.Name, f.Reason()) }
	for _, f := range all {
		i := slices.IndexFunc(others, func(o logs.Failure) bool { return name(o) == name(f) })
		if i >= 0 == among {
			parts := []string{f.Name, f.Place(), f.Reason()}
			if among && others[i].Reason() != "" && others[i].Reason() != f.Reason() {
				parts = append(parts, "in A: "+others[i].Reason())
			}
			text := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
			changes = append(changes, logs.Change{Group: logs.Group{First: f.First, Shape: text}})
		}
	}
	return changes
}

// add appends the changes with levels from low to high.
func (c *comparison) add(title, sign string, log comparedLog, all []logs.Change, low, high logs.Level) {
	all = slices.DeleteFunc(slices.Clone(all), func(one logs.Change) bool {
		return one.Level < low || one.Level > high || strings.Trim(one.Shape, "*+−- ") == ""
	})
	if shown := min(len(all), maxGroups); shown > 0 {
		c.Findings = append(c.Findings, groups{title, sign, log, all[:shown], len(all) - shown, high < logs.LevelError})
	}
}

// changesOf converts groups that only one log has to changes, without those that
// begin in one of its failures.
func changesOf(all []logs.Group, failures []logs.Failure) (changes []logs.Change) {
	for _, g := range all {
		if !within(failures, g.First) && !tells(failures, g.Text) && (len(failures) == 0 || !strings.HasPrefix(g.Shape, "make: *** [")) {
			changes = append(changes, logs.Change{Group: g})
		}
	}
	return changes
}

// tells reports whether a text has the name or the reason of a failure.
func tells(failures []logs.Failure, text string) bool {
	return slices.ContainsFunc(failures, func(f logs.Failure) bool {
		return f.Name != "" && strings.Contains(text, f.Name) || f.Reason() != "" && strings.Contains(text, f.Reason())
	})
}

// within reports whether a line is among those that describe a failure.
func within(failures []logs.Failure, line int) bool {
	return slices.ContainsFunc(failures, func(f logs.Failure) bool { return f.First <= line && line <= f.Last })
}

// rows fills in the differing lines, and those of the failures of B that count as
// equal but have other numbers in A.
func (c *comparison) rows(lines []logs.DiffLine, failures []logs.Failure) {
	for i, l := range lines {
		lines[i].Same = l.Same && (l.Later.Frame || l.Earlier.Text == l.Later.Text || !within(failures, l.Later.Number) || listing.Message(l.Earlier) == listing.Message(l.Later))
	}
	next := 1 // line of B
	leaveOut := func(before int) {
		if before > next {
			c.Rows = append(c.Rows, diffRow{LeftOut: before - next, B: next})
		}
	}
	for _, hunk := range logs.Hunks(lines, diffContext) {
		messages := make([]string, len(hunk))
		for i, l := range hunk {
			if l.Later.Number == 0 {
				messages[i] = "-" + listing.Message(l.Earlier)
			} else if l.Earlier.Number == 0 {
				messages[i] = "+" + listing.Message(l.Later)
			}
		}
		changed := listing.Changed(messages)
		for i, l := range hunk {
			if len(c.Rows) >= maxDiffRows {
				c.Rest += len(hunk) - i
				break
			}
			leaveOut(l.Later.Number)
			next = max(next, l.Later.Number+1)
			row := diffRow{A: l.Earlier.Number, B: l.Later.Number}
			if row.A > 0 && row.B > 0 {
				both := []string{"-" + listing.Message(l.Earlier), "+" + listing.Message(l.Later)}
				at := listing.Changed(both)
				changed[i], row.Was = at[1], both[0][at[0][0]:at[0][1]]
			}
			row.Failed = row.A == 0 && (l.Later.Level >= logs.LevelError || within(failures, row.B) || tells(failures, l.Later.Text) && strings.ContainsAny(l.Later.Text, "×✕✗✖"))
			row.Text = listing.Line(cmp.Or(l.Later, l.Earlier), changed[i])
			c.Rows = append(c.Rows, row)
		}
	}
	if len(c.Rows) > 0 && c.Rest == 0 {
		leaveOut(lines[len(lines)-1].Later.Number + 1)
	}
}
