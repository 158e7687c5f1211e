package share

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/share/seal"
	"github.com/devkiln/devkiln/store"
)

// A LogWriter receives the text of a log of any size. A text no longer than
// [MaxLogContent] is stored as by [Service.CreateLog]. A LogWriter must not be
// used by several goroutines at once, and needs no closing if the text breaks
// off.
type LogWriter struct {
	service *Service
	options LogOptions
	id      string

	pending []byte // text not yet in a part
	valid   int    // bytes of pending that are known to be UTF-8
	chars   int    // code points so far
	read    int64  // bytes before pending
	sum     hash.Hash

	parts   []packedPart
	made    int   // including the parts left out
	bytes   int64 // total of the parts
	lines   int   // line feeds in the parts
	json    bool  // the parts are JSON lines
	masked  mask.Found
	front   int // number of leading parts that are never left out
	omitted struct{ lines, errors int }
}

// packedPart is a part as it is stored.
type packedPart struct {
	number       int // ordinal, in the order of creation
	value        []byte
	bytes, lines int
	errors       int // error and fatal entries; counted only with FitEnds
}

// endsFactor times MaxLogBytes bounds a log of which FitEnds keeps the ends.
const endsFactor = 4

// NewLog returns a [LogWriter] for a log with these options. Its text must be
// valid UTF-8 of at most [Service.MaxLogBytes] bytes, or four times as many
// with FitEnds, and of at most [MaxLogLines] lines. A log longer than
// [MaxLogContent] requires a [store.Backend], and its format is json if it is
// JSON lines. A log that burns or is encrypted cannot be longer than
// [Service.CreateLog] allows.
func (s *Service) NewLog(o LogOptions) *LogWriter {
	return &LogWriter{service: s, options: o, id: newID(), sum: sha256.New(), json: true}
}

// Held returns how many bytes the writer holds in memory: compressed parts, and
// text that is not in a part yet.
func (w *LogWriter) Held() int64 {
	held := int64(cap(w.pending))
	for _, p := range w.parts {
		held += int64(len(p.value))
	}
	return held
}

