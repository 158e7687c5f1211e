package logs

import (
	"bytes"
	"strconv"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// classify reads one line. The result is valid until the next call.
func (t *tracker) classify(b []byte) *head {
	t.head = head{}
	h := &t.head
	n := ascii.SkipSpace(b, 0)
	if n == len(b) {
		h.blank = true
		return h
	}
	h.indented = n > 0
	h.at = n
	b = b[n:]
	if h.indented && t.entry.takes(b[0]) || isContinuation(b) {
		h.continues, h.announces = true, announcesTrace(b)
		h.level = continuingPhrase.level(b)
		h.frame = isFrame(b)
		h.framed = h.frame || isContinuation(b) || isExcerpt(b)
		return h
	}
	rest := h.unwrap(b)
	if len(rest) < len(b) {
		t.inner(rest, h)
	} else {
		t.message(b, h)
	}
	return h
}

// inner reads the line inside a wrapper. Its level, and its timestamp if that
// is fuller, take precedence over the wrapper's.
func (t *tracker) inner(b []byte, h *head) {
	n := ascii.SkipSpace(b, 0)
	if n == len(b) {
		h.blank = h.wrapped
		return
	}
	h.at += n
	if isContinuation(b[n:]) {
		h.continues, h.announces = true, announcesTrace(b[n:])
		h.level = continuingPhrase.level(b[n:])
		h.frame = isFrame(b[n:])
		return
	}
	h.indented = h.wrapped && n > 0
	level, outer := h.level, h.stamp
	h.level, h.stamp = LevelNone, stamp.Stamp{}
	t.message(b[n:], h)
	if h.level == LevelNone {
		h.level = level
	}
	h.named = h.stamp.Named
	if outer.Fullness() >= h.stamp.Fullness() {
		h.stamp = outer
	}
}

// unwrap removes what other programs put before a program's own line, and
// returns that line. It notes what the line contains. Wrappers may be nested.
func (h *head) unwrap(b []byte) []byte {
	for range 4 {
		h.leadLen, h.holds = 0, anything
		if len(b) == 0 {
			return b
		}
		n := h.wrapperLen(b)
		if n == 0 {
			return b
		}
		b = b[n:]
		h.at += n
	}
	return b
}

// wrapperLen returns the length of the wrapper that b starts with, or 0.
func (h *head) wrapperLen(b []byte) int {
	if ascii.IsDigit(b[0]) || maybeNamedStamp(b) {
		h.leadLen = stamp.Parse(b, &h.lead)
	}
	if h.leadLen == 0 && len(b) <= maxGlance {
		h.holds = contentsOf(b)
	}
	wrappers := byFirst[b[0]].unwrap
	for _, f := range wrappers {
		if row := &formats[f]; h.holds&row.needs != 0 {
			if n := row.unwrap(h, b); n > 0 {
				return n
			}
		}
	}
	return 0
}

// wrap notes that the first n bytes of b, or all if there are fewer, are a
// wrapper, and returns their number. The outermost wrapper determines the
// format.
func (h *head) wrap(f format, b []byte, n int) int {
	if h.format == formatNone {
		h.format = f
	}
	h.wrapped = true
	return min(n, len(b))
}

// priority reads <PRI> of RFC 3164, and the whole header of RFC 5424.
func (h *head) priority(b []byte) int {
	n := ascii.Digits(b[1:min(len(b), 5)])
	if n == 0 || n > 3 || n+2 >= len(b) || b[n+1] != '>' || ascii.Number(b[1:1+n]) > 191 {
		return 0
	}
	h.level = level.Syslog(ascii.Number(b[1:1+n]) & 7)
	h.strong = true
	h.format = formatSyslog3164
	i := n + 2
	if !ascii.IsDigit(b[i]) || i+2 >= len(b) || b[i+1] != ' ' {
		return i
	}
	h.format = formatSyslog5424
	i += 2
	h.readStamp(b, i)
	for range 5 {
		n := bytes.IndexByte(b[i:], ' ')
		if n < 0 {
			return len(b)
		}
		i += n + 1
	}
	return structuredData(b, i)
}

// structuredData skips the structured data of RFC 5424, section 6.3, at i.
func structuredData(b []byte, i int) int {
	if ascii.At(b, i) == '-' {
		return min(i+2, len(b))
	}
	for i < len(b) && b[i] == '[' {
		for i < len(b) && b[i] != ']' {
			switch b[i] {
			case '"':
				i = stringEnd(b, i+1)
			case '\\':
				i++
			}
			i++
		}
		i++
	}
	return min(ascii.SkipSpace(b, min(i, len(b))), len(b))
}

// gitHub reads the time that GitHub Actions puts before each line, with seven
// fractional digits. GitHub's command line puts the job, the step and tabs
// before it.
func (h *head) gitHub(b []byte) int {
	if h.leadLen > 0 {
		return h.gitHubTime(b, 0, h.leadLen, &h.lead)
	}
	start := jobColumns(b)
	if start == 0 {
		return 0
	}
	var s stamp.Stamp
	n := stamp.Parse(b[start:], &s)
	s.Shift(start)
	return h.gitHubTime(b, start, n, &s)
}

// gitHubTime takes the timestamp of n bytes at start if it has the form of
// GitHub Actions. It returns the start of the line after it, or 0.
func (h *head) gitHubTime(b []byte, start, n int, s *stamp.Stamp) int {
	end := start + n
	if n != 28 || b[start+19] != '.' || b[end-1] != 'Z' || end < len(b) && b[end] != ' ' {
		return 0
	}
	h.takeFuller(s)
	return h.wrap(formatGitHub, b, end+1)
}

// jobColumns returns the length of two columns that end in tabs, and of a byte
// order mark after them, or 0.
func jobColumns(b []byte) int {
	job := bytes.IndexByte(b[:min(len(b), maxHead)], '\t') + 1
	if job == 0 {
		return 0
	}
	step := bytes.IndexByte(b[job:min(len(b), job+maxHead)], '\t') + 1
	if step == 0 {
		return 0
	}
	end := job + step
	return len(b) - len(bytes.TrimPrefix(b[end:], []byte(byteOrderMark)))
}

// runtimeInterface reads the time and "stdout F " of the Container Runtime
// Interface.
func (h *head) runtimeInterface(b []byte) int {
	n := h.leadLen
	if h.lead.Month == 0 || n+8 >= len(b) || n == 0 || b[n] != ' ' {
		return 0
	}
	tag := b[n+1:]
	if stream := string(tag[:6]); stream != "stdout" && stream != "stderr" {
		return 0
	}
	if tag[6] != ' ' || len(tag) < 8 || tag[7] != 'F' && tag[7] != 'P' || len(tag) > 8 && tag[8] != ' ' {
		return 0
	}
	h.takeFuller(&h.lead)
	return h.wrap(formatCRI, b, n+10)
}

// jenkins reads the clock and two blanks that Jenkins puts before each line of a
// build.
func (h *head) jenkins(b []byte) int {
	n := h.leadLen
	if n != len("15:04:05") || h.lead.Month != 0 || !hasPrefix(b[n:], "  ") && n < len(b) {
		return 0
	}
	h.takeFuller(&h.lead)
	return h.wrap(formatJenkins, b, n+2)
}

// syslog reads the host and "program[123]: " after a timestamp. The number may
// be missing only after a timestamp of RFC 3164.
func (h *head) syslog(b []byte) int {
	n := h.leadLen
	if n == 0 || h.lead.Month == 0 || n+1 >= len(b) || b[n] != ' ' {
		return 0
	}
	m := programTag(b[n+1:], h.lead.Year == 0 && ascii.IsLetter(b[0]))
	if m == 0 {
		return 0
	}
	h.takeFuller(&h.lead)
	h.strong = true
	if facility, severity, ok := bytes.Cut(b[n+1:n+1+hostLen(b[n+1:])], []byte(".")); ok && isFacility(facility) {
		h.level = level.Of(severity).Level // OpenWrt
	}
	if h.format == formatNone {
		h.format = formatSyslog3164
	}
	return n + 1 + m
}

// isFacility reports whether b is a syslog facility, which OpenWrt and Solaris
// write before the severity: daemon.err.
func isFacility(b []byte) bool {
	switch string(b) {
	case "kern", "user", "mail", "daemon", "auth", "authpriv", "syslog", "lpr", "news", "uucp", "cron", "ftp",
		"local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7":
		return true
	}
	return false
}

// programTag returns the length of the host and the program, or 0.
func programTag(b []byte, bsd bool) int {
	host := hostLen(b)
	if host == 0 || host+2 >= len(b) || b[host] != ' ' {
		return 0
	}
	if bsd && b[host-1] == ':' && !isLevelColon(b[:host]) {
		return host + 1
	}
	start := ascii.SkipSpace(b, host)
	n, numbered := programName(b[start:])
	i := start + n
	switch {
	case n == 0 || ascii.At(b, i) != ':' || ascii.At(b, i+1) != ' ':
		return 0
	case !numbered && (!bsd || isLevelColon(b[start:i+1])):
		return 0
	}
	return i + 2
}

// programName returns the length of "program[123]" or "program", and whether it
// has a number.
func programName(b []byte) (n int, numbered bool) {
	for n < len(b) && n < 128 && b[n] != ' ' && b[n] != ':' && b[n] != '[' {
		n++
	}
	if n == 0 || b[0] == '-' || b[0] == '(' || b[0] == '<' {
		return 0, false
	}
	if ascii.At(b, n) != '[' {
		return n, false
	}
	end := bytes.IndexByte(b[n:min(len(b), n+32)], ']')
	if end < 2 {
		return 0, false
	}
	return n + end + 1, ascii.IsDigit(b[n+1])
}

// hostLen returns the length of what may be a host name.
func hostLen(b []byte) int {
	i := 0
	for i < len(b) && i < 256 && b[i] != ' ' {
		switch b[i] {
		case '[', ']', '(', '<', '|', '"', '=', '{', ',':
			return 0
		}
		i++
	}
	return i
}

// isLevelColon reports whether b is the name of a level and a colon.
func isLevelColon(b []byte) bool {
	return level.Of(b[:len(b)-1]).Level != LevelNone
}

// compose reads "name-1  | " of Docker Compose and its relatives, and
// "[workflow/job]   | " of those that run jobs.
func (h *head) compose(b []byte) int {
	i := 0
	if b[0] == '[' {
		i = bytes.IndexByte(b[:min(len(b), 80)], ']') + 1
		if bytes.IndexByte(b[:i], '/') < 0 {
			return 0
		}
	}
	for i < len(b) && i < 80 && isNameByte(b[i]) {
		i++
	}
	name := b[:i]
	for i < len(b) && i < 100 && b[i] == ' ' {
		i++
	}
	if i == len(name) || ascii.At(b, i) != '|' || i+1 < len(b) && b[i+1] != ' ' {
		return 0
	}
	if level.Of(name).Level != LevelNone || ascii.Digits(name) == len(name) {
		return 0
	}
	return h.wrap(formatCompose, b, i+2)
}

// isNameByte reports whether c may occur in the name of a service or a program.
func isNameByte(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' || c == '_' || c == '.'
}

// buildKit reads "#18 0.886 ", which precedes the output of a step in the build
// of a container image.
func (h *head) buildKit(b []byte) int {
	n := 1 + ascii.Digits(b[1:min(len(b), 8)])
	if n == 1 || ascii.At(b, n) != ' ' {
		return 0
	}
	point := n + 1 + ascii.Digits(b[n+1:])
	if ascii.At(b, point) != '.' {
		return 0
	}
	end := point + 1 + ascii.Digits(b[point+1:])
	if end < len(b) && b[end] != ' ' {
		return 0
	}
	return h.wrap(formatBuildKit, b, end+1)
}

// kubectl reads "[pod/name/container] " before each line.
func (h *head) kubectl(b []byte) int {
	if !hasPrefix(b, "[pod/") {
		return 0
	}
	n := bytes.IndexByte(b[:min(len(b), 200)], ']')
	if n < 0 || n+1 < len(b) && b[n+1] != ' ' {
		return 0
	}
	return h.wrap(formatKubectl, b, n+2)
}

// airflow reads "[time] {file:line} LEVEL - " before each line of a task.
func (h *head) airflow(b []byte) int {
	var s stamp.Stamp
	n := stamp.Parse(b[1:], &s)
	if n == 0 || !hasPrefix(b[n+1:], "] {") {
		return 0
	}
	i := n + 4
	end := bytes.Index(b[i:min(len(b), maxHead)], []byte("} "))
	if end < 0 {
		return 0
	}
	i += end + 2
	m := ascii.Letters(b[i:])
	level := level.Of(b[i : i+m]).Level
	if level == LevelNone || !hasPrefix(b[i+m:], " - ") {
		return 0
	}
	s.Shift(1)
	h.takeFuller(&s)
	h.level, h.strong, h.format = level, true, formatAirflow
	return i + m + 3
}

// maxUnescaped is the maximum number of bytes of a wrapped line that are
// examined.
const maxUnescaped = 8 << 10

// unescape appends the start of the JSON string v to dst, with its escapes
// resolved and line ends replaced by blanks.
func unescape(dst, v []byte) []byte {
	for i := 0; i < len(v) && len(dst) < maxUnescaped; i++ {
		if v[i] != '\\' || i+1 >= len(v) {
			dst = append(dst, v[i])
			continue
		}
		i++
		switch c := v[i]; c {
		case 't':
			dst = append(dst, '\t')
		case 'n', 'r':
			dst = append(dst, ' ')
		case 'u':
			code, err := strconv.ParseUint(string(v[min(i+1, len(v)):min(i+5, len(v))]), 16, 16)
			if i += 4; err == nil && code < 0x100 {
				dst = append(dst, byte(code))
			}
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
