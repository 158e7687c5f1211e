package logs

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Section is a collapsible part of the log of a CI job. If two sections share
// lines, one is nested in the other.
type Section struct {
	Title string `json:"title"`
	// Start is the number, from 1, of the line that starts the section, and End
	// that of its last line. A section without an end extends to the end of the
	// one around it, or of the log.
	Start int `json:"start"`
	End   int `json:"end"`
	// Depth is the number of enclosing sections, from 0 to 15.
	Depth int `json:"depth"`
	// Level is the worst level in the section, including nested sections.
	Level Level `json:"level"`
	// Duration is the time that the section took; 0 if the log does not say.
	Duration time.Duration `json:"nanoseconds,omitzero"`
}

// maxDepth is the maximum depth of sections. Deeper ones count as lines of
// their parents.
const maxDepth = 16

// maxMarker is the number of bytes of a line that are searched for markers.
const maxMarker = 4 << 10

// Sections returns the sections of a log, ordered by their first lines:
// ##[group] and ::group:: of GitHub Actions, ##[section] of Azure Pipelines,
// section_start of GitLab CI, and ~~~, --- and +++ of Buildkite. It reads the
// log in one pass.
func Sections(log string, opts Options) []Section {
	var t tracker
	var r sectionReader
	for line := range t.read(linesOf(log)) {
		if t.head.Stamp.OK {
			r.time = opts.time(&t.head.Stamp)
		}
		text := t.reader.Output
		if !t.head.Wrapped {
			text = text[min(len(text), int(t.head.Stamp.End)):]
		}
		r.line(line, string(text[:min(len(text), maxMarker)]))
	}
	r.close(0, r.time)
	return r.sections
}

// sectionReader tracks the sections that have not ended.
type sectionReader struct {
	sections  []Section
	open      []openSection
	ended     []int // indexes of the sections that end with the current line
	ignored   int   // starts beyond maxDepth whose ends are to come
	lines     int
	time      time.Time // of the last line with a timestamp
	untitled  bool      // the title of the last section follows in the current line
	buildkite bool      // the log is one of Buildkite
}

type openSection struct {
	index   int // in sections
	name    string
	started time.Time
}

// line reads a line and what a program wrote in it. GitLab writes several
// markers into a line, each with a carriage return after it.
func (r *sectionReader) line(line Line, text string) {
	r.lines = line.Number
	r.ended, r.untitled = r.ended[:0], false
	for part := range strings.SplitSeq(text, "\r") {
		if part = strings.TrimLeft(part, " "); !r.mark(part) && r.untitled && part != "" {
			r.sections[len(r.sections)-1].Title = shorten(part)
		}
	}
	for _, o := range r.open {
		s := &r.sections[o.index]
		s.Level = max(s.Level, line.Level)
	}
}

// start starts a section. Those that end in the same line end before it.
func (r *sectionReader) start(name, title string, at time.Time) {
	if name == step {
		r.end(name, at)
	}
	for _, i := range r.ended {
		r.sections[i].End = max(r.lines-1, r.sections[i].Start)
	}
	if len(r.open) == maxDepth {
		r.ignored++
		return
	}
	r.open = append(r.open, openSection{len(r.sections), name, at})
	r.sections = append(r.sections, Section{Title: title, Start: r.lines, Depth: len(r.open) - 1})
}

// end ends the innermost section with a name, and all sections nested in it.
func (r *sectionReader) end(name string, at time.Time) {
	if r.ignored > 0 {
		r.ignored--
		return
	}
	for i, o := range slices.Backward(r.open) {
		if o.name == name {
			r.close(i, at)
			return
		}
	}
}

// close ends the open sections from index i on.
func (r *sectionReader) close(i int, at time.Time) {
	for _, o := range slices.Backward(r.open[i:]) {
		s := &r.sections[o.index]
		s.End = r.lines
		r.ended = append(r.ended, o.index)
		if !o.started.IsZero() {
			s.Duration = max(0, at.Sub(o.started))
		}
	}
	r.open = r.open[:i]
}

// sectionMarker is a text that starts or ends a section.
type sectionMarker struct {
	text, service string
	starts        bool
}

// sectionMarkers are the texts that start and end sections.
var sectionMarkers = [...]sectionMarker{
	{"##[group]", "GitHub", true},
	{"##[endgroup]", "GitHub", false},
	{"::group::", "GitHub", true},
	{"::endgroup::", "GitHub", false},
	{"##[section]Starting: ", "Azure", true},
	{"##[section]Finishing: ", "Azure", false},
	{"section_start:", "GitLab", true},
	{"section_end:", "GitLab", false},
	{"Post job cleanup.", step, false},
	{"~~~ ", step, true},
	{"--- ", step, true},
	{"+++ ", step, true},
}

// setUp are the titles of the groups with which a job of GitHub may begin.
var setUp = []string{"Runner Image Provisioner", "Operating System", "Runner Image", "Virtual Environment", "GITHUB_TOKEN Permissions"}

// step is the name of sections that end where the next one starts: those of
// Buildkite, whose logs start with "~~~ ", without which the other marks are
// text, and the steps of GitHub, whose group holds the command, not its output.
const step = "step"

// mark reads a marker, if the text starts with one. The end of a section has the
// name of its start.
func (r *sectionReader) mark(text string) bool {
	i := slices.IndexFunc(sectionMarkers[:], func(m sectionMarker) bool { return strings.HasPrefix(text, m.text) })
	if i < 0 {
		return false
	}
	known := sectionMarkers[i]
	name, title, at := known.service, shorten(text[len(known.text):]), r.time
	switch name {
	case "GitLab": // 1560896352:name[collapsed=true]
		seconds, rest, _ := strings.Cut(title, ":")
		title, _, _ = strings.Cut(rest, "[")
		unix, err := strconv.ParseInt(seconds, 10, 40)
		if err != nil || unix <= 0 || title == "" {
			return false
		}
		name, at, r.untitled = title, time.Unix(unix, 0), known.starts
	case "Azure":
		name = title
	case "GitHub":
		if n := len(r.open); strings.HasPrefix(title, "Run ") && (n == 0 || r.open[n-1].name == step) {
			name = step
		} else if len(r.sections) == 0 && r.lines > 1 && slices.Contains(setUp, title) {
			r.start(step, "Set up job", r.time)
			r.sections[0].Start = 1
		}
	case step:
		r.buildkite = r.buildkite || known.text == "~~~ "
		result, _, _ := strings.Cut(title, ": ") // --- FAIL: TestCart
		if known.starts && !r.buildkite || slices.Contains([]string{"FAIL", "PASS", "SKIP"}, result) {
			return false
		}
	}
	if known.starts {
		r.start(name, title, at)
	} else {
		r.end(name, at)
	}
	return true
}
