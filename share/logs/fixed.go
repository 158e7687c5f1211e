package logs

import "bytes"

// fixed reads the layouts that say their level with one letter or sign in a
// fixed column. It returns false for any other line.
func (h *head) fixed(b []byte) bool {
	switch c := b[0]; {
	case isUpper(c) && len(b) > 3:
		return h.glog(b) || h.ruby(b) || h.brief(b)
	case isDigit(c) || c == '[':
		return h.redis(b)
	}
	return false
}

// glog reads Lmmdd hh:mm:ss.uuuuuu of glog and klog, and Lyymmdd of CockroachDB.
func (h *head) glog(b []byte) bool {
	n := digits(b[1:min(len(b), 9)])
	if (n != 4 && n != 6) || n+9 > len(b) || b[n+1] != ' ' {
		return false
	}
	var s stamp
	date := b[1 : 1+n]
	if n == 6 && !setDate(&s, 2000+num(date[:2]), num(date[2:4]), num(date[4:])) ||
		n == 4 && !setDate(&s, 0, num(date[:2]), num(date[2:])) {
		return false
	}
	level := letterLevel(b[0])
	end := parseClock(b, n+2, &s)
	if level == LevelNone || end == 0 {
		return false
	}
	s.ok, s.start, s.end = true, 1, end
	h.setStamp(s)
	h.level, h.strong, h.format = level, true, formatGlog
	return true
}

// ruby reads "E, [2024-05-01T10:00:00.123456 #123] ERROR -- : …" of Ruby's
// Logger, "E [01/May/2024:10:00:00 +0000] …" of CUPS, and "W: …" of apt.
func (h *head) ruby(b []byte) bool {
	level := letterLevel(b[0])
	if level == LevelNone || len(b) < 5 {
		return false
	}
	if b[1] == ':' && b[2] == ' ' && b[0] != 'A' && b[0] != 'C' && b[0] != 'F' && b[0] != 'T' && b[0] != 'V' {
		h.level = level
		return true
	}
	i := 1
	if b[1] == ',' {
		i = 2
	}
	var s stamp
	if b[i] != ' ' || b[i+1] != '[' || parseStamp(b[i+2:], &s) == 0 {
		return false
	}
	s.shift(i + 2)
	h.setStamp(s)
	h.level, h.strong, h.format = level, true, formatRuby
	return true
}

// brief reads "E/Tag( 123): …" of Android.
func (h *head) brief(b []byte) bool {
	if b[1] != '/' {
		return false
	}
	n := bytes.IndexByte(b[:min(len(b), 80)], '(')
	if n < 0 {
		return false
	}
	i := skipSpace(b, n+1)
	d := digits(b[i:])
	if d == 0 || i+d+1 >= len(b) || b[i+d] != ')' || b[i+d+1] != ':' {
		return false
	}
	h.level, h.strong, h.format = letterLevel(b[0]), true, formatAndroid
	return h.level != LevelNone
}

// redis reads "123:M 01 May 2024 10:00:00.123 * …" and its forebears.
func (h *head) redis(b []byte) bool {
	i := 0
	if b[0] == '[' {
		n := digits(b[1:])
		if n == 0 || n > 8 || n+3 >= len(b) || b[n+1] != ']' || b[n+2] != ' ' {
			return false
		}
		i = n + 3
	} else if n := digits(b); n > 0 && n < 9 && n+3 < len(b) && b[n] == ':' && isUpper(b[n+1]) && b[n+2] == ' ' {
		i = n + 3
	}
	if i+8 >= len(b) || !isDigit(b[i]) || b[i+2] != ' ' && b[i+1] != ' ' {
		return false
	}
	var s stamp
	n := parseStamp(b[i:], &s)
	if n == 0 || s.month == 0 || i+n+2 >= len(b) || b[i+n] != ' ' || b[i+n+2] != ' ' {
		return false
	}
	switch b[i+n+1] {
	case '-':
		rest := b[i+n+3:]
		if i == 0 && (len(rest) == 0 || rest[0] == '[' || lookUp(rest[:letters(rest)]).level != LevelNone) {
			return false
		}
		h.level = LevelDebug
	case '.':
		h.level = LevelDebug
	case '*':
		h.level = LevelInfo
	case '#':
		h.level = LevelWarning
	default:
		return false
	}
	s.shift(i)
	h.setStamp(s)
	h.strong, h.format = true, formatRedis
	return true
}
