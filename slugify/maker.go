package slugify

import (
	"cmp"
	"sync"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Maker makes slugs with options that it has validated and prepared once, which
// is worthwhile for many texts if the options look at whole words. It is
// immutable and may be used from several goroutines. Make one with [NewMaker]:
// the methods of the zero Maker panic.
type Maker struct {
	speller  speller   // for options that one pass over the text satisfies
	composer *composer // for the others
	fallback string
}

// NewMaker returns a [Maker] with these options. The error joins an option
// error for each invalid option.
func NewMaker(o Options) (*Maker, error) {
	m := new(Maker)
	if err := m.prepare(&o); err != nil {
		return nil, err
	}
	return m, nil
}

// MustMaker is [NewMaker] for options that are known when the program is
// written. It panics if they are invalid.
func MustMaker(o Options) *Maker {
	m, err := NewMaker(o)
	if err != nil {
		panic("slugify: MustMaker: " + err.Error())
	}
	return m
}

// prepare sets up a zero Maker for the options. It does not allocate for valid
// options that satisfy [Options.singlePass] and have no Fallback.
func (m *Maker) prepare(o *Options) error {
	if o.singlePass() && o.Fallback == "" {
		m.speller = o.speller()
		return o.checkSimple()
	}
	faults := o.faults()
	var ofWords invalid.Inputs
	if o.singlePass() {
		m.speller = o.speller()
	} else {
		m.composer, ofWords = o.composer()
	}
	if o.Fallback != "" {
		if m.fallback = m.Make(o.Fallback); m.fallback == "" {
			faults.Add("fallback", "invalid_format", "must contain a letter or digit that a slug can have")
		}
	}
	return append(faults, ofWords...).Err()
}

// checkSimple returns the faults of the options that do not concern whole
// words. It does not allocate if there are none.
func (o *Options) checkSimple() error {
	_, known := languageTable(o.Language)
	if known && o.MaxLength >= 0 && (o.Separator == nil || legalSeparator(*o.Separator)) && legalTag(o.Language) {
		return nil
	}
	return o.faults().Err()
}

// Make returns the slug of text, like the function [Make].
func (m *Maker) Make(text string) string {
	if m.composer != nil {
		return string(m.Append(nil, text))
	}
	if m.speller.isSlug(text) {
		return text
	}
	buf := scratch.Get().(*[]byte)
	*buf = m.speller.append((*buf)[:0], text)
	slug := string(*buf)
	if cap(*buf) <= maxScratch {
		scratch.Put(buf)
	}
	return cmp.Or(slug, m.fallback)
}

// scratch holds buffers for slugs under construction, of 4 KiB to maxScratch
// bytes. Without it a slug takes two allocations (BenchmarkSlug in
// internal/bench).
var scratch = sync.Pool{New: func() any {
	buf := make([]byte, 0, 4<<10)
	return &buf
}}

const maxScratch = 1 << 20

// Append appends the slug of text to dst, like the function [Append].
func (m *Maker) Append(dst []byte, text string) []byte {
	var out []byte
	if m.composer != nil {
		out = m.composer.append(dst, text)
	} else {
		out = m.speller.append(dst, text)
	}
	if len(out) == len(dst) {
		return append(out, m.fallback...)
	}
	return out
}

// Is reports whether slug is a slug, like the function [Is].
func (m *Maker) Is(slug string) bool {
	if m.composer == nil {
		return m.speller.isSlug(slug)
	}
	return slug != "" && m.Make(slug) == slug
}
