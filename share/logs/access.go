package logs

import "bytes"

// An access log states a status instead of a level. A status counts only where
// the grammar around it is that of an access log: a request in quotes with the
// status behind or before it, the bars of gin, the columns of Squid and IIS.

// isMethod reports whether b starts with an HTTP method and a space.
func isMethod(b []byte) bool {
	n := 0
	for n < len(b) && n < 10 && isUpper(b[n]) {
		n++
	}
	return n >= 3 && n <= 9 && n+1 < len(b) && b[n] == ' '
}

// isRequest reports whether the text is the first line of an HTTP request, or, if the
// line has a timestamp, the dash that stands for a missing one.
func isRequest(in []byte, dated bool) bool {
	if !dated {
		return isMethod(in) && bytes.Contains(in, []byte(" HTTP/"))
	}
	if !isMethod(in) {
		return string(in) == "-"
	}
	target := in[bytes.IndexByte(in, ' ')+1]
	return target == '/' || target == '*' || bytes.Contains(in, []byte(" HTTP/"))
}

// access takes the level from the status of a request that stands in quotes
// from start to end, unless the line states a level.
func (w *walk) access(start, end int) {
	if w.h.format == formatNone {
		w.h.format = formatAccess
	}
	w.h.strong = w.h.strong || w.dated
	if w.h.level != LevelNone {
		return
	}
	if end+5 < len(w.line) && w.line[end] == ' ' && isStatus(w.line[end+1:]) {
		w.setStatus(w.line[end+1])
		return
	}
	if n := statusBefore(w.line[:start]); n > 0 {
		w.setStatus(w.line[n])
	}
}

// isStatus reports whether b starts with three digits and a space.
func isStatus(b []byte) bool {
	return len(b) > 3 && digits(b[:4]) == 3 && b[3] == ' ' && b[0] >= '1' && b[0] <= '5'
}

// statusBefore returns the index of the status that load balancers write before
// the request, behind the times that it took, or 0.
func statusBefore(b []byte) int {
	timed := false
	for i := 0; i < len(b); {
		n := bytes.IndexByte(b[i:], ' ')
		if n < 0 {
			return 0
		}
		if timed && isStatus(b[i:]) {
			return i
		}
		timed = isTiming(b[i : i+n])
		i += n + 1
	}
	return 0
}

// isTiming reports whether a field is 0.000073 or 0/0/0/1/1.
func isTiming(f []byte) bool {
	marks := 0
	for _, c := range f {
		switch {
		case c == '/':
			marks++
		case c == '.':
			marks += 3
		case !isDigit(c) && c != '-' && c != '+':
			return false
		}
	}
	return marks == 3 || marks == 4 || marks == 12
}

func (w *walk) setStatus(class byte) {
	w.h.format = formatAccess
	switch class {
	case '5':
		w.h.level, w.h.status = LevelError, true
	case '4':
		w.h.level, w.h.status = LevelWarning, true
	}
}

// barredStatus reads "| 200 | 1.2ms | 192.0.2.7 | GET …" of gin; the status is
// at w.i.
func (w *walk) barredStatus() bool {
	if !w.dated || w.i < 2 || w.b[w.i-2] != '|' || !isStatus(w.b[w.i:]) || w.next(w.i+4) != '|' {
		return false
	}
	rest := w.line[w.i:]
	for {
		n := bytes.Index(rest, []byte("| "))
		if n < 0 {
			return false
		}
		rest = rest[n+2:]
		if isMethod(rest) {
			w.setStatus(w.b[w.i])
			return true
		}
	}
}

// columnStatus reads the access logs that have no quotes: Squid's TCP_MISS/200,
// the columns of IIS and the short form of morgan. The token is at w.i.
func (w *walk) columnStatus(tok []byte) bool {
	i := 0
	switch {
	case w.h.stamp.epoch && isSquid(tok):
		i = w.i + len(tok) - 3
	case !isMethod(w.line[w.i:]) || w.next(w.i+len(tok)+1) != '/':
		return false
	case w.dated && w.prev == prevName:
		i = statusColumn(w.line)
	case w.prev == prevNothing:
		i = morganStatus(w.line, len(tok)+1)
	}
	if i == 0 {
		return false
	}
	w.setStatus(w.line[i])
	w.stop = true
	return true
}

// isSquid reports whether a token is a result code of Squid, TCP_MISS/200.
func isSquid(tok []byte) bool {
	n := bytes.IndexByte(tok, '/')
	return n > 3 && n+4 == len(tok) && isUpper(tok[0]) && digits(tok[n+1:]) == 3 && bytes.IndexByte(tok[:n], '_') > 0
}

// statusColumn returns the index of the status that IIS writes as the fourth
// field from the end, in front of three more numbers, or 0.
func statusColumn(line []byte) int {
	end := len(line)
	for range 4 {
		i := end
		for i > 0 && isDigit(line[i-1]) {
			i--
		}
		if i == end || i == 0 || line[i-1] != ' ' {
			return 0
		}
		end = i - 1
	}
	if !isStatus(line[end+1:]) {
		return 0
	}
	return end + 1
}

// morganStatus returns the index of the status behind the path that starts at
// i, if the time that the request took follows, or 0.
func morganStatus(line []byte, i int) int {
	n := bytes.IndexByte(line[i:], ' ')
	if n < 0 || !isStatus(line[i+n+1:]) {
		return 0
	}
	i += n + 1
	if !bytes.Contains(line[i:min(len(line), i+24)], []byte(" ms")) {
		return 0
	}
	return i
}

// rails reads the first and the last line of a request as Rails logs them.
func (h *head) rails(b []byte) bool {
	switch b[0] {
	case 'S':
		if !hasPrefix(b, "Started ") || !isMethod(b[8:]) {
			return false
		}
		n := bytes.LastIndex(b, []byte(" at "))
		return n >= 0 && h.readStamp(b, n+4) > 0
	case 'C':
		if hasPrefix(b, "Completed ") && isStatus(b[10:]) && bytes.Contains(b, []byte(" in ")) {
			w := walk{h: h}
			w.setStatus(b[10])
			h.format = formatRails
			return true
		}
	}
	return false
}
