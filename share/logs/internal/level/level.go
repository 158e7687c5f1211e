// Package level knows the names that loggers give to levels: words, letters and
// numbers; and the phrases of messages that state none.
package level

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// Level is the severity of a log entry. Levels are ordered: a greater one is
// more severe. The zero Level is None.
type Level uint8

// The levels, from no stated level to the most severe.
const (
	None Level = iota
	Trace
	Debug
	Info
	Warning
	Error
	Fatal
)

var levelNames = [...]string{"none", "trace", "debug", "info", "warning", "error", "fatal"}

// String returns the level in lower case: "none", "trace", "debug", "info",
// "warning", "error" or "fatal".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// UnmarshalText parses the text of [Level.String].
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("logs: no level: %q", text)
	}
	*l = Level(i)
	return nil
}

// Letter maps a single letter in the place of a level to the level.
var Letter = [256]Level{
	'F': Fatal, 'C': Fatal, 'A': Fatal, 'E': Error, 'W': Warning,
	'I': Info, 'N': Info, 'D': Debug, 'T': Trace, 'V': Trace,
}

// Syslog maps a digit to the level of the severity of RFC 5424, section 6.2.1, and
// Tens the first digit of a number in the scale of pino and bunyan, from 10
// (trace) to 60 (fatal).
var (
	Syslog = [10]Level{Fatal, Fatal, Fatal, Error, Warning, Info, Info, Debug}
	Tens   = [10]Level{1: Trace, Debug, Info, Warning, Error, Fatal}
)

// Meaning is the meaning of a word in the place of a level.
type Meaning struct {
	Level Level
	// Ambiguous words state a level only where nothing else can appear,
	// because messages use them too: LOG, NOTE, CONFIG, FINE.
	Ambiguous bool
}

// MaxWord is the length of the longest word for a level.
const MaxWord = len("informational")

// wordLengths has a bit for each length of the words that start with a letter.
var wordLengths = func() (lengths [32]uint16) {
	for word := range words {
		lengths[word[0]&31] |= 1 << len(word)
	}
	return lengths
}()

// Of returns the level that a word names in any case, or None.
func Of(w []byte) Meaning {
	if len(w) < 3 || len(w) > MaxWord || wordLengths[w[0]&31]>>len(w)&1 == 0 {
		return Meaning{}
	}
	var buf [MaxWord]byte
	for i, c := range w {
		buf[i] = c | 0x20
	}
	return words[string(buf[:len(w)])]
}

// Value returns the level that the value of a level field names: a single
// letter or a word in any case. It ignores an offset as log/slog writes it
// (ERROR+2).
func Value(v []byte) Level {
	if bytes.HasPrefix(v, []byte(`\u001b[`)) {
		v = v[bytes.IndexByte(v, 'm')+1:]
	}
	n := ascii.Letters(v)
	if n == 1 {
		return Letter[v[0]]
	}
	return Of(v[:n]).Level
}
