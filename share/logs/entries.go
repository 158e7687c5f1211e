package logs

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// entry is the entry that is being read.
type entry struct {
	entryHead
	crash   bool // after a panic, lines without a head belong to it
	awaits  bool // a traceback has begun, and the line of the exception is to come
	heading bool // its message is on the next line
	gap     bool // a blank line follows its last line
	guessed bool // its level follows from the message
	open    bool // an entry has begun
	loose   int  // number of lines that belong to it only because they have no head
	start   int  // line of its head; 0 once it is counted
	lines   int  // number of lines that are not blank
	frameAt int  // one more than the column of the last frame; 0 if no frame came last
}

// maxSniffed is the number of entries that determine the format of the log.
const maxSniffed = 32

// tracker assembles lines into entries and counts them.
type tracker struct {
	lines, entries, multi int
	bytes                 int64
	strong                int // entries with an unambiguous head
	levels                [LevelFatal + 1]int
	fromStatus            int
	firstError            int
	first, last, dated    stamp.Stamp // dated is the last one with a date
	seen                  [64]int     // entries by format
	formats               formatReader
	entry                 entry
	head                  head // of the current line
	json                  jsonScan
	inJSON, jsonWrapped   bool
	messages              bool // read the messages of JSON values
	timeStart, timeEnd    int  // offsets of the timestamp in the last line's text
	scratch, unescaped    []byte
}

const byteOrderMark = "\ufeff"

// line reads the next line, which may be cut at maxAnalyzed, and reports
// whether it starts an entry.
func (t *tracker) line(b []byte) bool {
	t.lines++
	if t.lines == 1 {
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	}
	b = trimEnd(t.plain(b))
	t.timeStart, t.timeEnd = 0, 0
	if t.inJSON && t.continueJSON(t.unwrapJSON(b)) {
		t.entry.lines++
		return false
	}
	h := t.classify(b)
	t.timeStart, t.timeEnd = int(h.stamp.Start), int(h.stamp.End)
	if !t.starts(h) {
		t.join(h)
		return false
	}
	t.flush()
	t.entries++
	if h.strong {
		t.strong++
	}
	t.entry = h.begin(t.lines)
	if t.entries <= maxSniffed {
		t.seen[h.format]++
	}
	return true
}

// read yields the lines of a log in parts.
func (t *tracker) read(parts iter.Seq[string]) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		buf := make([]byte, 0, 512)
		for text := range cutLines(parts) {
			buf = append(buf[:0], text[:min(len(text), maxAnalyzed)]...)
			head := t.line(buf)
			line := Line{
				Number:     t.lines,
				Text:       strings.TrimSuffix(text, "\r"),
				Level:      t.entry.level,
				Head:       head,
				FromStatus: t.entry.status,
				Frame:      !head && t.head.frame,
			}
			if t.timeEnd > 0 {
				line.TimeStart, line.TimeEnd = t.timeSpan(buf)
			}
			if !yield(line) {
				return
			}
		}
	}
}

// cutLines yields the lines of a log in parts, without line feeds. If a line
// spans parts, each part after the first adds at most maxAnalyzed bytes.
func cutLines(parts iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		begun, unfinished := "", false
		for part := range parts {
			for part != "" {
				text, rest, ended := strings.Cut(part, "\n")
				if part = rest; unfinished {
					text = begun + text[:min(len(text), maxAnalyzed)]
				}
				if unfinished = !ended; unfinished {
					begun = text
				} else if !yield(text) {
					return
				}
			}
		}
		if unfinished {
			yield(begun)
		}
	}
}

// whole yields a log as a single part.
func whole(log string) iter.Seq[string] {
	return func(yield func(string) bool) { yield(log) }
}

// plain returns the line without the escape sequences of terminals.
func (t *tracker) plain(b []byte) []byte {
	if bytes.IndexByte(b[:min(len(b), 2*maxHead)], 0x1b) < 0 {
		return b
	}
	t.scratch = terminal.AppendText(t.scratch[:0], b)
	return t.scratch
}

// trimEnd removes the line end and the blanks before it.
func trimEnd(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == '\n' || b[n-1] == '\r' || ascii.IsSpace(b[n-1])) {
		n--
	}
	return b[:n]
}

