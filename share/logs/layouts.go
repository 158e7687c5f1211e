package logs

import "bytes"

// Layouts that say their level with one letter or sign in a fixed column.

// glog reads Lmmdd hh:mm:ss.uuuuuu of glog and klog, Lyymmdd of CockroachDB and
// Lyyyymmdd of glog with a year.
func (h *head) glog(b []byte) bool {
	n := digits(b[1:min(len(b), 11)])
	if n != 4 && n != 6 && n != 8 || n+9 > len(b) || b[n+1] != ' ' {
		return false
	}
	var s stamp
	date := b[1 : 1+n]
	year := num(date[:n-4])
	if n == 6 {
		year += 2000
	}
	if !setDate(&s, year, num(date[n-4:n-2]), num(date[n-2:])) {
		return false
	}
	level := letterLevel(b[0])
	end := parseClock(b, n+2, &s)
	if level == LevelNone || end == 0 {
		return false
	}
	s.ok, s.start, s.end = true, 1, int32(end)
	h.setStamp(s)
	h.level, h.strong = level, true
	return true
}

// ruby reads "E, [2024-05-01T10:00:00.123456 #123] ERROR -- : …" of Ruby's
// Logger, and "E [01/May/2024:10:00:00 +0000] …" of CUPS.
func (h *head) ruby(b []byte) bool {
	level := letterLevel(b[0])
	if level == LevelNone || len(b) < 5 {
		return false
	}
	i := 1
	if b[1] == ',' {
		i = 2
	}
	if b[i] != ' ' || b[i+1] != '[' || h.readStamp(b, i+2) == 0 {
		return false
	}
	h.level, h.strong = level, true
	return true
}

// maxTag is how long a tag of Android may be.
const maxTag = 80

// brief reads "E/Tag( 123): …" of Android, whose tag may be padded, and
// "E/Tag: …".
func (h *head) brief(b []byte) bool {
	if len(b) < 4 || b[1] != '/' || !isLetter(b[2]) || letterLevel(b[0]) == LevelNone {
		return false
	}
	end := bytes.IndexByte(b[:min(len(b), maxTag)], ':')
	if end < 0 || at(b, end+1) != ' ' && end+1 != len(b) {
		return false
	}
	tag := b[2:end]
	if n := bytes.LastIndexByte(tag, '('); n > 0 {
		process := bytes.TrimLeft(tag[n+1:], " ")
		if d := digits(process); d == 0 || d+1 != len(process) || process[d] != ')' {
			return false
		}
	} else if bytes.IndexByte(bytes.TrimRight(tag, " "), ' ') >= 0 || bytes.IndexByte(tag, '/') >= 0 {
		return false
	}
	h.level, h.strong = letterLevel(b[0]), true
	return true
}

// espIDF reads "E (1234) wifi: …" of ESP-IDF, in which milliseconds since the
// start or a clock stand in parentheses.
func (h *head) espIDF(b []byte) bool {
	if len(b) < 8 || b[1] != ' ' || b[2] != '(' || !isDigit(b[3]) {
		return false
	}
	end := bytes.IndexByte(b[:min(len(b), 24)], ')')
	if end < 0 || at(b, end+1) != ' ' {
		return false
	}
	if len(bytes.Trim(b[3:end], "0123456789:.")) > 0 || !isLetter(at(b, end+2)) {
		return false
	}
	h.level, h.strong = letterLevel(b[0]), true
	return h.level != LevelNone
}

// redis reads "123:M 01 May 2024 10:00:00.123 * …" and its forebears.
func (h *head) redis(b []byte) bool {
	i := redisProcess(b)
	if i+8 >= len(b) || !isDigit(b[i]) || b[i+2] != ' ' && b[i+1] != ' ' {
		return false
	}
	var s stamp
	n := parseStamp(b[i:], &s)
	if n == 0 || s.month == 0 || i+n+2 >= len(b) || b[i+n] != ' ' || b[i+n+2] != ' ' {
		return false
	}
	level := redisLevels[b[i+n+1]]
	if b[i+n+1] == '-' {
		rest := b[i+n+3:]
		if i == 0 && (len(rest) == 0 || rest[0] == '[' || lookUp(rest[:letters(rest)]).level != LevelNone) {
			return false
		}
	}
	if level == LevelNone {
		return false
	}
	s.shift(i)
	h.setStamp(s)
	h.level, h.strong = level, true
	return true
}

