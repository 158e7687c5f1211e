package head

import (
	_ "embed" // of keys.tsv
	"slices"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
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