// timeSpan returns the offsets of the timestamp in b, the last line as read,
// with its byte order mark and escape sequences.
func (t *tracker) timeSpan(b []byte) (start, end int) {
	at := 0
	if t.lines == 1 && bytes.HasPrefix(b, []byte(byteOrderMark)) {
		at = len(byteOrderMark)
	}
	if bytes.IndexByte(b[at:at+t.timeEnd], 0x1b) < 0 {
		return at + t.timeStart, at + t.timeEnd
	}
	return at + terminal.Offset(b[at:], t.timeStart), at + terminal.Offset(b[at:], t.timeEnd-1) + 1
}

// begin returns the entry that the head on a line starts.
func (h *head) begin(line int) entry {
	e := entry{entryHead: h.entryHead, crash: h.trace == crash, awaits: h.trace == traceback, heading: h.trace == heading, guessed: h.diagnosed, open: true, start: line, lines: 1}
	e.strong = h.strong && !h.single()
	e.named = h.named || h.stamp.Named
	return e
}

// starts reports whether a line starts an entry.
func (t *tracker) starts(h *head) bool {
	e := &t.entry
	switch {
	case h.blank || h.trailing:
		return false
	case h.continues:
		return !e.open
	case !e.open:
		return true
	case e.heading && !h.strong:
		return false
	case h.strong:
		return !h.indented || e.indented || !e.strong || h.json && e.json
	case h.passed:
		return !e.strong
	case h.indented:
		return h.level != LevelNone && !e.strong && (h.diagnosed || h.level > e.level)
	}
	return e.endsBefore(h)
}

// endsBefore reports whether a line that is not clearly a head starts another
// entry.
func (e *entry) endsBefore(h *head) bool {
	switch {
	case h.level == LevelNone:
		return !e.strong && !e.crash
	case h.trace != noTrace:
		return !e.explains(h.trace)
	case e.strong && !h.emphatic:
		return e.level < LevelWarning || e.guessed
	}
	return true
}

// takes reports whether an indented line belongs to the entry whatever it says,
// because the entry's own head is not indented. The line's text starts with
// first.
func (e *entry) takes(first byte) bool {
	return e.open && e.strong && !e.indented && first != '{'
}

// explains reports whether a part of a trace explains the entry rather than
// starting another.
func (e *entry) explains(part tracePart) bool {
	switch {
	case part == heading:
		return false
	case e.awaits:
		return true
	case part == exception && e.strong:
		return e.level >= LevelWarning || e.level == LevelDebug || e.level == LevelTrace
	}
	return e.level >= LevelError && (e.strong || e.lines == 1 && !e.gap)
}

// single reports whether entries in the line's format take up one line, so that
// a line without a head does not belong to them.
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
	e.heading = false
	switch {
	case h.frame:
		e.frameAt = h.at + 1
	case h.at < e.frameAt:
		e.frameAt = 0
	default:
		h.frame = e.frameAt > 0 // the source of the frame above
	}
	if e.strong && !h.framed {
		t.countLoose()
	}
	switch {
	case h.trace == traceback || h.announces:
		e.awaits = true
	case h.trace == exception:
		e.awaits = false
	}
	if h.trailing {
		if e.level == LevelNone {
			e.level = h.level
		}
		if !e.stamp.OK {
			e.stamp = h.stamp
		}
	}
}

// maxLoose is the number of lines without a head that an entry may take in a
// log with few heads. Without this limit, a message that looks like a head
// within the output of a build would take all lines after it.
const maxLoose = 32

// countLoose counts a line that belongs to the entry only because it has no
// head. After maxLoose of them, in a log with few heads, later ones no longer
// belong to it.
func (t *tracker) countLoose() {
	e := &t.entry
	e.loose++
	if e.loose > maxLoose && t.strong*16 < t.lines {
		e.strong, e.crash = false, false
	}
}

