package slugify

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/devkiln/devkiln/internal/invalid"
)

// Options say how a slug is made. The zero value gives lower-case words
// joined by hyphens.
type Options struct {
	// Separator stands between words. Nil is "-". It may be empty or one of
	//
	//	- _ . ~ ! $ & ' ( ) * + , ; = : @
	//
	// which are the signs that a segment of a URL's path may hold unescaped
	// (RFC 3986, section 3.3). In the text it is a break, even where it would
	// else vanish or be a word, as ' & and @ would.
	Separator *string

	// KeepCase keeps upper case. A letter that becomes several follows the
	// letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig.
	KeepCase bool

	// Language is a BCP 47 tag of one of [Languages]. It chooses how & and @
	// are called and how some letters are spelled: ü is ue in German. Only the
	// language of a tag counts (de-AT is de). The empty tag, und, mul and
	// private tags mean the spelling that all languages have in common, with
	// the English names of & and @.
	Language string

	// MaxLength is the greatest length of the slug in characters, 0 for any.
	// A slug that is too long loses whole words from its end. When its first
	// word is too long by itself, that is cut, but never within what one
	// letter of the text became.
	MaxLength int

	// Fallback is slugged by the same options in place of a text that gives
	// nothing.
	Fallback string

	// Preserve holds signs that are kept within words, such as "_" or ".".
	// Letters, digits, marks and blanks cannot be preserved, nor can the
	// separator or a sign that NFC writes otherwise. A word without a letter
	// or digit is dropped still.
	Preserve string

	// Replace gives words or signs other names. Keys that hold a sign, such
	// as "♥" or "C++", are found in the text, the longest first, and become
	// words of their own; replaced by "", they vanish without a break. A key
	// that is one letter outside ASCII is found within words. All other keys
	// are words, found among the words of the slug: "New York" in
	// "new-york-city". Case does not count in keys. What replaces a word must
	// not be made of words that are in keys, so that slugging a slug changes
	// nothing, and words cannot be replaced where the separator is empty.
	Replace map[string]string

	// StopWords are words to leave out, one each. Case does not count. Where
	// the separator is empty they are not legal, since a slug then shows no
	// words.
	StopWords []string

	// Unicode keeps the letters, marks and decimal digits of every script,
	// lower-cased and in NFC, in place of spelling them in Latin. Language
	// then only says how & and @ are called. A letter keeps up to 16 marks.
	Unicode bool

	// SplitCamel splits words before the capitals that begin another:
	// parseHTMLPage is parse-html-page. APIs and 3D stay whole.
	SplitCamel bool

	// HTML reads the text as HTML: entities are what they stand for, tags,
	// comments and scripts are left out. Tags that may stand within a word,
	// such as <b>, are no break, all others are. It goes neither with the
	// separator & nor with a preserved & or <.
	HTML bool

	// Emoji writes the English names of emoji (Unicode CLDR 45) in place of a
	// break, without the colour of skin: 👍🏽 is thumbs-up. What Replace says
	// of one counts first.
	Emoji bool
}

// separators are the legal separators of one character.
const separators = "-_.~!$&'()*+,;=:@"

// Validate returns nil for options that are legal, and an option error for
// each that is not, joined: the error that all functions return for them.
func (o Options) Validate() error {
	_, err := o.maker()
	return err
}

// faults are the faults of options that look at no whole words.
func (o *Options) faults() (all invalid.Inputs) {
	if s := o.Separator; s != nil && !legalSeparator(*s) {
		all.Add("separator", "not_one_of", `must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @`)
	}
	if reason, message := faultOfTag(o.Language); message != "" {
		all.Add("language", reason, message)
	}
	if o.MaxLength < 0 {
		all.Addf("maxLength", "out_of_range", "is %d, must be 0 or more", o.MaxLength)
	}
	for _, r := range o.Preserve {
		if !mayPreserve(r) || strings.ContainsRune(o.separator(), r) {
			all.Addf("preserve", "invalid_format", "has %q, must hold only signs other than the separator", r)
			break
		}
	}
	if o.HTML && (o.separator() == "&" || strings.ContainsAny(o.Preserve, "&<")) {
		all.Add("html", "invalid_format", "does not go with the separator & or a preserved & or <")
	}
	return all
}

// faultOfTag returns the reason and the message for a tag that is not one of a
// known language, "" for none.
func faultOfTag(tag string) (reason, message string) {
	if !legalTag(tag) {
		return "invalid_format", "must be a BCP 47 tag such as de or pt-BR, of 1 to 8 letters or digits between hyphens"
	}
	if _, known := languageTable(tag); known {
		return "", ""
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

// legalTag checks the shape of a tag, not that its subtags are registered.
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

// mayPreserve reports a sign that NFC leaves as it is.
func mayPreserve(r rune) bool {
	return r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSymbol(r)) && norm.NFC.String(string(r)) == string(r)
}
