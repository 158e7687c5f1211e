// Package slugify turns text into slugs for URLs and file names: into ASCII from
// the 36 scripts that unidecode spells, or, with Options.Unicode, from every
// script in its own letters.
//
// Start with [Make]: Make("Crème Brûlée!", Options{}) returns creme-brulee.
// [Append] writes a slug to a buffer, [Is] reports whether a text is a slug,
// [Unique] numbers slugs that are taken, and a [Set] numbers those of a stream of
// texts. [Options] configures all of them, and a [Maker] validates its options
// once for many texts.
//
// A slug is made by these rules, in this order:
//
//   - Bytes that are not UTF-8 separate words. The text is normalized to NFC,
//     so that the encoding of accents does not matter.
//   - Letters are replaced as the language's table says, and otherwise by the
//     Latin letters of github.com/gosimple/unidecode, except for a short list
//     of letters that it lacks or gets wrong. Other characters are replaced by
//     their compatibility decomposition: 𝐁𝐨𝐥𝐝 becomes bold, ½ becomes 1-2.
//   - The slug holds a–z and 0–9 (also A–Z if case is kept) and the separator,
//     which is never first, last or doubled.
//   - Apostrophes are dropped, also those that transliteration produces: don't
//     becomes dont, фильм becomes film. So are soft hyphens, joiners, byte
//     order marks and directional marks.
//   - & and @ become words: AT&T becomes at-and-t. So do currency signs, © ®
//     and ™. A language has its own words for & and @, or treats them as
//     separators.
//   - Everything else separates words: my🎉party and my_party become my-party,
//     and 1.5 becomes 1-5.
//   - The slug of a slug is the slug itself, whatever the options.
//
// Invalid options are always an error, whatever the text. All functions may be
// called from several goroutines. Tables are built when a text first needs
// them; ASCII needs none. With Options that set only Separator, KeepCase,
// Language or MaxLength, a slug takes one pass over the text and allocates only
// its result, unless the text is not in NFC or KeepCase changes the case of an
// expansion. Any other option makes a Maker worthwhile; those that look at
// whole words take about ten times as long. Time and memory are linear in the
// length of the text.
//
// The transliteration of letters may change between versions: store slugs
// instead of making them again. Transliteration maps letters, not words:
// Japanese Han is read as Chinese, Arabic and Hebrew are written without
// vowels, and letters of scripts that unidecode does not support, such as
// Tifinagh, N'Ko, Adlam and Javanese, are dropped.
//
// An error about an option has a method Invalid() (field, reason string), which
// returns its name in the HTTP API, such as stopWords[2], and a word such as
// invalid_format. An error about several unwraps to one for each.
// InvalidFields of the root package, devkiln, lists the messages of all of them
// by field, also in errors that are wrapped or joined.
package slugify

import (
	"sync"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Make returns the slug of text. It returns "" if the text holds nothing that
// can be part of a slug and [Options] has no Fallback. A text that is already a
// slug is returned unchanged, without an allocation.
//
// The error joins an option error for each invalid option.
func Make(text string, o Options) (string, error) {
	var m Maker
	if err := m.prepare(&o); err != nil {
		return "", err
	}
	return m.Make(text), nil
}

// Append appends the slug of text, as [Make] returns it, to dst. The error is
// that of Make; dst is then returned unchanged.
func Append(dst []byte, text string, o Options) ([]byte, error) {
	var m Maker
	if err := m.prepare(&o); err != nil {
		return dst, err
	}
	return m.append(dst, text), nil
}

// Is reports whether slug is a slug under the options: not empty, and left
// unchanged by [Make]. It returns false for invalid options.
func Is(slug string, o Options) bool {
	var m Maker
	err := m.prepare(&o)
	return err == nil && m.is(slug)
}

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
		m.speller.set(o)
		return o.faults().Err()
	}
	faults := o.faults()
	var ofWords invalid.Faults
	if m.composer, ofWords = o.composer(); o.Fallback != "" {
		if m.fallback = m.Make(o.Fallback); m.fallback == "" {
			faults.Add("fallback", "invalid_format", "must contain a letter or digit that a slug can have")
		}
	}
	return append(faults, ofWords...).Err()
}

// Make returns the slug of text, like the function [Make].
func (m *Maker) Make(text string) string {
	if m.composer != nil {
		return string(m.append(nil, text))
	}
	if m.speller.isSlug(text) {
		return text
	}
	buf := scratch.Get().(*[]byte)
	*buf = m.append((*buf)[:0], text)
	slug := string(*buf)
	if cap(*buf) <= maxScratch {
		scratch.Put(buf)
	}
	return slug
}

// scratch holds buffers for slugs under construction, of up to maxScratch bytes.
// Without it a slug takes two allocations (BenchmarkSlug in internal/bench).
var scratch = sync.Pool{New: func() any { return new([]byte) }}

const maxScratch = 1 << 20

// append appends the slug of text to dst.
func (m *Maker) append(dst []byte, text string) []byte {
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

func (m *Maker) is(slug string) bool {
	if m.composer == nil {
		return m.speller.isSlug(slug)
	}
	return slug != "" && m.Make(slug) == slug
}