// redisProcess returns the length of "[123] " or "123:M " before the time.
func redisProcess(b []byte) int {
	if b[0] == '[' {
		if n := digits(b[1:]); n > 0 && n <= 8 && at(b, n+1) == ']' && at(b, n+2) == ' ' {
			return n + 3
		}
		return len(b)
	}
	if n := digits(b); n > 0 && n < 9 && at(b, n) == ':' && isUpper(at(b, n+1)) && at(b, n+2) == ' ' {
		return n + 3
	}
	return 0
}

// redisLevels are the levels of the signs of Redis.
var redisLevels = [256]Level{'-': LevelDebug, '.': LevelDebug, '*': LevelInfo, '#': LevelWarning}

// pairKey returns the length of the key of a logfmt pair at the start of b,
// the equals sign excluded, or 0.
func pairKey(b []byte) int {
	for i, c := range b {
		switch {
		case isLetter(c) || c == '_' || c == '@':
		case isDigit(c) || c == '.' || c == '-':
			if i == 0 {
				return 0
			}
		case c == '=':
			return i
		default:
			return 0
		}
	}
	return 0
}

// logfmt reads pairs of key and value, which start at a place of the text, and returns how many there are, with the
// level and the timestamp that they state. It reads on over words that are not
// pairs, and never into quotes.
func logfmt(b []byte, at int, h *head) int {
	pairs := 0
	for i := 0; i < len(b); {
		n := pairKey(b[i:])
		if n == 0 {
			i = skipFieldSpace(b, valueEnd(b, i))
			continue
		}
		pairs++
		end := valueEnd(b, i+n+1)
		h.pair(b[i:i+n], b[i+n+1:], end-(i+n+1), at+i+n+1)
		if h.level != LevelNone && h.stamp.ok {
			return pairs
		}
		i = skipFieldSpace(b, end)
	}
	return pairs
}

// pair takes one pair whose value is the first n bytes of rest, which stands at
// a place of the text.
func (h *head) pair(key, rest []byte, n, at int) {
	v := rest[:n]
	if n > 0 && v[0] == '"' {
		at += n - len(bytes.TrimLeft(v, `"`))
		v = bytes.Trim(v, `"`)
		rest = v
	}
	k := jsonKeyOf(key)
	switch {
	case h.level == LevelNone && (k&(keyLevel|keyLogLevel) != 0 || string(key) == "at"):
		h.level = valueLevel(v)
	case k&keyTime != 0 && isStampStart(v):
		h.fullerStamp(rest, at)
	case string(key) == "date" && n == 10:
		h.splitStamp(rest, at)
	}
}

// fullerStamp takes the timestamp that a value starts with. The value may hold
// a blank, which ends a value of logfmt but not a timestamp.
func (h *head) fullerStamp(v []byte, at int) {
	var s stamp
	if parseStamp(v, &s) > 0 {
		s.shift(at)
		h.takeFuller(&s)
	}
}

// splitStamp reads "2024-05-01 time=10:00:00", as firewalls write it.
func (h *head) splitStamp(rest []byte, at int) {
	var buf [32]byte
	const clock = len("2024-05-01 time=")
	if len(rest) < clock+8 || string(rest[10:clock]) != " time=" {
		return
	}
	n := copy(buf[:], rest[:10])
	n += copy(buf[n:], " ")
	n += copy(buf[n:n+8], rest[clock:])
	var s stamp
	if parseStamp(buf[:n], &s) == n {
		s.start, s.end = int32(at), int32(at+clock+8)
		h.takeFuller(&s)
	}
}

func isStampStart(b []byte) bool {
	return len(b) > 0 && (isDigit(b[0]) || isLetter(b[0]))
}

// valueEnd returns where the value that starts at i ends.
func valueEnd(b []byte, i int) int {
	if i < len(b) && b[i] == '"' {
		return min(stringEnd(b, i+1)+1, len(b))
	}
	for i < len(b) && b[i] != ' ' && b[i] != '\t' && b[i] != ',' {
		i++
	}
	return i
}

func skipFieldSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == ',') {
		i++
	}
	return i
}
