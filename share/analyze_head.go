package share

import "bytes"

// The level and the timestamp of a line are found by the place they stand in,
// not by product: a head is a row of timestamps, numbers, names, separators and
// groups in brackets, and ends where words of a sentence begin. A word is a
// level only inside the head, and only if nothing but the head's own
// punctuation touches it.

// head is what the first line of an entry, or any line, says about itself.
type head struct {
	level  Level
	stamp  stamp
	format format
	// status: level was taken from the status of an access log.
	status bool
	// priorityLevel: level was taken from the priority of syslog.
	priorityLevel bool
	// strong: the line starts an entry whatever stands before it, and the lines
	// that follow without a head of their own belong to it.
	strong bool
	// trace says what part of a bare stack trace the line is.
	trace tracePart
	// more: the line continues the entry before it, whatever else it looks like.
	more bool
	// again: another traceback comes.
	again bool
	// late: the line completes the entry before it with its level or timestamp.
	late bool
	// json: the line begins a JSON value.
	json bool
	// loud: the level is written in capitals or stands in brackets.
	loud bool
	// wrapped: a container runtime or a service put its own prefix before the
	// line, whatever the line is.
	wrapped bool
	// indented: blanks stand before the text.
	indented bool
	blank    bool
}

// tracePart is what a line without a head of its own has to do with a trace.
type tracePart uint8

const (
	noTrace   tracePart = iota
	traceback           // Python's announcement: the exception comes last
	exception           // the name of an exception, frames may follow
	crash               // a panic: everything up to the next head belongs to it
)

// maxHead is how far into a line a level or timestamp is looked for.
const maxHead = 220

// prevToken is what stands before the word being looked at.
type prevToken uint8

const (
	prevNothing prevToken = iota
	prevStamp
	prevField // a number, a group in brackets or a separator
	prevColon // a name that ends in a colon
	prevLevel // "level:" or the like
	prevName  // an identifier that no sentence would hold
	prevWord
)

// walk goes through a head, token by token.
type walk struct {
	b     []byte
	i     int
	h     *head
	prev  prevToken
	words int  // plain words so far
	dated bool // a timestamp stands in this text, and not in a wrapper
	pairs bool
	stop  bool
}

// text reads a line that is neither JSON nor of a fixed layout.
func (h *head) text(b []byte) {
	w := walk{b: b[:min(len(b), maxHead)], h: h}
	for range 28 {
		for w.i < len(w.b) && isSpace(w.b[w.i]) {
			w.i++
		}
		if w.stop || w.i >= len(w.b) || w.done() {
			break
		}
		w.token(b)
	}
	h.strong = h.strong || w.dated
}

// done says that the head has told everything.
func (w *walk) done() bool {
	if w.h.level == LevelNone || !w.h.stamp.ok {
		return false
	}
	return w.h.stamp.fullness() == 3 || !isDigit(w.b[w.i])
}

func (w *walk) token(line []byte) {
	switch c := w.b[w.i]; {
	case isDigit(c) || c == '@':
		w.digit(line)
	case isLetter(c):
		w.word(line)
	case c == '[' || c == '<' || c == '(' || c == '{':
		w.group(c)
	case c == '"':
		w.quote(line)
	case c == '%':
		w.facility()
	case c == '|' || c == '-' || c == ':' || c == ',' || c == ';' || c == '*' || c == '~' || c == '=' || c == '>':
		w.i++
		switch {
		case c == ':' && (w.prev == prevField || w.prev == prevName) && w.next(w.i) == ' ':
			w.prev = prevColon
		case w.prev != prevNothing && w.prev != prevStamp:
			w.prev = prevField
		}
	case c == '#':
		w.workflow()
	default:
		w.i = w.tokenEnd(w.i + 1)
		w.prev = prevName
		if w.b[w.i-1] == ':' {
			w.prev = prevColon
		}
	}
}

// tokenEnd returns where the token that holds i ends.
func (w *walk) tokenEnd(i int) int {
	for i < len(w.b) {
		switch w.b[i] {
		case ' ', '\t', '[', ']', '(', ')', '<', '>', '|', '{', '}', '"', ',', ';':
			return i
		}
		i++
	}
	return i
}

