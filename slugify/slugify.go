// Package slugify turns text of any script into slugs for URLs and file names.
//
// [Make] is the place to start: Make("Crème Brûlée!", Options{}) is
// creme-brulee. [Append] does the same into a buffer, [Is] tells whether a text
// is a slug already, [Unique] numbers slugs that are taken. What can be chosen
// stands in [Options]; a [Maker] does all of that by options that are checked
// once.
//
// A slug is made by these rules, in this order:
//
//   - Bytes that are not UTF-8 are a break between words. The text is put into
//     NFC, so that it does not matter how its accents are written.
//   - Letters become what the language's table says, and else the Latin letters
//     that github.com/gosimple/unidecode has for them, but for a short list
//     where those are missing or misleading. What is left is read by its
//     compatibility decomposition: 𝐁𝐨𝐥𝐝 is bold, ½ is 1-2.
//   - The slug holds a–z and 0–9 (A–Z too where case is kept) and the
//     separator, which never leads, trails or doubles.
//   - Apostrophes vanish, also those that transliteration makes: don't is dont,
//     фильм is film. So do the soft hyphen, joiners, byte order marks and marks
//     of direction.
//   - & and @ are words: AT&T is at-and-t. So are currency signs, © ® and ™.
//     A language has its own words for & and @, or makes breaks of them.
//   - All else is a break: my🎉party is my-party, my_party too, and 1.5 is 1-5.
//   - Slugging a slug changes nothing, by all options that are legal.
//
// Options that are not legal are an error, always, whatever the text. Functions
// may be called from many goroutines. Tables are made when a text first needs
// them; ASCII needs none. By Options that name only Separator, KeepCase,
// Language or MaxLength a slug takes one pass over the text and no memory but
// for the result, unless the text is not in NFC. All others are worth a
// [Maker]; what looks at whole words takes about ten times as long. Time and
// memory are in proportion to the text by all options.
//
// The spelling of letters is not promised to stay the same between versions:
// keep slugs, do not make them anew. Transliteration knows letters, not words:
// Japanese Han is read as Chinese, Arabic and Hebrew without their vowels, and
// scripts that unidecode does not know give nothing.
//
// The error of an option, of which several may be joined, has a method
// Invalid() (field, reason string): the option's name in the HTTP API, such as
// stopWords[2], and a word such as invalid_format.
package slugify

// Make returns the slug of a text, "" when the text holds nothing to make one
// of and Options no Fallback. A text that is a slug already is returned as it
// is, without an allocation.
//
// The error joins an option error for every option that is not legal.
func Make(text string, o Options) (string, error) {
	m, err := o.maker()
	if err != nil {
		return "", err
	}
	return m.Make(text), nil
}

// Append appends the slug of a text, as [Make] returns it, to dst. The error is
// that of Make; dst is returned as it was then.
func Append(dst []byte, text string, o Options) ([]byte, error) {
	m, err := o.maker()
	if err != nil {
		return dst, err
	}
	return m.Append(dst, text), nil
}

// Is reports whether a text is a slug by these options: not empty, and left as
// it is by [Make]. By options that are not legal there are no slugs.
func Is(slug string, o Options) bool {
	m, err := o.maker()
	return err == nil && m.Is(slug)
}