// Write implements [io.Writer]. It returns an error for text that cannot be
// stored.
func (w *LogWriter) Write(p []byte) (int, error) {
	if w.service.store == nil {
		return 0, errNoStore
	}
	w.pending = append(w.pending, p...)
	_, _ = w.sum.Write(p) // a hash.Hash never returns an error
	if err := w.check(); err != nil {
		return 0, err
	}
	for w.Large() && len(w.pending) >= partBytes+lookAround {
		if err := w.cut(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Large reports whether the text written so far is too long for one entry.
func (w *LogWriter) Large() bool {
	if w.options.Encrypted {
		return w.chars > seal.MaxLength(MaxLogContent)
	}
	return w.chars > MaxLogContent
}

// MaxBytes returns the maximum number of bytes that may be written.
func (w *LogWriter) MaxBytes() int64 {
	if w.options.FitEnds {
		return endsFactor * w.service.MaxLogBytes()
	}
	return w.service.MaxLogBytes()
}

// Validate returns the errors of the options and, unless the log is
// [LogWriter.Large], of the text, as [LogOptions.Validate] does.
func (w *LogWriter) Validate() error {
	if !w.Large() {
		return w.options.Validate(string(w.pending))
	}
	o := w.options
	if o.Format == FormatJSON {
		o.Format = FormatText // finish checks whether it is JSON
	}
	return o.Validate("text")
}

// check checks the text written last: that it is valid UTF-8, apart from an
// incomplete character at its end, and within the limits.
func (w *LogWriter) check() error {
	end := len(w.pending)
	for i := end - 1; i >= max(w.valid, end-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(w.pending[i]) {
			if !utf8.FullRune(w.pending[i:]) {
				end = i
			}
			break
		}
	}
	fresh := w.pending[w.valid:end]
	if !utf8.Valid(fresh) {
		return &UTF8Error{w.read + int64(w.valid+invalidAt(fresh))}
	}
	w.valid = end
	w.chars += utf8.RuneCount(fresh)
	if w.Large() && (w.options.Burn || w.options.Encrypted) {
		return tooLong("has more characters than a log that is read once or encrypted can have")
	}
	if w.read+int64(len(w.pending)) > w.MaxBytes() {
		return tooLong("has more than %d bytes", w.MaxBytes())
	}
	return nil
}

// invalidAt returns the index of the first byte that is not valid UTF-8.
func invalidAt(text []byte) int {
	at := 0
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// cut makes a part of the first bytes of pending.
func (w *LogWriter) cut() error {
	text := string(w.pending)
	n := len(text)
	if n > partBytes {
		n = w.place(text, partEnd(text[:partBytes]))
	}
	w.pending = append(w.pending[:0], text[n:]...)
	w.valid -= n
	w.read += int64(n)
	text = text[:n]
	if w.masks() {
		var found mask.Found
		text, found = mask.Secrets(text, mask.Options{})
		w.masked = w.masked.Plus(found)
	}
	return w.add(text)
}

func (w *LogWriter) masks() bool { return w.service.masks || w.options.Mask }

// place moves the end of a part so that it splits no secret: masking both sides
// separately must equal masking them together. It tries the wanted end, the
// last blank before it (for lines longer than a part), the line where a private
// key starts, and the two lines before. If all split one, it returns the wanted
// end.
func (w *LogWriter) place(text string, wanted int) int {
	if !w.masks() {
		return wanted
	}
	from, to := max(0, wanted-lookAround), min(len(text), wanted+lookAround)
	lineBefore := func(at int) int { return strings.LastIndexByte(text[:max(at-1, 0)], '\n') + 1 }
	blank := strings.LastIndexByte(text[:wanted], ' ') + 1
	key := lineBefore(strings.LastIndex(text[:wanted], "-----BEGIN ") + 1)
	for _, at := range []int{wanted, blank, key, lineBefore(wanted), lineBefore(lineBefore(wanted))} {
		if at <= from {
			continue
		}
		left, _ := mask.Secrets(text[from:at], mask.Options{})
		right, _ := mask.Secrets(text[at:to], mask.Options{})
		if both, _ := mask.Secrets(text[from:to], mask.Options{}); both == left+right {
			return at
		}
	}
	return wanted
}

// partEnd returns where a part of text may end: before the last line that
// starts an entry, else after the last line feed, or else after the last whole
// character.
func partEnd(text string) int {
	from := max(0, len(text)-lookAround)
	from += strings.IndexByte(text[from:], '\n') + 1
	at, entry := from, 0
	for line := range logs.Lines(text[from:]) {
		if line.Head && at > from {
			entry = at
		}
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	if entry > 0 {
		return entry
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	end := len(text)
	for r, n := utf8.DecodeLastRuneInString(text); r == utf8.RuneError && n == 1; r, n = utf8.DecodeLastRuneInString(text[:end]) {
		end--
	}
	return end
}

// add appends a part and leaves out others to stay within MaxLogBytes.
func (w *LogWriter) add(text string) error {
	p, err := w.pack(w.made, text)
	if err != nil {
		return err
	}
	w.made++
	w.json = w.json && isJSON(text)
	w.bytes += int64(p.bytes)
	w.lines += p.lines
	w.parts = append(w.parts, p)
	most := w.service.MaxLogBytes()
	if w.bytes <= most/2 {
		w.front = len(w.parts)
	}
	for w.options.FitEnds && w.bytes > most {
		w.omit()
	}
	if w.lines > MaxLogLines {
		return tooLong("has more than %d lines", MaxLogLines)
	}
	return nil
}

// pack returns a part in its stored form.
func (w *LogWriter) pack(number int, text string) (packedPart, error) {
	p := packedPart{number: number, bytes: len(text), lines: strings.Count(text, "\n")}
	if w.options.FitEnds {
		a := logs.AnalyzeString(text, logs.Options{})
		p.errors = a.Errors + a.Fatal
	}
	e := envelope{content: text, header: header{Key: partKey(w.id, number)}}
	value, err := pack(w.service.encoder, e)
	p.value = value
	return p, err
}

// omit leaves out the first part after the front.
func (w *LogWriter) omit() {
	p := w.parts[w.front]
	w.parts = slices.Delete(w.parts, w.front, w.front+1)
	w.bytes -= int64(p.bytes)
	w.lines -= p.lines
	w.omitted.lines += p.lines
	w.omitted.errors += p.errors
}

// appendOmission appends a line to the front that says what was left out.
func (w *LogWriter) appendOmission() error {
	if w.omitted.lines == 0 {
		return nil
	}
	last := &w.parts[w.front-1]
	text, err := w.text(*last)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text += fmt.Sprintf("[%d lines are left out here, errors among them: %d]\n", w.omitted.lines, w.omitted.errors)
	told, err := w.pack(last.number, text)
	w.bytes += int64(told.bytes - last.bytes)
	*last = told
	return err
}

func (w *LogWriter) text(p packedPart) (string, error) {
	e, err := unpack(w.service.decoder, partKey(w.id, p.number), p.value)
	return e.content, err
}

// Create stores what was written, and returns the log as [Service.OpenLog]
// does. Its errors are those of [Service.CreateLog]. It takes about a second of
// processor time for 32 MiB of text.
func (w *LogWriter) Create(ctx context.Context) (Log, error) {
	if !w.Large() {
		return w.service.CreateLog(ctx, string(w.pending), w.options)
	}
	if err := w.finish(); err != nil {
		return Log{}, err
	}
	o := w.options
	r := newReceipt(o.Owner, o.IdempotencyKey, string(KindLog), hex.EncodeToString(w.sum.Sum(nil)), o.Title, string(o.Expiry), string(o.Format), string(o.Stats), strconv.FormatBool(o.FitEnds))
	if w.masks() {
		var found mask.Found
		o.Title, found = mask.Secrets(o.Title, mask.Options{Limit: MaxLogTitle})
		w.masked = w.masked.Plus(found)
	}
	e := envelope{kind: KindLog, id: w.id, header: header{Title: o.Title, Format: FormatText, Stats: o.Stats, Owner: o.Owner, Masked: w.masked}}
	w.service.date(&e.header, o.Expiry, o.MaxExpiry)
	if w.json && o.Format != FormatText {
		e.header.Format = FormatJSON
	}
	e.large, e.parts = w.describe(e.header.Created)
	id, err := w.service.create(ctx, &e, r)
	if err != nil {
		return Log{}, err
	}
	return e.log(id), nil
}

// finish makes the last parts and checks what only the whole text can show.
func (w *LogWriter) finish() error {
	switch {
	case w.service.backend == nil:
		return errNoParts
	case w.valid < len(w.pending):
		return &UTF8Error{w.read + int64(w.valid)}
	}
	err := w.Validate()
	for err == nil && len(w.pending) > 0 {
		err = w.cut()
	}
	if err == nil && w.options.Format == FormatJSON && !w.json {
		err = &invalid.Input{Field: "format", Reason: "invalid_format", Message: "is json, but content is not JSON lines"}
	}
	return cmp.Or(err, w.appendOmission())
}

// describe returns the description of the log and its parts as store entries.
func (w *LogWriter) describe(created time.Time) (*LargeLog, []store.Entry) {
	l := &LargeLog{Bytes: w.bytes}
	var entries []store.Entry
	line := 1
	for _, p := range w.parts {
		l.Parts = append(l.Parts, LogPart{Number: p.number, Line: line, Bytes: p.bytes})
		entries = append(entries, store.Entry{Key: partKey(w.id, p.number), Value: p.value})
		line += p.lines
	}
	texts := func(yield func(string) bool) {
		for _, p := range w.parts {
			text, _ := w.text(p) // packed by this process
			if !yield(text) {
				return
			}
		}
	}
	o := logs.Options{Now: created}
	l.Summary, l.Histogram = logs.SummarizeParts(texts, o), logs.HistogramParts(texts, chartBars, o)
	l.Summary.Groups = l.Summary.Groups[:min(keptGroups, len(l.Summary.Groups))]
	report := &l.Summary.Report
	report.Omitted += max(0, len(report.Failures)-keptFailures)
	report.Failures = report.Failures[:min(keptFailures, len(report.Failures))]
	return l, entries
}