// digit reads a timestamp or a number.
func (w *walk) digit(line []byte) {
	if w.takeStamp() {
		return
	}
	if w.h.level == LevelNone && w.barredStatus(line) {
		w.stop = true
		return
	}
	end := w.tokenEnd(w.i + 1)
	tok := w.b[w.i:end]
	w.i = end
	w.prev = prevName
	switch n := digits(tok); {
	case n == len(tok):
		w.prev = prevField
		if w.h.stamp.ok && !w.h.stamp.epoch {
			return
		}
		w.buildResult(num(tok[:min(n, 9)]))
	case tok[len(tok)-1] == ':':
		w.prev = prevColon
	}
}

// takeStamp reads a timestamp that says more than the one already found.
func (w *walk) takeStamp() bool {
	if w.h.stamp.fullness() == 3 {
		return false
	}
	var s stamp
	n := parseStamp(w.b[w.i:], &s)
	if n == 0 || s.epoch && w.prev != prevNothing {
		return false
	}
	if s.fullness() > w.h.stamp.fullness() {
		w.h.stamp = s
	}
	w.i += n
	w.prev = prevStamp
	w.dated = true
	return true
}

// word reads a token that starts with a letter.
func (w *walk) word(line []byte) {
	if maybeNamedStamp(w.b[w.i:]) && w.takeStamp() {
		return
	}
	end := w.tokenEnd(w.i + 1)
	tok := w.b[w.i:end]
	n := letters(tok)
	if w.h.level == LevelNone {
		if l, used := w.levelOf(tok, n); l != LevelNone {
			w.h.level = l
			w.h.loud = isUpper(tok[n-1])
			w.i += used
			w.prev = prevField
			return
		}
		if isUpper(tok[0]) && w.columnStatus(line, tok) {
			return
		}
		if string(tok) == "CEF:0" || string(tok) == "CEF:1" {
			w.h.level = w.eventFormat(line)
			w.stop = true
			return
		}
		if !w.pairs && n < len(tok) && pairKey(tok) > 0 && w.readPairs(line) {
			return
		}
	}
	w.i = end
	w.passWord(tok, n)
}

// passWord notes what kind of token goes by, and where the sentence begins.
func (w *walk) passWord(tok []byte, n int) {
	next := w.next(w.i)
	switch {
	case n+1 == len(tok) && tok[n] == ':' && jsonKeyOf(tok[:n])&keyLevel != 0:
		w.prev = prevLevel
	case tok[len(tok)-1] == ':':
		if w.prev == prevColon && w.words > 1 {
			w.stop = true
		}
		w.prev = prevColon
	case n < len(tok) || isFieldMark(next) || next == '[' || next == '(':
		w.prev = prevName
	case w.prev == prevColon && caseOf(tok) != upperCase, startsSentence(tok):
		w.stop = true
	case string(tok) == "PHP":
		w.prev = prevField
	default:
		w.words++
		w.prev = prevWord
		w.stop = w.words > 2
	}
}

// readPairs reads the rest of the line as logfmt.
func (w *walk) readPairs(line []byte) bool {
	w.pairs = true
	pairs := logfmt(line[w.i:], w.h)
	if w.h.level == LevelNone && (w.prev != prevNothing || pairs < 3) {
		return false
	}
	w.h.strong = true
	if w.prev == prevNothing {
		w.h.format = formatLogfmt
	}
	w.stop = true
	return true
}

// next returns the byte at i, or 0 at the end.
func (w *walk) next(i int) byte {
	if i < len(w.b) {
		return w.b[i]
	}
	return 0
}

// levelOf returns the level that a token is, and how much of the token says so.
// The first n bytes of it are letters.
func (w *walk) levelOf(tok []byte, n int) (Level, int) {
	if n == len(tok) {
		if n == 1 {
			return w.letter(tok[0]), n
		}
		return w.bare(tok, w.next(w.i+n)), n
	}
	switch c := tok[n]; {
	case c == ':':
		return w.coloned(tok, n)
	case c == '.':
		return w.dotted(tok), len(tok)
	case c == '!' && n+1 == len(tok):
		return w.shouted(tok[:n]), len(tok)
	case c == '/' && n == 1 && w.next(w.i+w.toParen(tok)) == '(':
		return letterLevel(tok[0]), len(tok)
	case c == '/' && tok[len(tok)-1] == ':' && w.words == 0 && bytes.IndexByte(tok, '.') < 0:
		return lookUp(tok[:n]).level, len(tok)
	case isDigit(c):
		return w.numbered(tok, n), len(tok)
	case c == '-':
		return w.hyphened(tok), len(tok)
	}
	return LevelNone, 0
}

