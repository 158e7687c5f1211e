package head

import (
	_ "embed" // of the tables
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
			m.fitted[0], m.fitted[i] = fit, m.fitted[0]
			return &formatRules[fit-1]
		}
	}
	missed := &m.missed[b[0]]
	if *missed > newFormats && (m.fitted[0] == 0 || *missed > 5*newFormats) && *missed%16 != 0 {
		*missed++
		return nil
	}
	signs := pattern.SignsOf(b)
	for _, i := range rulesByFirst[b[0]] {
		if p := formatRules[i].pattern; p.Signs&^signs == 0 && p.Match(b, &m.match) {
			copy(m.fitted[1:], m.fitted[:])
			m.fitted[0] = i + 1
			return &formatRules[i]
		}
	}
	*missed++
	return nil
}

//go:embed keys.tsv
var keyTable string

// Key is a set of meanings of a key in a log record, which keys.tsv names.
type Key uint32

var keyNames, keyMeanings = readKeys(keyTable)

// The meanings that code refers to.
var (
	keyLevel    = keyNamed("level")
	keyCapitals = keyNamed("level:CAPITALS") // the level is in capitals
	keyTens     = keyNamed("level:10")       // the level is a two-digit number, as in pino
	keyLogLevel = keyNamed("log.level")      // of the Elastic Common Schema
	keyPriority = keyNamed("priority")       // of journald
	keyNumber   = keyNamed("severityNumber") // of OpenTelemetry
	keyShort    = keyNamed("s")              // of MongoDB, as c
	keyC        = keyNamed("c")
	keyType     = keyNamed("type") // its value may be a level
	keyTime     = keyNamed("time")
	keySomeTime = keyNamed("other time") // any other name that ends in time or date
	keyDate     = keyNamed("$date")      // of MongoDB
	keyMessage  = keyNamed("message") | keyNamed("msg")
	keyGELF     = keyNamed("short_message")
	keyLog      = keyNamed("log")
	keyStream   = keyNamed("stream")
)

func readKeys(table string) (names []string, meanings map[string]Key) {
	meanings = map[string]Key{}
	for cells := range ascii.Rows(table) {
		for key := range strings.FieldsSeq(cells[1]) {
			meanings[key] |= 1 << len(names)
		}
		names = append(names, cells[0])
	}
	return names, meanings
}

func keyNamed(name string) Key { return 1 << slices.Index(keyNames, name) }

// maxKey is the length of the longest key of keys.tsv.
const maxKey = 26

// KeyOf returns the meaning of a key, ignoring case, dashes and underscores.
func KeyOf(key []byte) Key {
	if len(key) > maxKey {
		return 0
	}
	var buf [maxKey]byte
	k := buf[:0]
	for _, c := range key {
		if c != '_' && c != '-' {
			k = append(k, c|ascii.If[byte](ascii.IsUpper(c), 0x20))
		}
	}
	if meaning := keyMeanings[string(k)]; meaning != 0 {
		return meaning
	}
	return ascii.If(ascii.HasSuffix(k, "time") || ascii.HasSuffix(k, "date") || ascii.HasSuffix(k, "timesec"), keySomeTime)
}

// IsLevel reports whether the value of a key may be a level.
func (k Key) IsLevel() bool { return k&(keyLevel|keyLogLevel|keyPriority) != 0 }

// IsTime reports whether the value of a key is a timestamp.
func (k Key) IsTime() bool { return k&keyTime != 0 }

// IsMessage reports whether the value of a key is the message.
func (k Key) IsMessage() bool { return k&(keyMessage|keyGELF|keyLog) != 0 }
