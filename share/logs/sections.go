package logs

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
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
// section_start of GitLab CI. It reads the log in one pass.
func Sections(log string, opts Options) []Section {
	r := sectionReader{opts: opts}
	for line := range Lines(log) {
		r.line(line)
	}
	r.close(0, r.lines, r.time)
	return r.sections
}

// sectionReader tracks the sections that have not ended.
type sectionReader struct {
	opts     Options
	sections []Section
	open     []openSection
	ignored  int // starts beyond maxDepth whose ends are to come
	lines    int
	time     time.Time // of the last line with a timestamp
}

type openSection struct {
	index   int // in sections
	marker  sectionMarker
	started time.Time
}

func (r *sectionReader) line(line Line) {
	r.lines = line.Number
	text := line.Text[line.TimeEnd:min(len(line.Text), line.TimeEnd+maxMarker)]
	if line.TimeEnd > 0 {
		var s stamp.Stamp
		if stamp.Parse([]byte(line.Text[line.TimeStart:line.TimeEnd]), &s) > 0 {
			r.time = r.opts.time(&s)
		}
	}
	m, rest, ok := cutMarker(text)
	for ok {
		at := r.time
		if m.unix > 0 {
			at = time.Unix(m.unix, 0)
		}
		next, more, found := cutMarker(rest)
		switch {
		case m.starts:
			r.start(m, at)
		case found && next.starts:
			r.end(m, line.Number-1, at)
		default:
			r.end(m, line.Number, at)
		}
		m, rest, ok = next, more, found
	}
	if n := len(r.open); n > 0 {
		s := &r.sections[r.open[n-1].index]
		s.Level = max(s.Level, line.Level)
	}
}

func (r *sectionReader) start(m sectionMarker, at time.Time) {
	if len(r.open) == maxDepth {
		r.ignored++
		return
	}
	r.open = append(r.open, openSection{len(r.sections), m, at})
	r.sections = append(r.sections, Section{Title: m.title, Start: r.lines, Depth: len(r.open) - 1})
}

// end ends the innermost section with the marker's service and name, and all
// sections nested in it.
func (r *sectionReader) end(m sectionMarker, line int, at time.Time) {
	if r.ignored > 0 {
		r.ignored--
		return
	}
	for i, o := range slices.Backward(r.open) {
		if o.marker.service == m.service && o.marker.name == m.name {
			r.close(i, line, at)
			return
		}
	}
}

// close ends the open sections from index i on.
func (r *sectionReader) close(i, line int, at time.Time) {
	for n := len(r.open) - 1; n >= i; n-- {
		o := r.open[n]
		s := &r.sections[o.index]
		s.End = max(line, s.Start)
		if !o.started.IsZero() {
			s.Duration = max(0, at.Sub(o.started))
		}
		if n > 0 {
			around := &r.sections[r.open[n-1].index]
			around.Level = max(around.Level, s.Level)
		}
	}
	r.open = r.open[:i]
}

// sectionMarker starts or ends a section.
type sectionMarker struct {
	service     string
	name, title string
	starts      bool
	unix        int64 // time in seconds since 1970, or 0
}

// sectionMarkers are the texts that start and end sections.
var sectionMarkers = [...]struct {
	text, service string
	starts        bool
}{
	{"##[group]", "GitHub", true},
	{"##[endgroup]", "GitHub", false},
	{"::group::", "GitHub", true},
	{"::endgroup::", "GitHub", false},
	{"##[section]Starting: ", "Azure", true},
	{"##[section]Finishing: ", "Azure", false},
	{"section_start:", "GitLab", true},
	{"section_end:", "GitLab", false},
}

// cutMarker reads the marker at the start of text, after blanks, escape
// sequences and the stream that GitLab writes after its time. It also returns
// the text after the marker.
func cutMarker(text string) (m sectionMarker, rest string, ok bool) {
	text = trimSequences(text)
	if len(text) > 4 && ascii.Digits([]byte(text[:3])) == 2 && (text[2] == 'O' || text[2] == 'E') && (text[3] == ' ' || text[3] == '+') {
		text = trimSequences(text[4:])
	}
	for _, known := range sectionMarkers {
		after, found := strings.CutPrefix(text, known.text)
		if !found {
			continue
		}
		m.service, m.starts = known.service, known.starts
		if m.service == "GitLab" {
			return m.gitLab(after)
		}
		m.title = shorten(plainText(after))
		if m.service == "Azure" {
			m.name = m.title
		}
		return m, "", true
	}
	return m, "", false
}

// trimSequences removes leading blanks and escape sequences.
func trimSequences(text string) string {
	text = strings.TrimLeft(text, " \r")
	for strings.HasPrefix(text, "\x1b") {
		text = strings.TrimLeft(text[terminal.SequenceLen(text):], " \r")
	}
	return text
}

// gitLab reads "1560896352:name[collapsed=true]", which ends with a carriage
// return. The title follows.
func (m sectionMarker) gitLab(text string) (sectionMarker, string, bool) {
	seconds, text, _ := strings.Cut(text, ":")
	name, rest, _ := strings.Cut(text, "\r")
	m.name, _, _ = strings.Cut(plainText(name), "[")
	m.title = shorten(plainText(rest))
	if m.title == "" {
		m.title = shorten(m.name)
	}
	unix, err := strconv.ParseInt(seconds, 10, 40)
	m.unix = unix
	return m, rest, err == nil && unix > 0 && m.name != ""
}

// Record is a line of JSON split into columns. Its texts are as in the log,
// with strings unquoted.
type Record struct {
	Prefix  string // added before the line by a container runtime or a service
	Time    string
	Level   string
	Message string
	Fields  []Field // all other members, in order
}

// Field is one member of a [Record]. Value is the text of a string, or else
// JSON.
type Field struct {
	Name, Value string
}

// ParseRecord splits a line that is one JSON object into columns. The time, the
// level and the message are the first members whose names loggers use for them.
// It returns false for any other line.
func ParseRecord(line string) (Record, bool) {
	text := terminal.Text(line)
	brace := strings.IndexByte(text, '{')
	if brace < 0 || brace > maxHead {
		return Record{}, false
	}
	var h head
	wrapper := len(text) - len(new(formatReader).unwrap(&h, []byte(text)))
	if wrapper+ascii.SkipSpace([]byte(text[wrapper:]), 0) != brace {
		return Record{}, false
	}
	r := Record{Prefix: text[:brace]}
	d := json.NewDecoder(strings.NewReader(text[brace:]))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		if err == nil {
			r.add(name.(string), value)
		}
	}
	if err != nil {
		return Record{}, false
	}
	end, err := d.Token()
	return r, err == nil && end == json.Delim('}') && strings.TrimSpace(text[brace+int(d.InputOffset()):]) == ""
}

// add stores a member in its column, or in Fields.
func (r *Record) add(name string, value json.RawMessage) {
	text := string(value)
	var quoted string
	if json.Unmarshal(value, &quoted) == nil && text != "null" {
		text = quoted
	}
	column := (*string)(nil)
	switch meaning := jsonKeyOf([]byte(name)); {
	case meaning&(keyLevel|keyLogLevel|keyPriority) != 0:
		column = &r.Level
	case meaning&keyTime != 0:
		column = &r.Time
	case meaning&(keyMsg|keyMessage|keyGELF|keyLog) != 0 && value[0] == '"':
		column = &r.Message
	}
	if column == nil || *column != "" {
		r.Fields = append(r.Fields, Field{name, text})
		return
	}
	*column = text
}
