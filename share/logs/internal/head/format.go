package head

import (
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

// Format is the format of a log, as an index into the names of formats.
type Format uint8

// formatRule is a pattern of a format, or the members of a JSON value in it.
type formatRule struct {
	format  Format
	pattern *pattern.Pattern
	keys    Key
}

// rulesByFirst lists the indexes of the rules for lines that start with a byte.
var formatNames, formatRules, rulesByFirst, jsonRules = readFormats(formatTable)

// formatPlain is the first row of the table.
const formatPlain Format = 0

// The other formats that code refers to.
var (
	formatText      = formatNamed("text")
	formatJSON      = formatNamed("json")
	formatJSONLines = formatNamed("json-lines")
	formatLogfmt    = formatNamed("logfmt")
	formatAccess    = formatNamed("access")
)

func readFormats(table string) (names []string, rules []formatRule, byFirst [256][]uint8, json []formatRule) {
	for cells := range ascii.Rows(table) {
		name, looks := cells[0], cells[2]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		format := Format(slices.Index(names, name))
		if members, ok := strings.CutPrefix(looks, "json "); ok {
			rule := formatRule{format: format}
			for name := range strings.FieldsSeq(members) {
				rule.keys |= keyNamed(name)
			}
			json = append(json, rule)
		} else if strings.Contains(looks, "{") {
			rule := formatRule{format: format, pattern: pattern.MustCompile(looks)}
			for c := range byFirst {
				if rule.pattern.First.Has(byte(c)) {
					byFirst[c] = append(byFirst[c], uint8(len(rules)))
				}
			}
			rules = append(rules, rule)
		}
	}
	return names, rules, byFirst, json
}

func formatNamed(name string) Format { return Format(slices.Index(formatNames, name)) }

func (f Format) String() string { return formatNames[f] }

// matcher matches lines against the patterns of formats. A log has one format,
// or a few if several programs write it: the rules that have matched a line are
// tried first. The others are tried on newFormats lines with the same first byte
// that none of them matches, five times as many if there is one, and then on one
// of every 16, so that a log may change its format.
type matcher struct {
	match  pattern.Match
	fitted [4]uint8    // one more than the indexes of the latest rules that matched
	missed [256]uint16 // lines that no rule matched, by their first byte
}

const newFormats = 10

// find returns the rule that matches b, the rest of a line, or nil.
func (m *matcher) find(b []byte) *formatRule {
	m.match.Reset()
	for i, fit := range m.fitted {
		if fit > 0 && formatRules[fit-1].pattern.Match(b, &m.match) {
			copy(m.fitted[1:i+1], m.fitted[:i])
			m.fitted[0] = fit
			return &formatRules[fit-1]
		}
	}
	missed := &m.missed[b[0]]
	if *missed > newFormats && (m.fitted[0] == 0 || *missed > 5*newFormats) && *missed%16 != 0 {
		*missed++
		return nil
	}
	for _, i := range rulesByFirst[b[0]] {
		if formatRules[i].pattern.Match(b, &m.match) {
			copy(m.fitted[1:], m.fitted[:])
			m.fitted[0] = i + 1
			return &formatRules[i]
		}
	}
	*missed++
	return nil
}

// wraps reports whether what follows a match is read again.
func (f *formatRule) wraps() bool { return f.pattern.End == "line" || f.pattern.End == "entry" }
