package slugify

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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
	// else vanish or be a word, as ' & and @ would. Make writes any other
	// separator as it stands between the words, which are then no slug.
	Separator *string

	// KeepCase keeps upper case. A letter that becomes several follows the
	// letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig.
	KeepCase bool

	// Language is a BCP 47 tag. It chooses how & and @ are called and how
	// some letters are spelled: ü is ue in German. A tag falls back to its
	// language (de-AT to de), and what has no table to the spelling that all
	// have in common, which the empty tag means too. The tables are those of
	// github.com/gosimple/slug: bg cs de el en es fi fr hu id it kk nb nl nn
	// pl pt ro sl sv tr.
	Language string

	// MaxLength is the greatest length of the slug in characters, 0 for any.
	// A slug that is too long loses whole words from its end. When its first
	// word is too long by itself, that is cut, but never within what one
	// letter of the text became. Make takes a negative one as 0.
	MaxLength int

	// Fallback is slugged by the same options in place of a text that gives
	// nothing.
	Fallback string

	// Preserve holds signs that are kept within words, such as "_" or ".".
	// Letters, digits, marks and blanks cannot be preserved, nor can a sign
	// that NFC writes otherwise; Make ignores them, and the separator. A word
	// without a letter or digit is dropped still.
	Preserve string

	// Replace gives words or signs other names. Keys that hold a sign, such
	// as "♥" or "C++", are found in the text, the longest first, and become
	// words of their own; replaced by "", they vanish without a break. A key
	// that is one letter outside ASCII is found within words. All other keys
	// are words, found among the words of the slug: "New York" in
	// "new-york-city". Case does not count in keys. What replaces a word must
	// not be made of words that are in keys, so that slugging a slug changes
	// nothing, and words cannot be replaced where the separator is empty; Make
	// leaves out what is not legal.
	Replace map[string]string

	// StopWords are words to leave out, one each. Case does not count. Where
	// the separator is empty they are not legal, since a slug then shows no
	// words; Make leaves them out still.
	StopWords []string

	// Unicode keeps the letters, marks and decimal digits of every script,
	// lower-cased and in NFC, in place of spelling them in Latin. Language
	// then only says how & and @ are called. A letter keeps up to 16 marks.
	Unicode bool

	// SplitCamel splits words before the capitals that begin another:
	// parseHTMLPage is parse-html-page. APIs and 3D stay whole.
	SplitCamel bool
}

// separators are the legal separators of one character.
const separators = "-_.~!$&'()*+,;=:@"

// OptionError says what is wrong with one option.
type OptionError struct {
	// Field is the option by the name that it has on the wire, such as
	// separator or stopWords[2].
	Field string
	// Reason is one of invalid_format, not_one_of, out_of_range.
	Reason string
	// Message is for a person.
	Message string
}

// Error joins the field and the message.
func (e *OptionError) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *OptionError) Invalid() (field, reason string) { return e.Field, e.Reason }

// Validate returns nil for options that are legal, and an [OptionError] for
// each that is not, joined. Make and the others take any options; what they do
// with an illegal one stands with each.
func (o Options) Validate() error {
	var all []error
	add := func(field, reason, message string) {
		all = append(all, &OptionError{Field: field, Reason: reason, Message: message})
	}
	if s := o.Separator; s != nil && !legalSeparator(*s) {
		add("separator", "not_one_of", `must be empty or one of - _ . ~ ! $ & ' ( ) * + , ; = : @`)
	}
	if !legalTag(o.Language) {
		add("language", "invalid_format", "must be a BCP 47 tag such as de or pt-BR, of 1 to 8 letters or digits between hyphens")
	}
	if o.MaxLength < 0 {
		add("maxLength", "out_of_range", fmt.Sprintf("is %d, must be 0 or more", o.MaxLength))
	}
	for _, r := range o.Preserve {
		if !mayPreserve(r) || strings.ContainsRune(o.separator(), r) {
			add("preserve", "invalid_format", fmt.Sprintf("has %q, must hold only signs other than the separator", r))
			break
		}
	}
	if o.Fallback != "" && len(o.composer().words(o.Fallback)) == 0 {
		add("fallback", "invalid_format", "must hold a letter or digit that a slug can be made of")
	}
	if len(o.StopWords) > 0 {
		all = append(all, o.faultsOfStopWords()...)
	}
	if len(o.Replace) > 0 {
		_, faults := o.replacer(o.stoppingComposer())
		all = append(all, faults...)
	}
	return errors.Join(all...)
}

func (o *Options) faultsOfStopWords() []error {
	var all []error
	plain := o.bareComposer()
	for i, word := range o.StopWords {
		message := ""
		switch {
		case o.separator() == "":
			message = "cannot be left out where the separator is empty"
		case len(plain.words(word)) != 1:
			message = "must be one word"
		default:
			continue
		}
		all = append(all, &OptionError{Field: fmt.Sprintf("stopWords[%d]", i), Reason: "invalid_format", Message: message})
	}
	return all
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
