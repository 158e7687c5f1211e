package logs

import "bytes"

// Some formats state the level of an entry on a line below its head: the
// second line of java.util.logging, and the fields of a journal export.

// late reads a line that completes the current entry.
func (t *tracker) late(b []byte, h *head) bool {
	e := &t.entry
	switch {
	case bytes.HasPrefix(b, []byte("__CURSOR=")):
		h.strong, h.format = true, formatJournalExport
		return true
	case !e.open:
		return false
	case e.journal:
		return h.journalField(b)
	case e.lines == 1 && e.level == LevelNone && e.named && e.strong && !h.strong && !h.stamp.ok:
		h.level = julLevel(b)
		h.late = h.level != LevelNone
		return h.late
	}
	return false
}

// julLevel returns the level that starts the second line of an entry of
// java.util.logging.
func julLevel(b []byte) Level {
	n := letters(b[:min(len(b), maxLevelWord)])
	if n+1 >= len(b) || b[n] != ':' || b[n+1] != ' ' || caseOf(b[:n]) != upperCase {
		return LevelNone
	}
	return lookUp(b[:n]).level
}

// journalField reads one field of a journal export.
func (h *head) journalField(b []byte) bool {
	n := bytes.IndexByte(b, '=')
	if n <= 0 || !isUpper(b[0]) && b[0] != '_' {
		return false
	}
	h.late = true
	switch v := b[n+1:]; string(b[:n]) {
	case "PRIORITY":
		if digits(v) == 1 && len(v) == 1 {
			h.level = syslogLevel(num(v))
		}
	case "__REALTIME_TIMESTAMP":
		var s stamp
		parseStamp(v, &s)
		s.shift(n + 1)
		h.setStamp(s)
	}
	return true
}
