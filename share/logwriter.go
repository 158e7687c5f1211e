package share

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/share/seal"
	"github.com/devkiln/devkiln/store"
)

// A LogWriter receives the text of a log of any size. It must not be used by
// several goroutines at once, and needs no closing if the text breaks off.
type LogWriter struct {
	service *Service
	options LogOptions
	id      string // of a log in several parts

	pending []byte // text not yet in a part
	valid   int    // bytes of pending that are known to be UTF-8
	chars   int    // code points so far
	read    int64  // bytes before pending
	sum     hash.Hash

	parts   []packedPart
	made    int // including the parts left out
	bytes   int // total of the parts
	lines   int // line feeds in the parts
	json    bool
	masked  mask.Found
	front   int // number of leading parts that are never left out
	omitted struct{ lines, errors int }
}

// packedPart is a part as it is stored.
type packedPart struct {
	LogPart

	value  []byte
	lines  int
	errors int // error and fatal entries; counted only with FitEnds
}

const (
	partBytes  = 512 << 10 // maximum text of one of several parts
	lookAround = 64 << 10  // searched before and after its end for a place to cut
	// endsFactor times MaxLogBytes bounds a log of which FitEnds keeps the ends.
	endsFactor = 4
)

// UTF8Error is the error for text that is not valid UTF-8. It has the methods of
// every error about an input, see the package comment.
type UTF8Error struct {
	invalid.Fault

	Offset int64 // offset of the first invalid byte, counted from 0
}