// inherit gives a stamp without a date the date of the entry before it.
func (t *tracker) inherit(s *stamp.Stamp) {
	s.Inherit(&t.dated)
	if s.Month != 0 {
		t.dated = *s
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
	if e.stamp.OK {
		t.inherit(&e.stamp)
		if !t.first.OK {
			t.first = e.stamp
		}
		t.last = e.stamp
	}
	e.start = 0
}

// analysis counts the last entry and returns the totals.
func (t *tracker) analysis(opts Options) Analysis {
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
		FirstTimestamp: opts.time(&t.first),
		LastTimestamp:  opts.time(&t.last),
		FirstErrorLine: t.firstError,
	}
}

// format returns the most frequent format.
func (t *tracker) format() format {
	return format(slices.Index(t.seen[:], slices.Max(t.seen[:])))
}

// message reads a line without a wrapper.
func (t *tracker) message(b []byte, h *head) {
	switch {
	case string(b) == "[":
		h.blank = true
		return
	case b[0] == '{' || hasPrefix(b, "[{"):
		t.startJSON(b, h)
		return
	case h.rule != nil:
		h.takeMatch(h.rule, &t.formats.match)
		if h.level == LevelNone {
			h.diagnose(b)
		} else if !h.status {
			h.message = h.at + t.formats.match.Rest
		}
		t.relate(b, h)
		t.resume(b, h)
		return
	case h.bareHead(b):
		if h.format == formatNone {
			h.format = formatText
		}
		t.resume(b, h)
		return
	case t.trailing(b, h):
		return
	}
	if h.strong || h.holds&^proseOnly != 0 {
		h.text(b)
	}
	if h.level == LevelNone && !h.strong && h.holds == anything {
		h.holds = contentsOf(b)
	}
	if !h.continues && !h.nested {
		h.diagnose(b)
	}
	t.relate(b, h)
	t.resume(b, h)
	if h.format == formatNone && t.entries < maxSniffed {
		h.format = h.formatOf()
	}
}

// maxAnnounced is the number of lines from the announcement of an exception to
// its name, where each line has a head.
const maxAnnounced = 3

// resume determines whether a line with a level continues the entry before it,
// as where each line of a message has the same head: the text after the head is
// a frame of a stack trace or an excerpt of source or, after a level in brackets
// without a timestamp, is indented further than the entry's.
func (t *tracker) resume(b []byte, h *head) {
	if h.level < LevelWarning || h.continues {
		return
	}
	e := &t.entry
	text := b[max(h.message-h.at, 0):]
	text = text[:min(len(text), maxHead)]
	margin := ascii.SkipSpace(text, 0)
	h.margin, text = uint8(margin), text[margin:]
	named := bytes.TrimLeft(text[bytes.Index(text, []byte(": "))+1:], " \t")
	for _, text := range [...][]byte{text, named} {
		if p := headPhrase.find(text); p != nil && p.trace == traceback {
			h.trace = traceback
		}
	}
	frame := isMarkedFrame(text) || isMarkedFrame(named)
	announced := e.awaits && h.trace != traceback && h.strong && e.lines <= maxAnnounced
	deeper := b[0] == '[' && !h.stamp.OK && h.margin > e.margin
	if h.level == e.level && (frame || announced || deeper || isExcerpt(text) || continuingPhrase.find(text) != nil || continuingPhrase.find(named) != nil) {
		h.continues, h.framed, h.frame = true, true, frame
		if name, _, _ := bytes.Cut(named, []byte(":")); announced && isErrorName(name) {
			h.trace = exception
		}
	}
}

// relate determines whether a line of text continues the entry before it.
func (t *tracker) relate(b []byte, h *head) {
	switch {
	case t.entry.crash && hasPrefix(b, "exit status "):
		h.continues = true
	case t.entry.oops && h.strong && (h.level == LevelNone || h.oops) && isDump(h.messageOf(b)):
		h.continues = true
	case t.entry.awaits && !h.strong && !h.indented && h.level == LevelNone && isThrown(b):
		h.continues, h.trace = true, exception
		return
	case h.level == LevelInfo && !h.strong && isNote(b):
		h.continues, h.level = true, LevelNone
	}
	if !h.strong && h.level == LevelNone && (t.entry.crash || h.holds&^proseOnly != 0) {
		h.frame = isFrame(b) || t.entry.crash && isCrashFrame(b)
		h.continues = h.continues || h.frame && !t.entry.crash || isExcerpt(b)
		h.framed = h.continues
	}
}
