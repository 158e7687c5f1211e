package share

import "bytes"

// entry is the entry that the lines go to at the moment.
type entry struct {
	level   Level
	status  bool
	strong  bool
	crash   bool
	journal bool // the entry is one of a journal export
	json    bool
	gap     bool // a blank line stands behind its last line
	// awaits: a traceback has begun and the exception's own line is to come.
	awaits bool
	open   bool
	lines  int
	start  int
	indent bool
	stamp  stamp
}

// maxSniffed is how many entries vote on the format of the log.
const maxSniffed = 200

// tracker puts lines together to entries and counts them.
type tracker struct {
	lines, entries, multi int
	bytes                 int64
	levels                [LevelFatal + 1]int
	fromStatus            int
	firstError            int
	first, last           stamp
	formats               [formatCount]int
	entry                 entry
	json                  jsonScan
	inJSON                bool
	scratch, unescaped    []byte
}

// line takes the next line and returns whether it starts an entry. The line may
// be cut at maxAnalyzed.
func (t *tracker) line(b []byte) bool {
	t.lines++
	if t.lines == 1 {
		b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	}
	b = trimEnd(t.plain(b))
	if t.inJSON && t.continueJSON(b) {
		t.entry.lines++
		return false
	}
	h := t.classify(b)
	if !t.starts(&h) {
		t.join(&h)
		return false
	}
	t.flush()
	t.entries++
	t.entry = entry{
		level: h.level, status: h.status, strong: h.strong && !h.single(), crash: h.trace == crash, awaits: h.trace == traceback, open: true,
		journal: h.format == formatJournalExport, json: h.json,
		lines: 1, start: t.lines, indent: h.indented, stamp: h.stamp,
	}
	if t.entries <= maxSniffed {
		t.formats[h.format]++
	}
	return true
}

// starts decides whether a line is the head of an entry.
func (t *tracker) starts(h *head) bool {
	e := &t.entry
	switch {
	case h.blank || h.late:
		return false
	case h.more:
		return !e.open
	case !e.open:
		return true
	case h.strong:
		return !h.indented || e.indent || !e.strong || h.json && e.json
	case h.indented:
		return false
	case h.level == LevelNone:
		return !e.strong && !e.crash
	case h.trace != noTrace:
		return !e.explains(h.trace)
	case e.strong && !h.loud:
		return e.level < LevelWarning
	}
	return true
}

// takes says that an indented line belongs to the entry whatever it says: no
// head of the log is indented so far.
func (e *entry) takes(first byte) bool {
	return e.open && e.strong && !e.indent && first != '{'
}

// explains says that a trace tells what the entry is about.
func (e *entry) explains(part tracePart) bool {
	switch {
	case e.awaits:
		return true
	case part == exception && e.strong:
		return e.level >= LevelWarning
	}
	return e.level >= LevelError && (e.strong || e.lines == 1 && !e.gap)
}

// single says that entries of the line's format take up one line, so that a
// line without a head does not belong to them.
func (h *head) single() bool {
	return h.json || h.format == formatLogfmt || h.format == formatAccess
}

// join adds a line to the current entry.
func (t *tracker) join(h *head) {
	e := &t.entry
	e.gap = h.blank
	if h.blank {
		return
	}
	e.lines++
	switch {
	case h.trace == traceback || h.again:
		e.awaits = true
	case h.trace == exception:
		e.awaits = false
	}
	if h.late {
		if e.level == LevelNone {
			e.level = h.level
		}
		if !e.stamp.ok {
			e.stamp = h.stamp
		}
	}
}

// flush counts the current entry.
func (t *tracker) flush() {
	e := &t.entry
	if e.start == 0 {
		return
	}
	t.levels[e.level]++
	if e.status {
		t.fromStatus++
	}
	if e.lines > 1 {
		t.multi++
	}
	if e.level >= LevelError && t.firstError == 0 {
		t.firstError = e.start
	}
	if e.stamp.ok {
		if !t.first.ok {
			t.first = e.stamp
		}
		t.last = e.stamp
	}
	e.start = 0
}

// analysis counts the last entry and sums up.
func (t *tracker) analysis(opts AnalyzeOptions) Analysis {
	t.flush()
	return Analysis{
		Format:         t.format().String(),
		Lines:          t.lines,
		Bytes:          t.bytes,
		Entries:        t.entries,
		MultiLine:      t.multi,
		Fatal:          t.levels[LevelFatal],
		Errors:         t.levels[LevelError],
		Warnings:       t.levels[LevelWarning],
		Info:           t.levels[LevelInfo],
		Debug:          t.levels[LevelDebug],
		Trace:          t.levels[LevelTrace],
		Other:          t.levels[LevelNone],
		FromStatus:     t.fromStatus,
		FirstTimestamp: t.first.time(opts),
		LastTimestamp:  t.last.time(opts),
		FirstErrorLine: t.firstError,
	}
}

