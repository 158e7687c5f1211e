// Package slugify turns text in any script into slugs for URLs and file names.
//
// Start with [Make]: Make("Crème Brûlée!", Options{}) returns creme-brulee.
// [Append] writes a slug to a buffer, [Is] reports whether a text is a slug,
// and [Unique] numbers slugs that are taken. [Options] configures all of them,
// and a [Maker] validates its options once for many texts.
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
// expansion. Any other option makes a Maker
// worthwhile; those that look at whole words take about ten times as long. Time
// and memory are linear in the length of the text.
//
// The transliteration of letters may change between versions: store slugs
// instead of making them again. Transliteration maps letters, not words:
// Japanese Han is read as Chinese, Arabic and Hebrew are written without
// vowels, and scripts that unidecode does not support give nothing.
//
// An error about an option has a method Invalid() (field, reason string), which
// returns its name in the HTTP API, such as stopWords[2], and a word such as
// invalid_format. An error about several unwraps to one for each. Both kinds have a
// method InvalidFields() map[string]string, which lists the messages by field;
// [errors.AsType] finds it in any error.
package slugify

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
	return m.Append(dst, text), nil
}

// Is reports whether slug is a slug under the options: not empty, and left
// unchanged by [Make]. It returns false for invalid options.
func Is(slug string, o Options) bool {
	var m Maker
	err := m.prepare(&o)
	return err == nil && m.Is(slug)
}
