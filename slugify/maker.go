package slugify

import (
	"errors"
	"sync"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Maker makes slugs by options that it has checked and made ready once, which
// pays for many texts when the options look at whole words. It is immutable and
// may be used from many goroutines.
type Maker struct {
	plan     plan      // of a single pass
	composer *composer // for options that a single pass does not do
	fallback string
}

// NewMaker returns what makes slugs by these options. The error joins an
// option error for every option that is not legal.
func NewMaker(o Options) (*Maker, error) {
	all := o.faults()
	m := new(Maker)
	if o.singlePass() {
		m.plan = o.plan()
	} else {
		m.composer = o.composer()
	}
	if o.Fallback != "" {
		if m.fallback = m.Make(o.Fallback); m.fallback == "" {
			all = append(all, &invalid.Input{Field: "fallback", Reason: "invalid_format", Message: "must hold a letter or digit that a slug can be made of"})
		}
	}
	all = append(all, o.faultsOfStopWords()...)
	if len(o.Replace) > 0 {
		_, faults := o.replacer(o.stoppingComposer())
		all = append(all, faults...)
	}
	if len(all) > 0 {
		return nil, errors.Join(all...)
	}
	return m, nil
}

// Make returns the slug of a text, as the function [Make] does.
func (m *Maker) Make(text string) string {
	if m.composer != nil {
		return string(m.Append(nil, text))
	}
	if m.plan.isSlug(text) {
		return text
	}
	if slug := m.plan.make(text); slug != "" {
		return slug
	}
	return m.fallback
}

// Append appends the slug of a text to dst, as the function [Append] does.
func (m *Maker) Append(dst []byte, text string) []byte {
	var out []byte
	if m.composer != nil {
		out = m.composer.append(dst, text)
	} else {
		out = m.plan.append(dst, text)
	}
	if len(out) == len(dst) {
		return append(out, m.fallback...)
	}
	return out
}

// Is reports whether a text is a slug, as the function [Is] does.
func (m *Maker) Is(slug string) bool {
	if m.composer == nil {
		return m.plan.isSlug(slug)
	}
	return slug != "" && m.Make(slug) == slug
}

// make returns the slug of a text in memory of its own.
func (p *plan) make(text string) string {
	buf := scratch.Get().(*[]byte)
	*buf = p.append((*buf)[:0], text)
	slug := string(*buf)
	if cap(*buf) <= maxScratch {
		scratch.Put(buf)
	}
	return slug
}

// scratch holds buffers in which slugs are made, from room for any title up to
// maxScratch bytes. Without it a slug takes two allocations (BenchmarkSlug in
// internal/bench).
var scratch = sync.Pool{New: func() any {
	buf := make([]byte, 0, 4<<10)
	return &buf
}}

const maxScratch = 1 << 20
