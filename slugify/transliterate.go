package slugify

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"
)

// transliterate returns what a rune outside ASCII becomes in every language:
// ASCII letters and digits, with a space where a word ends or begins. "" is a
// rune that vanishes, a lone space one that is a break.
//
// The letters come from unidecode. What it says of signs is a drawing of their
// shape more often than not (§ is SS, ▼ is V), so that signs are read by their
// compatibility decomposition instead.
func transliterate(r rune) string {
	if s, ok := exception(r); ok {
		return s
	}
	switch {
	case unicode.IsLetter(r), unicode.IsMark(r):
		return spellLetter(r)
	case unicode.IsNumber(r):
		return spellNumber(r)
	case isBraille(r):
		return tidy(unidecode.Unidecode(string(r)))
	default:
		return spellSign(r)
	}
}

func spellLetter(r rune) string {
	latin := unidecode.Unidecode(string(r))
	if hasAlnum(latin) {
		return wordOf(r, latin)
	}
	if silent(latin) {
		return ""
	}
	if s := decomposed(r); hasAlnum(s) {
		return s
	}
	if s := otherCase(r); s != "" {
		return s
	}
	if s, ok := namedLetters()[r]; ok {
		return s
	}
	if unicode.IsMark(r) || unicode.Is(unicode.Lm, r) {
		return ""
	}
	return " "
}

// wordOf drops the punctuation of a letter's spelling and gives it the case of
// the letter. Han is spelled in syllables, each a word that begins with a
// capital; other letters without case in lower case.
func wordOf(r rune, latin string) string {
	s := strings.Map(func(c rune) rune {
		if isAlnum(c) || c == ' ' {
			return c
		}
		return -1
	}, latin)
	switch {
	case unicode.Is(unicode.Han, r):
		return " " + strings.TrimSpace(s) + " "
	case caseOf(r) != upper:
		return strings.ToLower(s)
	case s == strings.ToLower(s):
		return title(s)
	}
	return s
}

// silent reports that unidecode knows a letter but spells it without one of
// ours: the soft sign, ayin, the glottal stop. What it does not know is empty
// or "[?]".
func silent(latin string) bool {
	latin = strings.TrimSpace(latin)
	return latin != "" && latin != "[?]"
}

// otherCase spells a letter of which only the other case is known.
func otherCase(r rune) string {
	if s := known(unicode.ToLower(r)); s != "" {
		return title(s)
	}
	return strings.ToLower(known(unicode.ToUpper(r)))
}

// known is the spelling of a letter, empty for one that has none of its own.
func known(r rune) string {
	if s, ok := exception(r); ok {
		return s
	}
	if latin := unidecode.Unidecode(string(r)); hasAlnum(latin) {
		return wordOf(r, latin)
	}
	return ""
}

func spellNumber(r rune) string {
	if unicode.Is(unicode.Nd, r) {
		return strconv.Itoa(digitValue(r))
	}
	if latin := unidecode.Unidecode(string(r)); hasAlnum(latin) && !strings.Contains(latin, "[") {
		return tidy(latin)
	}
	if s := decomposed(r); hasAlnum(s) {
		return s
	}
	return " "
}

// digitValue is the value of a decimal digit. Unicode keeps the ten digits of
// a set in a row, beginning with zero.
func digitValue(r rune) int {
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return int(r-first) % 10
}

// spellSign spells all that is neither letter, mark nor number.
func spellSign(r rune) string {
	if latin := unidecode.Unidecode(string(r)); latin == "'" || latin == "`" {
		return ""
	}
	if s := decomposed(r); hasAlnum(s) {
		return s
	}
	return " "
}

// decomposed spells a rune by its compatibility decomposition.
func decomposed(r rune) string {
	parts := norm.NFKD.String(string(r))
	if parts == string(r) {
		return ""
	}
	var b strings.Builder
	for _, part := range parts {
		switch {
		case isAlnum(part):
			b.WriteRune(part)
		case part < 0x80:
			b.WriteByte(' ')
		default:
			b.WriteString(transliterate(part))
		}
	}
	return b.String()
}

// tidy makes breaks of all punctuation but apostrophes.
func tidy(latin string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case isAlnum(c):
			return c
		case c == '\'' || c == '`':
			return -1
		default:
			return ' '
		}
	}, latin)
}

func isAlnum(c rune) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func hasAlnum(s string) bool { return strings.ContainsFunc(s, isAlnum) }

func isBraille(r rune) bool { return 0x2800 <= r && r <= 0x28ff }

// title writes a word with its first letter only in upper case.
func title(s string) string {
	return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
}