// format returns the format of most entries.
func (t *tracker) format() format {
	best := formatPlain
	for f := formatPlain; f < formatCount; f++ {
		if t.formats[f] > t.formats[best] {
			best = f
		}
	}
	return best
}

// classify reads one line by itself.
func (t *tracker) classify(b []byte) head {
	var h head
	if len(b) == 0 {
		h.blank = true
		return h
	}
	n := skipSpace(b, 0)
	if n == len(b) {
		h.blank = true
		return h
	}
	h.indented = n > 0
	b = b[n:]
	if len(b) == 1 && b[0] == '[' {
		h.blank = true
		return h
	}
	if h.indented && t.entry.takes(b[0]) || goesOn(b) {
		h.more, h.again = true, announcesTrace(b)
		return h
	}
	rest := h.unwrap(b)
	if len(rest) < len(b) {
		t.inner(rest, &h)
	} else {
		t.message(b, &h)
	}
	return h
}

// inner reads the line that stood in a wrapper. What it says about itself goes
// before what the wrapper says.
func (t *tracker) inner(b []byte, h *head) {
	n := skipSpace(b, 0)
	if n == len(b) {
		h.blank = h.wrapped
		return
	}
	if goesOn(b[n:]) {
		h.more, h.again = true, announcesTrace(b[n:])
		return
	}
	h.indented = h.wrapped && n > 0
	outer := h.level
	h.level = LevelNone
	t.message(b[n:], h)
	if h.level == LevelNone {
		h.level = outer
	}
}

// message reads a line that nothing wraps.
func (t *tracker) message(b []byte, h *head) {
	switch {
	case b[0] == '{' || b[0] == '[' && len(b) > 1 && b[1] == '{':
		t.startJSON(b, h)
		return
	case h.fixed(b) || h.bareHead(b) || h.rails(b):
		if h.format == formatNone {
			h.format = formatText
		}
		return
	case t.late(b, h):
		return
	}
	h.text(b)
	if !h.strong && h.level == LevelNone {
		h.more = isFrame(b)
	}
	if h.format == formatNone && t.entries < maxSniffed {
		h.format = h.sniff(b)
	}
}

// startJSON reads a line that begins a JSON value.
func (t *tracker) startJSON(b []byte, h *head) {
	t.json.reset()
	t.json.every = t.entries < maxSniffed
	if b[0] == '[' && len(b) > 1 {
		b = b[1:]
	}
	t.inJSON = !t.json.scan(b) && len(b) < maxAnalyzed-64
	h.strong, h.json = true, true
	switch {
	case t.inJSON:
		h.format = formatJSON
	case h.format == formatNone && t.json.every:
		h.format = t.json.flavour()
	}
	if t.json.stamp.fullness() > h.stamp.fullness() {
		h.stamp = t.json.stamp
	}
	if l := t.json.outcome(); l != LevelNone {
		h.level = l
	} else if t.json.log != nil && t.json.seen&keyStream != 0 {
		t.unescaped = unescape(t.unescaped[:0], t.json.log)
		h.strong, h.wrapped = false, true
		t.inner(t.unescaped, h)
		t.inJSON = false
	}
}

// continueJSON reads a further line of a JSON value and returns false if it is
// none.
func (t *tracker) continueJSON(b []byte) bool {
	if len(b) > 0 && !isSpace(b[0]) && !goesOnJSON(b) {
		t.inJSON = false
		return false
	}
	t.inJSON = !t.json.scan(b)
	t.entry.level = t.json.outcome()
	t.entry.stamp = t.json.stamp
	return true
}

// goesOnJSON says that a line without indentation can belong to a JSON value
// that began on a line before it.
func goesOnJSON(b []byte) bool {
	switch b[0] {
	case '}', ']', ',', '"':
		return true
	case '{', '[':
		return len(b) == 1 || isSpace(b[1])
	}
	return false
}

// trimEnd cuts the line end and the blanks before it.
func trimEnd(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == '\n' || b[n-1] == '\r' || b[n-1] == ' ') {
		n--
	}
	return b[:n]
}

// plain returns the line without the escape sequences of terminals.
func (t *tracker) plain(b []byte) []byte {
	i := bytes.IndexByte(b[:min(len(b), 2*maxHead)], 0x1b)
	if i < 0 {
		return b
	}
	t.scratch = append(t.scratch[:0], b[:i]...)
	for i < len(b) {
		if b[i] == 0x1b {
			i += escapeLen(b[i:])
			continue
		}
		n := bytes.IndexByte(b[i:], 0x1b)
		if n < 0 {
			n = len(b) - i
		}
		t.scratch = append(t.scratch, b[i:i+n]...)
		i += n
	}
	return t.scratch
}

// escapeLen returns the length of the escape sequence at the start of b, as
// ECMA-48 has them: CSI with its parameters, OSC up to its end, or two bytes.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 {
				return i
			}
		}
		return len(b)
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b {
				return min(i+2, len(b))
			}
		}
		return len(b)
	}
	return 2
}
