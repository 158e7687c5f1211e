package web

import (
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/drawing"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/httpapi/web/listing"
	"github.com/devkiln/devkiln/share/logs"
)

// A comparison is the content of the page that compares two logs.
type comparison struct {
	A, B     shareView // the earlier and the later log
	Swap     string    // where they are compared the other way round
	Findings []groups
	Same     int // kinds of message that are in both as often

	Side    bool // the lines stand in two columns
	Hunks   [][]diffRow
	Rest    int    // how many rows are not shown
	Problem string // why lines are not compared; may be empty
}

// Groups are messages of a kind of difference.
type groups struct {
	Title, Sign string
	Path        string // of the log that the lines are in
	All         []logs.Change
	More        int // that are not shown
}

// A diffRow is a row of the table of lines: one of a log or of both, or one of
// each.
type diffRow struct {
	Earlier, Later diffLine
	Same           bool
}

// A diffLine is a line of a log; Number is 0 where there is none.
type diffLine struct {
	Number int
	Text   template.HTML

	Path  string // of the log
	Class string // old or new; empty: both logs have it
}

// What is shown of a comparison.
const (
	maxGroups     = 20 // of a kind
	diffContext   = 3  // lines around what differs
	maxDiffRows   = 2_000
	maxDiffLines  = 60_000 // of both logs
	diffLineBytes = 300    // that a line takes while it is compared, beside its text
)

// compareForm leads to the comparison of the two logs whose links are given, or
// asks for them.
func (s *site) compareForm(r *http.Request) (*layout.Response, error) {
	query := r.URL.Query()
	a, b := idOf(query.Get("a")), idOf(query.Get("b"))
	if a != "" && b != "" {
		found := layout.NewResponse(layout.Text, nil)
		found.Status = http.StatusSeeOther
		found.Header.Set("Location", s.Path("/compare/"+a+"/"+b))
		return found, nil
	}
	return s.Render("compare-form", layout.Page{
		Title: "Compare two logs", Description: "What is new in a log and what is gone since an earlier one: times, ids and numbers do not count.",
		Styles: []string{"tool.css"}, Content: struct{ A, B string }{query.Get("a"), query.Get("b")},
	})
}

// idOf returns the id of a share in its link, or in itself.
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
	a, err := s.openLog(r, r.PathValue("a"))
	if err != nil {
		return nil, err
	}
	b, err := s.openLog(r, r.PathValue("b"))
	if err != nil {
		return nil, err
	}
	lines := strings.Count(a.Content, "\n") + strings.Count(b.Content, "\n") + 2
	if err := hold(r, 2*(len(a.Content)+len(b.Content))+diffLineBytes*min(lines, maxDiffLines)); err != nil {
		return nil, err
	}
	c := comparison{Side: r.URL.Query().Get("view") == "side", Swap: s.Path("/compare/" + b.ID + "/" + a.ID)}
	c.A, c.B = s.shareView(r, "/logs/"+a.ID, or(a.Title, "Untitled log"), a.Expires), s.shareView(r, "/logs/"+b.ID, or(b.Title, "Untitled log"), b.Expires)
	text := ""
	err = drawing.Do(r.Context(), 0, func() error {
		if lines > maxDiffLines {
			c.Problem = "Together the logs have more than " + layout.Thousands(maxDiffLines) + " lines: too many to compare one by one."
		}
		text = c.read(a.Content, b.Content, !negotiate.WantsHTML(r.Header))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !negotiate.WantsHTML(r.Header) {
		return negotiated(raw(text)), nil
	}
	page, err := s.Render("compare", layout.Page{Title: c.A.Title + " and " + c.B.Title, Styles: []string{"lines.css", "compare.css"}, Private: true, Wide: true, Content: c})
	if err != nil {
		return nil, err
	}
	return negotiated(page), nil
}

// read compares the logs. For a client that wants text it returns the lines that
// differ as such.
func (c *comparison) read(earlier, later string, asText bool) string {
	var lines []logs.DiffLine
	if c.Problem == "" {
		lines = logs.Diff(earlier, later)
	}
	if asText {
		return logs.Unified(lines, diffContext)
	}
	found := logs.Compare(earlier, later)
	c.Same = found.Same
	added, gone := inOne(found.Added), inOne(found.Gone)
	c.add("New errors in B", "+", c.B.Path, added, logs.LevelError, logs.LevelFatal)
	c.add("Errors gone from A", "−", c.A.Path, gone, logs.LevelError, logs.LevelFatal)
	c.add("More or fewer in B", "±", c.B.Path, found.Changed, logs.LevelNone, logs.LevelFatal)
	c.add("Also new in B", "+", c.B.Path, added, logs.LevelNone, logs.LevelWarning)
	c.add("Also gone from A", "−", c.A.Path, gone, logs.LevelNone, logs.LevelWarning)
	c.rows(lines)
	return ""
}

// add adds the groups whose levels are from one to another.
func (c *comparison) add(title, sign, path string, all []logs.Change, least, most logs.Level) {
	g := groups{Title: title, Sign: sign, Path: path}
	for _, one := range all {
		switch {
		case one.Level < least || one.Level > most:
		case len(g.All) == maxGroups:
			g.More++
		default:
			g.All = append(g.All, one)
		}
	}
	if g.All != nil {
		c.Findings = append(c.Findings, g)
	}
}

// inOne returns the groups that only one of the logs has.
func inOne(all []logs.Group) []logs.Change {
	changes := make([]logs.Change, len(all))
	for i, g := range all {
		changes[i].Group = g
	}
	return changes
}

// rows fills in the lines that differ.
func (c *comparison) rows(lines []logs.DiffLine) {
	room := maxDiffRows
	for _, hunk := range logs.Hunks(lines, diffContext) {
		if c.Side {
			hunk = logs.SideBySide(hunk)
		}
		shown := hunk[:min(room, len(hunk))]
		room -= len(shown)
		c.Rest += len(hunk) - len(shown)
		var rows []diffRow
		for _, l := range shown {
			rows = append(rows, diffRow{newDiffLine(l.Earlier, c.A.Path, "old", l.Same), newDiffLine(l.Later, c.B.Path, "new", l.Same), l.Same})
		}
		if rows != nil {
			c.Hunks = append(c.Hunks, rows)
		}
	}
}

func newDiffLine(line logs.Line, path, class string, same bool) diffLine {
	if line.Number == 0 {
		return diffLine{}
	}
	if same {
		class = ""
	}
	return diffLine{line.Number, listing.Line(line), path, class}
}