// eventFormat returns the level in the header of the Common Event Format, whose
// seventh field it is, if it is a word. The token is at w.i.
func (w *walk) eventFormat(line []byte) Level {
	rest := line[w.i:]
	for range 6 {
		n := bytes.IndexByte(rest, '|')
		if n < 0 {
			return LevelNone
		}
		rest = rest[n+1:]
	}
	n := letters(rest)
	if n >= len(rest) || rest[n] != '|' {
		return LevelNone
	}
	return lookUp(rest[:n]).level
}

// coloned returns the level of LEVEL:…, name:LEVEL:… and name::LEVEL::… .
func (w *walk) coloned(tok []byte, n int) (Level, int) {
	if n+1 < len(tok) && tok[n+1] == ':' {
		if l, m := second(tok[n+2:]); l != LevelNone {
			return l, n + 2 + m
		}
		return w.qualified(tok), len(tok)
	}
	if l := w.bare(tok[:n], ':'); l != LevelNone {
		return l, n + 1
	}
	if l, m := second(tok[n+1:]); l != LevelNone {
		return l, n + 1 + m
	}
	return w.exception(tok[:n]), len(tok)
}

// shouted returns the level of ERR! and of Telegraf's E! .
func (w *walk) shouted(word []byte) Level {
	switch {
	case len(word) == 1 && w.dated && w.words == 0:
		return letterLevel(word[0])
	case caseOf(word) == upperCase && w.words <= 1:
		return lookUp(word).level
	}
	return LevelNone
}

// numbered returns the level of DEBUG1: as PostgreSQL and Slurm write it, and
// of VMware's I125: behind a bar.
func (w *walk) numbered(tok []byte, n int) Level {
	d := digits(tok[n:])
	colon := n+d+1 == len(tok) && tok[n+d] == ':'
	switch {
	case !colon && n+d < len(tok):
	case n == 1 && colon && w.dated && w.i > 1 && w.b[w.i-2] == '|':
		return letterLevel(tok[0])
	case d == 1 && (colon || caseOf(tok[:n]) == upperCase):
		if l := lookUp(tok[:n]).level; l == LevelDebug || l == LevelTrace {
			return l
		}
	}
	return LevelNone
}

// hyphened returns the level of GLib's Domain-WARNING **: .
func (w *walk) hyphened(tok []byte) Level {
	if !bytes.HasPrefix(w.b[w.i+len(tok):], []byte(" **:")) {
		return LevelNone
	}
	return lookUp(tok[bytes.LastIndexByte(tok, '-')+1:]).level
}

// toParen returns the length of a token of Android's brief layout, whose tag
// may be followed by blanks.
func (w *walk) toParen(tok []byte) int {
	n := len(tok)
	for w.next(w.i+n) == ' ' {
		n++
	}
	return n
}

// bare returns the level of a word that stands by itself, followed by next.
func (w *walk) bare(word []byte, next byte) Level {
	lw := lookUp(word)
	if lw.level == LevelNone {
		return LevelNone
	}
	before := byte(0)
	if w.i > 0 {
		before = w.b[w.i-1]
	}
	if before == ' ' && w.i > 1 && w.b[w.i-2] == '|' {
		before = '|'
	}
	if next == ' ' && w.next(w.i+len(word)+1) == '|' {
		next = '|'
	}
	if next == ' ' && w.next(w.i+len(word)+1) == ':' {
		next = ':'
	}
	fielded := (before == 0 || isFieldMark(before)) && isFieldMark(next)
	dated := w.h.stamp.ok || w.h.strong
	inHead := w.prev != prevWord && w.words == 0
	ok := false
	switch c := caseOf(word); {
	case w.prev == prevLevel:
		ok = true
	case fielded && next == '|' && w.nextField(w.i+len(word)+1) != LevelNone:
		return LevelNone
	case fielded && (dated || c == upperCase || w.prev == prevNothing && isDigit(w.next(w.i+len(word)+1))):
		ok = true
	case c == upperCase && string(word) == "FAILED":
		ok = w.prev == prevNothing && !dated
	case c == upperCase && lw.shy:
		ok = next == ':' && w.prev != prevWord || dated && inHead && next != '-'
	case c == upperCase:
		ok = dated || w.prev != prevWord || next == ':' && w.words == 1 && w.i > 1 && isUpper(w.b[w.i-2])
	case c == mixedCase:
	case next == ':':
		ok = inHead || w.prev == prevColon
	case next == '[':
		ok = w.prev == prevNothing && c == lowerCase
	case lw.level == LevelFatal && inHead && bytes.HasPrefix(w.b[w.i+len(word):], []byte(" error:")):
		ok = true
	case lw.level >= LevelWarning && w.setsOff() && isCode(w.b[w.i+len(word):]):
		ok = true
	case lw.shy:
	case c == lowerCase && inHead:
		ok = w.dated && w.prev != prevColon
	case c == lowerCase:
		ok = w.dated && w.words == 1 && next == ' ' && w.next(w.i+len(word)+1) == ' '
	default:
		ok = w.dated && inHead && w.gap(w.i+len(word))
	}
	if !ok {
		return LevelNone
	}
	return lw.level
}

