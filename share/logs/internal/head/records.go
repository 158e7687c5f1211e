package head

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// jsonScan scans JSON without validating it: it tracks strings and brackets,
// and keeps the outermost level and timestamp. Its state carries over from line
// to line, for values that span several lines. Depth is a counter, so that
// nesting costs no memory.
type jsonScan struct {
	depth     int
	inLog     bool // the last object at the outermost depth is log, of the Elastic Common Schema
	level     level.Level
	levelRank int
	short     level.Level // MongoDB's s, which counts only if c follows
	syslog    level.Level // of a number from 0 to 7, which counts only in GELF
	stamp     stamp.Stamp
	stampRank int
	seen      Key    // keys at the outermost depth, and the form of the level
	log       []byte // the line that Docker's json-file driver wraps
	textAt    int    // offset of the message in the line
	textEnd   int
}

// A lower rank counts more: each depth adds depthRank.
const (
	weakRank  = 3 * depthRank
	depthRank = 8
)

// scan reads one line and reports whether the value ends in it.
func (j *jsonScan) scan(b []byte) bool {
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = j.member(b, i)
			continue
		case '{', '[':
			j.depth++
		case '}', ']':
			if j.depth--; j.depth <= 0 {
				j.depth = 0
				return true
			}
		}
		i++
	}
	return false
}

// member reads the string that starts at i and, if it is a key, its value. It
// returns the index at which to continue.
func (j *jsonScan) member(b []byte, i int) int {
	end := stringEnd(b, i+1)
	k := KeyOf(b[i+1 : end])
	i = ascii.SkipSpace(b, min(end+1, len(b)))
	if ascii.At(b, i) != ':' {
		return i
	}
	i = ascii.SkipSpace(b, i+1)
	if j.depth == 1 {
		j.seen |= k
	}
	switch c := ascii.At(b, i); {
	case c == '"':
		end := stringEnd(b, i+1)
		j.value(k, b[i+1:end], i+1)
		return min(end+1, len(b))
	case ascii.IsDigit(c):
		j.value(k, b[i:], i)
		return i + 1
	case c == '{' && j.depth == 1:
		j.inLog = k&keyLog != 0
	}
	return i
}

// value handles the value of key k: the text v of a string at an offset in the
// line, or what starts with a number.
func (j *jsonScan) value(k Key, v []byte, at int) {
	digits := ascii.Digits(v[:min(len(v), 20)])
	switch {
	case j.depth == 1 && k&(keyLog|keyMessage) != 0:
		j.textAt, j.textEnd = at, at+len(v)
		if k&keyLog != 0 {
			j.log = v
		}
	case k&(keyTime|keySomeTime|keyDate) != 0:
		j.setStamp(k, v, at)
	case k&keyLogLevel != 0:
		j.setLevel(level.Value(v), 0)
	case digits == 1 || digits == 2:
		j.levelNumber(k, ascii.Number(v[:digits]), digits)
	case digits == 0 && k&(keyLevel|keyPriority) != 0:
		j.levelName(v)
	case j.depth > 1 || digits > 0:
	case k&keyShort != 0:
		j.short = level.Value(v)
	case k&keyC != 0:
		j.setLevel(j.short, 1) // MongoDB
	case k&keyType != 0 && level.Value(v) >= level.Warning:
		j.setLevel(level.Value(v), weakRank)
	}
}

// levelNumber handles a number of one or two digits.
func (j *jsonScan) levelNumber(k Key, number, digits int) {
	switch {
	case k&keyPriority != 0 && digits == 1:
		j.setLevel(level.Syslog[number], 1)
	case k&keyNumber != 0 && number >= 1 && number <= 24:
		j.setLevel(level.Trace+level.Level((number-1)/4), 2)
	case k&keyLevel == 0 || j.depth != 1:
	case digits == 2:
		j.setLevel(level.Tens[number/10], 2)
		j.seen |= keyTens
	default:
		j.syslog = level.Syslog[number]
	}
}

// levelName handles the name of a level.
func (j *jsonScan) levelName(v []byte) {
	rank := 1
	if j.inLog && j.depth == 2 {
		rank, j.seen = 0, j.seen|keyLogLevel
	}
	j.setLevel(level.Value(v), rank)
	if j.seen &^= keyCapitals; ascii.IsUpper(ascii.At(v, 1)) {
		j.seen |= keyCapitals
	}
}

func (j *jsonScan) setLevel(l level.Level, rank int) {
	rank += j.depth * depthRank
	if l != level.None && (j.level == level.None || rank < j.levelRank) {
		j.level, j.levelRank = l, rank
	}
}

func (j *jsonScan) setStamp(k Key, v []byte, at int) {
	rank := j.depth*depthRank + ascii.If(k&keyTime == 0, 1)
	var s stamp.Stamp
	if (!j.stamp.OK || rank < j.stampRank) && stamp.Parse(v, &s) > 0 && s.HasDate() {
		s.Shift(at)
		j.stamp, j.stampRank = s, rank
	}
}

// outcome returns the level of the whole record.
func (j *jsonScan) outcome() level.Level {
	return cmp.Or(j.level, ascii.If(j.seen&keyGELF != 0, j.syslog))
}

// format returns the format of a JSON value that is on one line.
func (j *jsonScan) format() Format {
	for _, rule := range jsonRules {
		if j.seen&rule.keys == rule.keys {
			return rule.format
		}
	}
	return formatJSONLines
}

// maxUnescaped is the maximum number of bytes of a wrapped line that are
// examined.
const maxUnescaped = 8 << 10

// unescape appends the start of the JSON string v to dst, with its escapes
// resolved and line ends replaced by blanks.
func unescape(dst, v []byte) []byte {
	for i := 0; i < len(v) && len(dst) < maxUnescaped; i++ {
		c := v[i]
		if c == '\\' && i+1 < len(v) {
			i++
			switch c = v[i]; c {
			case 't':
				c = '\t'
			case 'n', 'r':
				c = ' '
			case 'u':
				code, _ := strconv.ParseUint(string(v[min(i+1, len(v)):min(i+5, len(v))]), 16, 16)
				c, i = byte(min(code, 0xff)), i+4
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// stringEnd returns the index of the quote that ends the string whose text
// starts at i, or len(b).
func stringEnd(b []byte, i int) int {
	for n := 0; n >= 0 && i < len(b); i += n + 1 {
		n = bytes.IndexByte(b[i:], '"')
		if end := i + n; n >= 0 && (end-len(bytes.TrimRight(b[:end], `\`)))%2 == 0 { // an even number of backslashes
			return end
		}
	}
	return len(b)
}

// pairKey returns the length of the key of a logfmt pair at the start of b,
// the equals sign excluded, or 0.
func pairKey(b []byte) int {
	for i, c := range b {
		if !ascii.IsLetter(c) && c != '_' && c != '@' && (i == 0 || !ascii.IsDigit(c) && c != '.' && c != '-') {
			return ascii.If(c == '=', i)
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
	if ascii.At(v, 0) == '"' {
		v = bytes.Trim(v, `"`)
		at, rest = at+1, v
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
