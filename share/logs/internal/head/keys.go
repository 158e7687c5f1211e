package head

import (
	"bytes"
	_ "embed" // of keys.tsv
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

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

// KeyOf returns the meaning of a key, ignoring case, dashes, underscores and
// blanks.
func KeyOf(key []byte) Key {
	if len(key) > maxKey {
		return 0
	}
	var buf [maxKey]byte
	k := buf[:0]
	for _, c := range key {
		if ascii.IsUpper(c) {
			c |= 0x20
		}
		if c != '_' && c != '-' && c != ' ' {
			k = append(k, c)
		}
	}
	if meaning := keyMeanings[string(k)]; meaning != 0 {
		return meaning
	}
	if ascii.HasSuffix(k, "time") || ascii.HasSuffix(k, "date") || ascii.HasSuffix(k, "timesec") {
		return keySomeTime
	}
	return 0
}

// IsLevel reports whether the value of a key may be a level.
func (k Key) IsLevel() bool { return k&(keyLevel|keyLogLevel|keyPriority) != 0 }

// IsTime reports whether the value of a key is a timestamp.
func (k Key) IsTime() bool { return k&keyTime != 0 }

// IsMessage reports whether the value of a key is the message.
func (k Key) IsMessage() bool { return k&(keyMessage|keyGELF|keyLog) != 0 }

// pairKey returns the length of the key of a logfmt pair at the start of b,
// the equals sign excluded, or 0.
func pairKey(b []byte) int {
	for i, c := range b {
		switch {
		case ascii.IsLetter(c) || c == '_' || c == '@' || i > 0 && (ascii.IsDigit(c) || c == '.' || c == '-'):
		case c == '=':
			return i
		default:
			return 0
		}
	}
	return 0
}

// logfmt reads key=value pairs, whose text is at offset at of the line, until
// it has a level and a timestamp. It returns the number of pairs. It skips
// words that are not pairs, and never looks inside quotes.
func logfmt(b []byte, at int, h *Head) int {
	pairs := 0
	for i := 0; i < len(b); {
		n := pairKey(b[i:])
		if n == 0 {
			i = ascii.SkipAny(b, valueEnd(b, i), fieldSpace)
			continue
		}
		pairs++
		end := valueEnd(b, i+n+1)
		h.pair(b[i:i+n], b[i+n+1:], end-(i+n+1), at+i+n+1)
		if h.Level != level.None && h.Stamp.OK {
			return pairs
		}
		i = ascii.SkipAny(b, end, fieldSpace)
	}
	return pairs
}

// pair reads one pair. The value is the first n bytes of rest, which is at
// offset at of the line.
func (h *Head) pair(key, rest []byte, n, at int) {
	v := rest[:n]
	if n > 0 && v[0] == '"' {
		at += n - len(bytes.TrimLeft(v, `"`))
		v = bytes.Trim(v, `"`)
		rest = v
	}
	k := KeyOf(key)
	switch {
	case h.Level == level.None && (k&(keyLevel|keyLogLevel|keyPriority) != 0 || string(key) == "at"):
		h.Level = level.Value(v)
	case k&keyTime != 0, string(key) == "date":
		// beyond the value too: a blank ends a value, but not a timestamp
		var s stamp.Stamp
		stamp.Parse(rest, &s)
		h.takeFuller(s, at)
	}
}

// fieldSpace are the bytes between two pairs.
const fieldSpace = " \t,"

// valueEnd returns the end of the value that starts at i.
func valueEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	if n := bytes.IndexAny(b[i:], fieldSpace); n >= 0 {
		return i + n
	}
	return len(b)
}