// isFieldMark says that c separates the fields of a line of columns.
func isFieldMark(c byte) bool { return c == ',' || c == '|' || c == ';' || c == '\t' }

// nextField returns the level that the field at i is, up to the next bar, so
// that a component named TRACE is not taken for the level behind it.
func (w *walk) nextField(i int) Level {
	for w.next(i) == ' ' || w.next(i) == '|' {
		i++
	}
	n := letters(w.b[min(i, len(w.b)):])
	if c := w.next(i + n); n == 0 || c != '|' && (c != ' ' || w.next(i+n+1) != '|') {
		return LevelNone
	}
	return lookUp(w.b[i : i+n]).level
}

// gap says that what follows a word sets it off from a sentence.
func (w *walk) gap(i int) bool {
	switch w.next(i) {
	case 0, '\t', '[', '|', ']', '>', ')':
		return true
	case ' ':
		c := w.next(i + 1)
		if c == ' ' || c == '|' || c == '[' || c == '(' || c == '-' || c == '\t' {
			return true
		}
		end := w.tokenEnd(i + 1)
		return end > i+1 && w.b[end-1] == ':'
	}
	return false
}

// setsOff says that what stands before a word may stand before a compiler's
// message.
func (w *walk) setsOff() bool {
	return w.prev == prevColon || w.prev == prevField && !w.dated
}

// isCode says that b goes on like the message of a compiler: " CS0103:", or
// " error:" behind fatal.
func isCode(b []byte) bool {
	if bytes.HasPrefix(b, []byte(" error:")) {
		return true
	}
	if len(b) < 4 || b[0] != ' ' || !isUpper(b[1]) {
		return false
	}
	n := letters(b[1:])
	d := digits(b[1+n:])
	return d > 0 && 1+n+d < len(b) && b[1+n+d] == ':'
}

// letter returns the level of a single letter, which counts in its own place
// only: behind the timestamp and before a name, a number or a group.
func (w *walk) letter(c byte) Level {
	if !w.h.stamp.ok || w.words > 1 {
		return LevelNone
	}
	i := w.i + 1
	for w.next(i) == ' ' {
		i++
	}
	next := w.next(i)
	if w.words == 1 {
		return w.webSphere(c, i)
	}
	if (c == 'A' || c == 'C' || c == 'N') && next != '|' {
		return LevelNone
	}
	end := w.tokenEnd(i)
	switch {
	case isDigit(next) || isUpper(next) || next == '[' || next == '|' || next == '(' || next == '-':
		return letterLevel(c)
	case end > i && (w.b[end-1] == ':' || bytes.IndexByte(w.b[i:end], ':') > 0 || bytes.IndexByte(w.b[i:end], '.') > 0):
		return letterLevel(c)
	}
	return LevelNone
}

// webSphere returns the level of a letter behind the name of a component, if
// the message's number follows: "A   WSVR0001I:".
func (w *walk) webSphere(c byte, i int) Level {
	tok := w.b[i:w.tokenEnd(i)]
	n := letters(tok)
	if n < 3 || n == len(tok) || !isDigit(tok[n]) || tok[len(tok)-1] != ':' {
		return LevelNone
	}
	if c == 'A' || c == 'O' || c == 'R' || c == 'C' {
		return LevelInfo
	}
	return letterLevel(c)
}

