package logs

import "bytes"

// unwrap takes off what something else put before a program's own line, and
// returns that line. Wrappers may be nested.
func (h *head) unwrap(b []byte) []byte {
	for range 4 {
		n := 0
		h.leadLen = 0
		switch {
		case len(b) == 0:
			return b
		case b[0] == '<':
			n = h.priority(b)
		case isLetter(b[0]) || isDigit(b[0]):
			n = h.stampedWrapper(b)
			if n == 0 {
				n = h.compose(b)
			}
		case b[0] == '[':
			n = podPrefix(b)
			h.wrapped = n > 0 || h.wrapped
		}
		if n == 0 {
			return b
		}
		b = b[n:]
		h.at += n
	}
	return b
}

// priority reads <PRI> of RFC 3164, and the whole header of RFC 5424.
func (h *head) priority(b []byte) int {
	n := digits(b[1:min(len(b), 5)])
	if n == 0 || n > 3 || n+2 >= len(b) || b[n+1] != '>' || num(b[1:1+n]) > 191 {
		return 0
	}
	h.level = syslogLevel(num(b[1:1+n]) & 7)
	h.strong = true
	h.format = formatSyslog3164
	i := n + 2
	if !isDigit(b[i]) || i+2 >= len(b) || b[i+1] != ' ' {
		return i
	}
	h.format = formatSyslog5424
	i += 2
	var s stamp
	if parseStamp(b[i:], &s) > 0 {
		s.shift(i)
		h.setStamp(s)
	}
	for range 5 {
		n := bytes.IndexByte(b[i:], ' ')
		if n < 0 {
			return len(b)
		}
		i += n + 1
	}
	return structuredData(b, i)
}

// structuredData steps over the structured data of RFC 5424, section 6.3.
func structuredData(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
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
	return min(skipSpace(b, min(i, len(b))), len(b))
}

// stampedWrapper reads a timestamp with the stream of a container runtime or
// with the host and the program of syslog behind it.
func (h *head) stampedWrapper(b []byte) int {
	if isLetter(b[0]) && !maybeNamedStamp(b) {
		return 0
	}
	s := &h.lead
	n := parseStamp(b, s)
	h.leadLen = n
	if n == 0 || s.month == 0 {
		return 0
	}
	if n == 28 && b[19] == '.' && b[27] == 'Z' && (n == len(b) || b[n] == ' ') {
		h.takeFuller(s)
		h.format, h.wrapped = formatGitHub, true
		return min(n+1, len(b))
	}
	if n+1 >= len(b) || b[n] != ' ' {
		return 0
	}
	rest := b[n+1:]
	if m := streamTag(rest); m > 0 {
		h.takeFuller(s)
		h.format, h.wrapped = formatCRI, true
		return n + 1 + m
	}
	if m := programTag(rest, s.year == 0 && isLetter(b[0])); m > 0 {
		h.takeFuller(s)
		h.strong = true
		if h.format == formatNone {
			h.format = formatSyslog3164
		}
		return n + 1 + m
	}
	return 0
}

// streamTag reads "stdout F " of the Container Runtime Interface.
func streamTag(b []byte) int {
	if len(b) < 8 || string(b[:6]) != "stdout" && string(b[:6]) != "stderr" {
		return 0
	}
	if b[6] != ' ' || b[7] != 'F' && b[7] != 'P' || len(b) > 8 && b[8] != ' ' {
		return 0
	}
	return min(9, len(b))
}

// programTag reads the host and "program[123]: " behind the timestamp of
// syslog. Only behind a timestamp of RFC 3164 the number may be missing.
func programTag(b []byte, bsd bool) int {
	i := 0
	for i < len(b) && i < 256 && b[i] != ' ' {
		switch b[i] {
		case '[', ']', '(', '<', '|', '"', '=', '{', ',':
			return 0
		}
		i++
	}
	if i == 0 || i+2 >= len(b) || b[i] != ' ' {
		return 0
	}
	if bsd && b[i-1] == ':' && !lookUpColon(b[:i]) {
		return i + 1
	}
	i = skipSpace(b, i)
	start := i
	for i < len(b) && i-start < 128 && b[i] != ' ' && b[i] != ':' && b[i] != '[' {
		i++
	}
	if i == start || i >= len(b) || b[start] == '-' || b[start] == '(' || b[start] == '<' {
		return 0
	}
	numbered := false
	if b[i] == '[' {
		n := bytes.IndexByte(b[i:min(len(b), i+32)], ']')
		if n < 2 {
			return 0
		}
		numbered = isDigit(b[i+1])
		i += n + 1
	}
	if i+1 >= len(b) || b[i] != ':' || b[i+1] != ' ' || !bsd && !numbered {
		return 0
	}
	if !numbered && lookUpColon(b[start:i+1]) {
		return 0
	}
	return i + 2
}

// lookUpColon says that b is the word of a level with a colon behind it.
func lookUpColon(b []byte) bool {
	return lookUp(b[:len(b)-1]).level != LevelNone
}

// compose reads "name-1  | " of Docker Compose and its relatives.
func (h *head) compose(b []byte) int {
	i := 0
	for i < len(b) && i < 80 && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '-' || b[i] == '_' || b[i] == '.') {
		i++
	}
	name := b[:i]
	for i < len(b) && i < 100 && b[i] == ' ' {
		i++
	}
	if i == len(name) || i >= len(b) || b[i] != '|' || i+1 < len(b) && b[i+1] != ' ' {
		return 0
	}
	if lookUp(name).level != LevelNone || digits(name) == len(name) {
		return 0
	}
	if h.format == formatNone {
		h.format = formatCompose
	}
	h.wrapped = true
	return min(i+2, len(b))
}

// podPrefix reads "[pod/name/container] " of kubectl.
func podPrefix(b []byte) int {
	if !bytes.HasPrefix(b, []byte("[pod/")) {
		return 0
	}
	n := bytes.IndexByte(b[:min(len(b), 200)], ']')
	if n < 0 || n+1 < len(b) && b[n+1] != ' ' {
		return 0
	}
	return min(n+2, len(b))
}
