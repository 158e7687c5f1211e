package logs

import (
	"bytes"
	_ "embed" // of formats.tsv
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// The formats of logs are in a table, formats.tsv. To add one, add a row and a
// log in testdata/cases.

//go:embed formats.tsv
var formatTable string

// format is the format of a log, as an index into formats.
type format uint8

// formatRow describes one format.
type formatRow struct {
	name    string // value of Analysis.Format
	example string // a log in testdata/cases, without .log
	looks   string // what a line looks like
	keys    jsonKey
}

// formatRule is a pattern of a format.
type formatRule struct {
	format  format
	pattern *pattern.Pattern
}

var formats, formatRules = readFormats(formatTable)

// The formats that code refers to. The zero format is not known yet.
var (
	formatPlain         = formatNamed("plain")
	formatText          = formatNamed("text")
	formatJSON          = formatNamed("json")
	formatJSONLines     = formatNamed("json-lines")
	formatLogfmt        = formatNamed("logfmt")
	formatAccess        = formatNamed("access")
	formatSyslog5424    = formatNamed("syslog-rfc5424")
	formatSyslog3164    = formatNamed("syslog-rfc3164")
	formatJournalExport = formatNamed("journald-export")
)

const formatNone format = 0

func readFormats(table string) ([]formatRow, []formatRule) {
	rows := []formatRow{{name: "plain"}}
	var rules []formatRule
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 {
			continue // the header of the table
		}
		name, example, looks := cells[0], cells[1], cells[2]
		f := slices.IndexFunc(rows[1:], func(r formatRow) bool { return r.name == name }) + 1
		if f == 0 {
			f = len(rows)
			rows = append(rows, formatRow{name: name, example: example, looks: looks})
		}
		if keys, ok := strings.CutPrefix(looks, "json "); ok {
			rows[f].keys = jsonKeysOf(keys)
		} else if strings.Contains(looks, "{") {
			rules = append(rules, formatRule{format(f), pattern.MustCompile(looks)})
		}
	}
	return rows, rules
}

func formatNamed(name string) format {
	return format(1 + slices.IndexFunc(formats[1:], func(r formatRow) bool { return r.name == name }))
}

func (f format) String() string { return formats[f].name }

// rulesByFirst lists the indexes of the rules for lines that start with a byte.
var rulesByFirst = func() (lists [256][]uint8) {
	for i, rule := range formatRules {
		for c, may := range rule.pattern.First {
			if may {
				lists[c] = append(lists[c], uint8(i))
			}
		}
	}
	return lists
}()

// formatReader reads lines by the patterns of formats. A log has one format, or
// a few if several programs write it: the rules that have matched a line are
// tried first. The others are tried on newFormats lines that none of them
// matches, and then on one of every 16, so that a log may change its format.
type formatReader struct {
	match  pattern.Match
	fitted [4]uint8 // one more than the indexes of the latest rules that matched
	missed int      // lines that no rule matched
}

const newFormats = 50

// find returns the rule that matches b, the rest of a line, or nil.
func (r *formatReader) find(b []byte) *formatRule {
	for i, fit := range r.fitted {
		if fit > 0 && formatRules[fit-1].pattern.Match(b, &r.match) {
			copy(r.fitted[1:i+1], r.fitted[:i])
			r.fitted[0] = fit
			return &formatRules[fit-1]
		}
	}
	if r.missed > newFormats && r.missed%16 != 0 {
		r.missed++
		return nil
	}
	for _, i := range rulesByFirst[b[0]] {
		if formatRules[i].pattern.Match(b, &r.match) {
			copy(r.fitted[1:], r.fitted[:])
			r.fitted[0] = i + 1
			return &formatRules[i]
		}
	}
	r.missed++
	return nil
}

// formatOf returns the format of a JSON value.
func (j *jsonScan) formatOf() format {
	seen := j.seen
	if j.level != LevelNone {
		seen |= keyLevelled
	}
	if seen&keyCapitals == 0 {
		seen |= keySmall
	}
	for f := range formats {
		if keys := formats[f].keys; keys != 0 && seen&keys == keys {
			return format(f)
		}
	}
	return formatJSONLines
}

// formatOf returns the format of a line that no pattern matches.
func (h *head) formatOf() format {
	if h.strong || h.level != LevelNone {
		return formatText
	}
	return formatPlain
}

// containsAny reports whether b contains any of texts.
func containsAny(b []byte, texts ...string) bool {
	for _, text := range texts {
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// contents is a set of kinds of characters in a text. It lets most rules skip a
// text unread: BenchmarkAnalyze/plain-prose takes half as long.
type contents uint16

const (
	hasDigit    contents = 1 << iota
	hasColon             // :
	hasBracket           // [ or <
	hasCapital           // a capital
	hasCapitals          // two capitals in a row
	hasDot
	hasName  // a dot before anything but a blank
	hasBar   // |
	hasTab   // a tab
	hasOther // none of these, nor a lower-case letter, a blank, or , ; ' ! ? - _ /
	hasStamp // a timestamp, at the start

	anything = ^contents(0) // contents of a text that was not examined

	// proseOnly is what a text of words alone may hold. No word of such a
	// text is a level.
	proseOnly = hasCapital | hasDot
)

var byteContents = func() (t [256]contents) {
	for i := range t {
		switch c := byte(i); {
		case ascii.IsDigit(c):
			t[i] = hasDigit
		case ascii.IsUpper(c):
			t[i] = hasCapital
		case c == ':':
			t[i] = hasColon
		case c == '[' || c == '<':
			t[i] = hasBracket
		case c == '.':
			t[i] = hasDot
		case c == '|':
			t[i] = hasBar
		case c == '\t':
			t[i] = hasTab
		case !ascii.IsLetter(c) && strings.IndexByte(" ,;'!?-_/", c) < 0:
			t[i] = hasOther
		}
	}
	return t
}()

// maxGlance is the maximum length in bytes of a line whose contents are
// determined before it is read. For a longer one, this takes more time than it
// saves.
const maxGlance = 64

// contentsOf returns the contents of the beginning of a message.
func contentsOf(b []byte) (all contents) {
	before := contents(0)
	for _, c := range b[:min(len(b), maxHead)] {
		kind := byteContents[c]
		all |= kind | before&kind&hasCapital<<1
		if before == hasDot && c != ' ' {
			all |= hasName
		}
		before = kind
	}
	return all
}
