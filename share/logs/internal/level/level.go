// Package level knows the names that loggers give to levels: words, letters and
// numbers.
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

// MarshalText returns the text of [Level.String], so that a level is a string
// in JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText parses the text of [Level.MarshalText].
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("logs: no level: %q", text)
	}
	*l = Level(i)
	return nil
}

// Meaning is the meaning of a word in the place of a level.
type Meaning struct {
	Level Level
	// Ambiguous words state a level only where nothing else can appear,
	// because messages use them too: LOG, NOTE, CONFIG, FINE.
	Ambiguous bool
}

// MaxWord is the length of the longest word for a level.
const MaxWord = len("informational")

// Of returns the level that a word names in any case, or None.
func Of(w []byte) Meaning {
	if len(w) < 3 || len(w) > MaxWord {
		return Meaning{}
	}
	var buf [MaxWord]byte
	for i, c := range w {
		buf[i] = c | 0x20
	}
	switch string(buf[:len(w)]) {
	case "fatal", "crit", "critical", "emerg", "emergency", "dpanic", "fata", "fatl", "ftl", "crt", "pani":
		return Meaning{Level: Fatal}
	case "alert", "panic", "fault":
		return Meaning{Fatal, true}
	case "error", "err", "erro", "eror", "severe":
		return Meaning{Level: Error}
	case "fail", "failure", "failed":
		return Meaning{Error, true}
	case "warning", "warn", "wrn", "warni":
		return Meaning{Level: Warning}
	case "info", "inf", "inform", "information", "informational", "notice":
		return Meaning{Level: Info}
	case "note", "system", "log", "config", "noti":
		return Meaning{Info, true}
	case "debug", "dbg", "dbug", "debu", "debg":
		return Meaning{Level: Debug}
	case "fine":
		return Meaning{Debug, true}
	case "trace", "trc", "trce", "trac", "verbose", "vrb", "finer", "finest":
		return Meaning{Level: Trace}
	case "silly":
		return Meaning{Trace, true}
	}
	return Meaning{}
}

// Letter maps a single letter in the place of a level to the level.
var Letter = [256]Level{
	'F': Fatal, 'C': Fatal, 'A': Fatal, 'E': Error, 'W': Warning,
	'I': Info, 'N': Info, 'D': Debug, 'T': Trace, 'V': Trace,
}

// severities maps the severities of RFC 5424, section 6.2.1, to levels.
var severities = [...]Level{Fatal, Fatal, Fatal, Error, Warning, Info, Info, Debug}

// Syslog returns the level of a severity, or None for any other
// number.
func Syslog(severity int) Level {
	if severity < 0 || severity >= len(severities) {
		return None
	}
	return severities[severity]
}

// Tens returns the level of a number in the scale of pino and bunyan, from
// 10 (trace) to 60 (fatal).
func Tens(n int) Level {
	if n < 10 || n > 60 {
		return None
	}
	return Trace + Level(n/10-1)
}

// Value returns the level that the value of a level field names: a single
// letter or a word in any case. It ignores an offset as log/slog writes it
// (ERROR+2).
func Value(v []byte) Level {
	for len(v) > 0 && (v[0] == ' ' || v[0] == '[') {
		v = v[1:]
	}
	if bytes.HasPrefix(v, []byte(`\u001b[`)) {
		v = v[bytes.IndexByte(v, 'm')+1:]
	}
	n := ascii.Letters(v)
	if len(v) == 1 {
		return Letter[v[0]]
	}
	if n < len(v) && (v[n] == '_' || v[n] == '.' || v[n] == '/') {
		return None
	}
	return Of(v[:n]).Level
}