// second returns the level in capitals at the start of b, up to the next colon.
func second(b []byte) (Level, int) {
	n := letters(b)
	if n == 0 || caseOf(b[:n]) != upperCase || n < len(b) && b[n] != ':' {
		return LevelNone, 0
	}
	for n < len(b) && b[n] == ':' {
		n++
	}
	return lookUp(bytes.TrimRight(b[:n], ":")).level, n
}

// dotted returns the level of channel.LEVEL: as Monolog writes it, and of the
// name of an exception.
func (w *walk) dotted(tok []byte) Level {
	name := bytes.TrimSuffix(tok, []byte(":"))
	dot := bytes.LastIndexByte(name, '.')
	last := name[dot+1:]
	if isFacility(name[:dot]) && w.words == 0 {
		return lookUp(last).level
	}
	if len(last) == 0 || letters(last) != len(last) {
		return LevelNone
	}
	if len(name) < len(tok) && w.prev != prevWord && caseOf(last) == upperCase {
		return lookUp(last).level
	}
	if len(name) < len(tok) || w.i+len(tok) == len(w.b) {
		return w.exception(name)
	}
	return LevelNone
}

// isFacility says that b is a facility of syslog, which OpenWrt and Solaris
// write before the severity: daemon.err.
func isFacility(b []byte) bool {
	switch string(b) {
	case "kern", "user", "mail", "daemon", "auth", "authpriv", "syslog", "lpr", "news", "uucp", "cron", "ftp",
		"local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7":
		return true
	}
	return false
}

// qualified returns the level of Module::SomeError as Ruby prints it, with the
// message in parentheses or behind a colon.
func (w *walk) qualified(tok []byte) Level {
	name := bytes.TrimSuffix(tok, []byte(":"))
	if len(name) == len(tok) && (w.next(w.i+len(tok)) != ' ' || w.next(w.i+len(tok)+1) != '(') {
		return LevelNone
	}
	return w.exception(name)
}

// exception returns the level of a line that starts with the name of an
// exception or of a Python warning.
func (w *walk) exception(name []byte) Level {
	switch {
	case bytes.HasSuffix(name, []byte("Warning")) && len(name) > 7 && (w.prev == prevNothing || w.prev == prevColon):
		return LevelWarning
	case w.prev != prevNothing || w.h.strong:
		return LevelNone
	case bytes.HasSuffix(name, []byte("Error")) || bytes.HasSuffix(name, []byte("Exception")):
		w.h.trace = exception
		return LevelError
	}
	return LevelNone
}

// buildResult takes the last line of a compiler: "3 errors generated".
func (w *walk) buildResult(n int) {
	rest := w.b[min(w.i+1, len(w.b)):]
	if n == 0 || w.h.level != LevelNone || w.words > 1 {
		return
	}
	switch {
	case bytes.HasPrefix(rest, []byte("error")) && endsWord(rest[5:]):
		w.h.level = LevelError
	case bytes.HasPrefix(rest, []byte("warning")) && endsWord(rest[7:]):
		w.h.level = LevelWarning
	}
}

func endsWord(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("s"))
	b = bytes.TrimPrefix(b, []byte("(s)"))
	return len(b) == 0 || b[0] == ' ' || b[0] == ',' || b[0] == '.'
}

// maybeNamedStamp says that b starts with the name of a month or weekday.
func maybeNamedStamp(b []byte) bool {
	switch b[0] {
	case 'J', 'F', 'M', 'A', 'S', 'O', 'N', 'D', 'T', 'W':
		return len(b) > 12 && (monthOf(b) > 0 || weekday(b) > 0)
	}
	return false
}

// startsSentence says that a word is one of those that sentences are made of
// and heads are not.
func startsSentence(w []byte) bool {
	if len(w) > 7 {
		return false
	}
	switch string(w) {
	case "a", "an", "and", "are", "as", "at", "be", "by", "can", "cannot", "could", "did", "do", "does", "failed",
		"for", "found", "from", "got", "had", "has", "have", "if", "in", "is", "it", "no", "not", "of", "on", "or",
		"our", "set", "so", "than", "that", "the", "there", "this", "to", "too", "was", "we", "were", "when",
		"while", "will", "with", "without", "you", "your", "No", "The", "This", "Not", "If", "It", "We", "You":
		return true
	}
	return false
}
