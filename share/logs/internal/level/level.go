// Package level knows the names that loggers give to levels: words, letters and
// numbers.
package level

import (
	"fmt"
	"slices"
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