// NewLog returns a [LogWriter] for a log with these options. Its text must be
// valid UTF-8 of at most [Service.MaxLogBytes] bytes, or four times as many
// with FitEnds, and without FitEnds of at most [MaxLogLines] lines. Text longer than
// [MaxLogContent] becomes several parts. That requires a [store.Backend], and
// the format is json if each line is JSON. A log that burns or is encrypted has
// one part.
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
	_, _ = w.sum.Write(p) // a hash.Hash never returns an error
	for piece := range slices.Chunk(p, lookAround) {
		w.pending = append(w.pending, piece...)
		if err := w.check(); err != nil {
			return 0, err
		}
		for w.Long() && len(w.pending) >= partBytes+lookAround {
			if err := w.cut(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

// Long reports whether the text written so far is too long for one part.
func (w *LogWriter) Long() bool {
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
// [LogWriter.Long], of the text, as [LogOptions.Validate] does.
func (w *LogWriter) Validate() error {
	if !w.Long() {
		return w.options.Validate(string(w.pending))
	}
	o := w.options
	if o.Format == FormatJSON {
		o.Format = FormatText // split checks whether it is JSON
	}
	return o.Validate("text")
}

// check checks the text written last: that it is valid UTF-8, apart from an
// incomplete character at its end, and within the limits.
func (w *LogWriter) check() error {
	if text := w.pending[w.valid:]; utf8.Valid(text) {
		w.valid, w.chars = len(w.pending), w.chars+utf8.RuneCount(text)
	}
	for w.valid < len(w.pending) {
		r, n := utf8.DecodeRune(w.pending[w.valid:])
		if r == utf8.RuneError && n == 1 {
			if !utf8.FullRune(w.pending[w.valid:]) {
				break
			}
			return w.badText()
		}
		w.valid += n
		w.chars++
	}
	if w.Long() && (w.options.Burn || w.options.Encrypted) {
		return tooLong("has more than %d characters, which a log that is read once or encrypted must not have", MaxLogContent)
	}
	if w.read+int64(len(w.pending)) > w.MaxBytes() {
		return tooLong("has more than %d bytes", w.MaxBytes())
	}
	return nil
}

// badText returns the error for text that is not UTF-8 after what is.
func (w *LogWriter) badText() error {
	return &UTF8Error{invalid.Fault{Field: "content", Reason: "invalid_format", Message: "must be valid UTF-8"}, w.read + int64(w.valid)}
}

func tooLong(format string, args ...any) error {
	return &invalid.Fault{Field: "content", Reason: "too_long", Message: fmt.Sprintf(format, args...)}
}

// cut makes a part of the first bytes of pending.
func (w *LogWriter) cut() error {
	text := string(w.pending)
	n := len(text)
	if n > partBytes {
		n = w.place(text, partEnd(text))
	}
	w.pending = append(w.pending[:0], text[n:]...)
	w.valid -= n
	w.read += int64(n)
	return w.add(w.service.mask(w.options.Mask, text[:n], 0, &w.masked))
}

// place moves the end of a part so that it splits no secret: masking both sides
// separately must equal masking them together. It tries the wanted end, the
// last blank before it (for lines longer than a part), the line where a private
// key starts, and the two lines before. If all split one, it returns the wanted
// end.
func (w *LogWriter) place(text string, wanted int) int {
	if !w.service.masks && !w.options.Mask {
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

// partEnd returns where a part at the start of text, which is longer than a
// part, may end: before the last line that starts an entry, else after the last
// line feed, or else after the last whole character.
func partEnd(text string) int {
	end, from := partBytes, partBytes-lookAround
	from += strings.IndexByte(text[from:end], '\n') + 1
	at, entry := from, 0
	for line := range logs.Lines(text[from:end]) {
		if line.Head && at > from {
			entry = at
		}
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	if entry > 0 {
		return entry
	}
	if i := strings.LastIndexByte(text[:end], '\n'); i >= 0 {
		return i + 1
	}
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// add appends a part and leaves out others to stay within MaxLogBytes and
// MaxLogLines.
func (w *LogWriter) add(text string) error {
	p, err := w.pack(w.made, text)
	if err != nil {
		return err
	}
	w.made++
	w.json = w.json && isJSON(text)
	w.bytes += p.Bytes
	w.lines += p.lines
	w.parts = append(w.parts, p)
	limit := int(w.service.MaxLogBytes())
	if w.bytes <= limit/2 && w.lines <= MaxLogLines/2 {
		w.front = len(w.parts)
	}
	for w.options.FitEnds && (w.bytes > limit || w.lines > MaxLogLines) {
		w.omit()
	}
	if w.lines > MaxLogLines {
		return tooLong("has more than %d lines", MaxLogLines)
	}
	return nil
}

// pack returns a part in its stored form.
func (w *LogWriter) pack(number int, text string) (packedPart, error) {
	p := packedPart{LogPart: LogPart{Number: number, Bytes: len(text)}, lines: strings.Count(text, "\n")}
	if w.options.FitEnds {
		a := logs.AnalyzeString(text, logs.Options{})
		p.errors = a.Errors + a.Fatal
	}
	value, err := pack(w.service.encoder, envelope{content: text, header: header{Key: partKey(w.id, number)}})
	p.value = value
	return p, err
}

// omit leaves out the first part after the front.
func (w *LogWriter) omit() {
	p := w.parts[w.front]
	w.parts = slices.Delete(w.parts, w.front, w.front+1)
	w.bytes -= p.Bytes
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
	longer, err := w.pack(last.Number, text)
	w.bytes += longer.Bytes - last.Bytes
	*last = longer
	return err
}

func (w *LogWriter) text(p packedPart) (string, error) {
	e, err := unpack(w.service.decoder, partKey(w.id, p.Number), p.value)
	return e.content, err
}

// Create stores what was written, and returns the log as [Service.Log] does.
// Its errors are those of [Service.CreateLog]. It takes about a second of
// processor time for 32 MiB of text.
func (w *LogWriter) Create(ctx context.Context) (Log, error) {
	if w.valid < len(w.pending) {
		return Log{}, w.badText()
	}
	if err := w.Validate(); err != nil {
		return Log{}, err
	}
	return w.create(ctx, string(w.pending))
}

// create stores a log with this text unless it is in several parts.
func (w *LogWriter) create(ctx context.Context, content string) (Log, error) {
	o := w.options
	asked := []string{string(KindLog), content, o.Title, string(o.Expiry), string(o.Format), string(o.Stats)}
	e := envelope{kind: KindLog, header: header{Stats: o.Stats, Info: Info{Owner: o.Owner, Burn: o.Burn, Encrypted: o.Encrypted}}}
	w.service.date(&e.header, o.Expiry, o.MaxExpiry)
	if w.Long() {
		asked[1] = hex.EncodeToString(w.sum.Sum(nil))
		asked = append(asked, strconv.FormatBool(o.FitEnds))
		if err := w.split(&e); err != nil {
			return Log{}, err
		}
	} else {
		e.content = content
		if !o.Encrypted {
			e.content = w.service.mask(o.Mask, e.content, MaxLogContent, &w.masked)
		}
		w.json = o.Format == FormatJSON || o.Format != FormatText && isJSON(e.content)
	}
	if !o.Encrypted {
		o.Title = w.service.mask(o.Mask, o.Title, MaxLogTitle, &w.masked)
	}
	e.header.Title, e.header.Format, e.header.Masked = o.Title, FormatText, w.masked
	if w.json && o.Format != FormatText {
		e.header.Format = FormatJSON
	}
	id, err := w.service.create(ctx, &e, newReceipt(e.header.Info, o.IdempotencyKey, asked...))
	if err != nil {
		return Log{}, err
	}
	return e.log(id), nil
}

// split makes the last parts, checks what only the whole text can show, and
// adds the parts and their index to e.
func (w *LogWriter) split(e *envelope) error {
	if w.service.backend == nil {
		return errNoParts
	}
	for len(w.pending) > 0 {
		if err := w.cut(); err != nil {
			return err
		}
	}
	if w.options.Format == FormatJSON && !w.json {
		return &invalid.Fault{Field: "format", Reason: "invalid_format", Message: "is json, but content is not JSON lines"}
	}
	if err := w.appendOmission(); err != nil {
		return err
	}
	e.id, e.index = w.id, &index{Bytes: w.bytes}
	line := 1
	for _, p := range w.parts {
		p.Line = line
		e.index.Parts = append(e.index.Parts, p.LogPart)
		e.parts = append(e.parts, store.Entry{Key: partKey(w.id, p.Number), Value: p.value})
		line += p.lines
	}
	w.analyze(e)
	return nil
}

// analyze adds what is known of the parts to the index of e.
func (w *LogWriter) analyze(e *envelope) {
	texts := func(yield func(string) bool) {
		for _, p := range w.parts {
			text, _ := w.text(p) // packed by this process
			if !yield(text) {
				return
			}
		}
	}
	summary := logs.SummarizeParts(texts, logs.Options{Now: e.header.Created, Bars: chartBars})
	summary.Groups = summary.Groups[:min(keptGroups, len(summary.Groups))]
	report := &summary.Report
	report.Omitted += max(0, len(report.Failures)-keptFailures)
	report.Failures = report.Failures[:min(keptFailures, len(report.Failures))]
	e.index.Summary, e.index.Histogram = summary, summary.Bars
	e.index.Summary.Bars = nil // as it is read back
}
