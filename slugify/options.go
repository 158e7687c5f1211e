package slugify

import (
	"errors"
	"strconv"
	"strings"
)

// Options say how a slug is made. The zero value gives lower-case words
// joined by hyphens.
type Options struct {
	// Separator stands between words. Nil is "-". It may be empty or one of
	//
	//	- _ . ~ ! $ & ' ( ) * + , ; = : @
	//
	// which are the signs that a path segment of a URL may hold unescaped
	// (RFC 3986, section 3.3). Make writes any other separator as it stands;
	// its result is then not a slug, and Is says so.
	Separator *string

	// KeepCase keeps upper case. A letter that becomes several follows the
	// letters beside it: STRAẞE is STRASSE, Ærlig is Aerlig.
	KeepCase bool

	// Language is a BCP 47 tag. It chooses how & and @ are called and how
	// some letters are spelled: ü is ue in German. A tag falls back to its
	// language (de-AT to de), and a language without a table to the spelling
	// that all have in common, which the empty tag means too.
	Language string

	// MaxLength is the greatest length of the result in characters, 0 for
	// any. A slug that is too long loses whole words from its end; when its
	// first word is too long, that loses letters, but never a part of what
	// one letter of the text became.
	MaxLength int
}

// separators are the legal separators of one character.
const separators = "-_.~!$&'()*+,;=:@"

// OptionError says what is wrong with one option.
type OptionError struct {
	// Field is the option by the name that it has on the wire: separator.
	Field string
	// Reason is one of not_one_of, out_of_range, invalid_format.
	Reason string
	// Message is for a person.
	Message string
}

// Error joins the field and the message.
func (e *OptionError) Error() string { return e.Field + ": " + e.Message }

// Invalid returns the field and the reason.
func (e *OptionError) Invalid() (field, reason string) { return e.Field, e.Reason }

// Validate returns nil, or an [OptionError] for each option that is not
// legal, joined.
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
		add("maxLength", "out_of_range", "is "+strconv.Itoa(o.MaxLength)+", must be 0 or more")
	}
	return errors.Join(all...)
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
