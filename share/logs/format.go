package logs

import (
	_ "embed" // of formats.tsv
	"slices"
	"strings"

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

// formatPlain is the first row of the table.
const formatPlain format = 0

// The other formats that code refers to.
var (
	formatText       = formatNamed("text")
	formatJSON       = formatNamed("json")
	formatJSONLines  = formatNamed("json-lines")
	formatLogfmt     = formatNamed("logfmt")
	formatAccess     = formatNamed("access")
	formatSyslog5424 = formatNamed("syslog-rfc5424")
	formatSyslog3164 = formatNamed("syslog-rfc3164")
)

func readFormats(table string) (rows []formatRow, rules []formatRule) {
	for cells := range tableRows(table) {
		name, example, looks := cells[0], cells[1], cells[2]
		f := slices.IndexFunc(rows, func(r formatRow) bool { return r.name == name })
		if f < 0 {
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
	return format(slices.IndexFunc(formats, func(r formatRow) bool { return r.name == name }))
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
// matches, five times as many if there is one, and then on one of every 16, so
// that a log may change its format.
type formatReader struct {
	match  pattern.Match
	fitted [4]uint8 // one more than the indexes of the latest rules that matched
	missed int      // lines that no rule matched
	output []byte   // the last line without what a service or a container runtime put before it
}

const newFormats = 10

// find returns the rule that matches b, the rest of a line, or nil.
func (r *formatReader) find(b []byte) *formatRule {
	r.match.Reset()
	for i, fit := range r.fitted {
		if fit > 0 && formatRules[fit-1].pattern.Match(b, &r.match) {
			copy(r.fitted[1:i+1], r.fitted[:i])
			r.fitted[0] = fit
			return &formatRules[fit-1]
		}
	}
	if r.missed > newFormats && (r.fitted[0] == 0 || r.missed > 5*newFormats) && r.missed%16 != 0 {
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
	for f := range formats {
		if keys := formats[f].keys; keys != 0 && j.seen&keys == keys {
			return format(f)
		}
	}
	return formatJSONLines
}
