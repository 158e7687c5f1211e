package slugify

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Options configures how a slug is made. The zero Options gives lower-case
// words joined by hyphens.
type Options struct {
	// Separator separates words. Nil means "-". It may be empty or one of
	//
	//	- _ . ~ ! $ & ' ( ) * + , ; = : @
	//
	// which are the punctuation characters that a path segment of a URL may
	// hold unescaped (RFC 3986, section 3.3). In the text it separates words,
	// even where it would otherwise be dropped or become a word, as ' & and @
	// do.
	Separator *string

	// KeepCase keeps upper case. A letter that becomes several takes the case
	// of its neighbours: STRAẞE becomes STRASSE, Ærlig becomes Aerlig.
	KeepCase bool

	// Language is a BCP 47 tag of one of [Languages]; the error for any other
	// names the nearest one, if there is one, and not the tag. Language
	// determines the words for & and @ and the transliteration of some letters:
	// ü becomes ue in German. Only the language part of a tag counts (de-AT is de). The empty
	// tag, und, mul and private tags mean the transliteration that all
	// languages share, with English words for & and @.
	Language string

	// MaxLength is the maximum length of the slug in characters; 0 means no
	// limit. A slug that is too long loses whole words at its end. If its first
	// word alone is too long, that word is cut, but never within the characters
	// that one letter of the text became.
	MaxLength int

	// Fallback is slugged with the same options if the text gives an empty
	// slug.
	Fallback string

	// Preserve lists signs that are kept within words, such as "_" or ".". It
	// must not contain letters, digits, marks, white space, the separator, or
	// signs that NFC changes. A word without a letter or digit is still
	// dropped.
	Preserve string

	// Replace maps words or signs to their replacements. Case does not matter
	// in keys. There are three kinds of keys:
	//
	//   - A key with a sign, such as "♥" or "C++", matches in the text, the
	//     longest first. Its replacement becomes a word of its own; "" drops the
	//     key without separating words.
	//   - A key of one letter outside ASCII also matches within words.
	//   - Any other key matches words of the slug: "New York" matches in
	//     "new-york-city". It needs a separator that is not empty.
	//
	// No word of a replacement may be a key, so that the slug of a slug is
	// itself.
	Replace map[string]string

	// StopWords lists single words to leave out. Case does not matter. It must
	// be empty if the separator is, since such a slug has no visible words.
	StopWords []string

	// Unicode keeps the letters, marks and decimal digits of every script, in
	// lower case and NFC, instead of transliterating them. Language then only
	// determines the words for & and @. A letter keeps at most 16 marks.
	Unicode bool

	// SplitCamel separates words before a capital that begins a word:
	// parseHTMLPage becomes parse-html-page. APIs and 3D stay whole.
	SplitCamel bool

	// Emoji replaces emoji by their English names (Unicode CLDR 45), without
	// skin tone: 👍🏽 becomes thumbs-up. Replace takes precedence.
	Emoji bool
}

// separators are the legal separators of one character.
const separators = "-_.~!$&'()*+,;=:@"

// Validate returns nil if the options are valid, and otherwise joins an option
// error for each invalid one. All functions of the package return this error.
func (o Options) Validate() error {
	return new(Maker).prepare(&o)
}

// faults returns the faults of the options that do not concern whole words.
func (o *Options) faults() (all invalid.Faults) {
	if s := o.Separator; s != nil && !legalSeparator(*s) {
		all.Add("separator", "not_one_of", `must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @`)
	}
	if _, known := languageOf(o.Language); !known || !legalTag(o.Language) {
		reason, message := faultOfTag(o.Language)
		all.Add("language", reason, message)
	}
	if o.MaxLength < 0 {
		all.Add("maxLength", "out_of_range", "must be 0 or more")
	}
	for _, r := range o.Preserve {
		if !mayPreserve(r) || strings.ContainsRune(o.separator(), r) {
			all.Add("preserve", "invalid_format", "must hold signs alone, and not the separator")
			break
		}
	}
	return all
}

// faultOfTag returns the reason and the message for a tag that names no known
// language.
func faultOfTag(tag string) (reason, message string) {
	if !legalTag(tag) {
		return "invalid_format", "must be a BCP 47 tag such as de or pt-BR, of 1 to 8 letters or digits between hyphens"
	}
	if likely := nearestTag(tag); likely != "" {
		return "not_one_of", fmt.Sprintf("must be a known language; did you mean %q?", likely)
	}
	return "not_one_of", "must be a known language, such as de or pt-BR"
}

func (o *Options) separator() string {
	if o.Separator == nil {
		return "-"
	}
	return *o.Separator
}

func legalSeparator(s string) bool {
	return s == "" || len(s) == 1 && strings.Contains(separators, s)
}

// legalTag checks the form of a tag, but not whether its subtags are
// registered.
func legalTag(tag string) bool {
	if tag == "" {
		return true
	}
	for subtag := range strings.SplitSeq(tag, "-") {
		if subtag == "" || len(subtag) > 8 || strings.ContainsFunc(subtag, func(r rune) bool { return !isAlnum(r) }) {
			return false
		}
	}
	return true
}

// mayPreserve reports whether r is a sign that NFC leaves unchanged.
func mayPreserve(r rune) bool {
	return r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSymbol(r)) && norm.NFC.String(string(r)) == string(r)
}
