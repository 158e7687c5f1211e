package logs

import "bytes"

// letterCase tells how a run of letters is written.
type letterCase uint8

const (
	mixedCase letterCase = iota
	upperCase
	lowerCase
	titleCase
)

// levelWord is what a word in a level's place means.
type levelWord struct {
	level Level
	// ambiguous words mean a level only where nothing else can stand, since they
	// are words of messages too: LOG, NOTE, CONFIG, FINE.
	ambiguous bool
}

const maxLevelWord = len("informational")

// lookUp returns the level that a word names in any case, or LevelNone.
func lookUp(w []byte) levelWord {
	if len(w) < 3 || len(w) > maxLevelWord {
		return levelWord{}
	}
	var buf [maxLevelWord]byte
	for i, c := range w {
		buf[i] = c | 0x20
	}
	switch string(buf[:len(w)]) {
	case "fatal", "crit", "critical", "emerg", "emergency", "dpanic", "fata", "fatl", "ftl", "crt", "pani":
		return levelWord{level: LevelFatal}
	case "alert", "panic", "fault":
		return levelWord{LevelFatal, true}
	case "error", "err", "erro", "eror", "severe":
		return levelWord{level: LevelError}
	case "fail", "failure", "failed":
		return levelWord{LevelError, true}
	case "warning", "warn", "wrn", "warni":
		return levelWord{level: LevelWarning}
	case "info", "inf", "inform", "information", "informational", "notice":
		return levelWord{level: LevelInfo}
	case "note", "system", "log", "config", "noti":
		return levelWord{LevelInfo, true}
	case "debug", "dbg", "dbug", "debu", "debg":
		return levelWord{level: LevelDebug}
	case "fine":
		return levelWord{LevelDebug, true}
	case "trace", "trc", "trce", "trac", "verbose", "vrb", "finer", "finest":
		return levelWord{level: LevelTrace}
	case "silly":
		return levelWord{LevelTrace, true}
	}
	return levelWord{}
}

// letterLevel returns the level of a single letter in a level's place.
func letterLevel(c byte) Level {
	switch c {
	case 'F', 'C', 'A':
		return LevelFatal
	case 'E':
		return LevelError
	case 'W':
		return LevelWarning
	case 'I', 'N':
		return LevelInfo
	case 'D':
		return LevelDebug
	case 'T', 'V':
		return LevelTrace
	}
	return LevelNone
}

// syslogLevel returns the level of a severity of RFC 5424, section 6.2.1.
func syslogLevel(severity int) Level {
	switch {
	case severity < 0 || severity > 7:
		return LevelNone
	case severity <= 2:
		return LevelFatal
	case severity == 3:
		return LevelError
	case severity == 4:
		return LevelWarning
	case severity <= 6:
		return LevelInfo
	}
	return LevelDebug
}

// pinoLevel returns the level of a number as pino and bunyan write it: 10 is
// trace, 60 is fatal.
func pinoLevel(n int) Level {
	if n < 10 || n > 60 {
		return LevelNone
	}
	return LevelTrace + Level(n/10-1)
}

// valueLevel returns the level that the value of a level field names: a word
// in any case, perhaps with an offset as log/slog writes it (ERROR+2).
func valueLevel(v []byte) Level {
	for len(v) > 0 && (v[0] == ' ' || v[0] == '[') {
		v = v[1:]
	}
	if bytes.HasPrefix(v, []byte(`\u001b[`)) {
		v = v[bytes.IndexByte(v, 'm')+1:]
	}
	n := letters(v)
	if len(v) == 1 {
		return letterLevel(v[0])
	}
	if n < len(v) && (v[n] == '_' || v[n] == '.' || v[n] == '/') {
		return LevelNone
	}
	return lookUp(v[:n]).level
}

// letters returns the length of the run of ASCII letters at the start of b.
func letters(b []byte) int {
	for i, c := range b {
		if !isLetter(c) {
			return i
		}
	}
	return len(b)
}

func caseOf(w []byte) letterCase {
	upper := 0
	for _, c := range w {
		if c < 'a' {
			upper++
		}
	}
	switch {
	case upper == len(w):
		return upperCase
	case upper == 0:
		return lowerCase
	case upper == 1 && w[0] < 'a':
		return titleCase
	}
	return mixedCase
}

func isLetter(c byte) bool      { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool       { return c >= '0' && c <= '9' }
func isLowerLetter(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool       { return c >= 'A' && c <= 'Z' }
func isSpace(c byte) bool       { return c == ' ' || c == '\t' }
