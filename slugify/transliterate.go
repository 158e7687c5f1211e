package slugify

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"
)

// transliterate returns the spelling of a rune outside ASCII that all languages
// share: ASCII letters and digits, with a space where a word ends or begins. It
// returns "" for a rune that vanishes, and a lone space for a break.
//
// Letters are spelled by unidecode. Its spellings of signs mostly imitate their
// shape (§ is SS, ▼ is V), so signs are spelled by their compatibility
// decomposition instead.
func transliterate(r rune) string {
	if s, ok := exception(r); ok {
		return s
	}
	latin := unidecode.Unidecode(string(r))
	isLetter := unicode.IsLetter(r) || unicode.IsMark(r)
	switch {
	case isLetter && hasAlnum(latin):
		return wordOf(r, latin)
	case isLetter && silent(latin), latin == "'", latin == "`":
		return ""
	case unicode.Is(unicode.Nd, r):
		return strconv.Itoa(digitValue(r))
	case isBraille(r), unicode.IsNumber(r) && hasAlnum(latin) && !strings.Contains(latin, "["):
		return tidy(latin)
	}
	if s := decomposed(r); hasAlnum(s) {
		return s
	}
	if s := otherCase(r); isLetter && s != "" {
		return s
	}
	if unicode.IsMark(r) || unicode.Is(unicode.Lm, r) {
		return ""
	}
	return " "
}

// wordOf drops the punctuation from a letter's spelling and gives it the case
// of the letter. A Han character becomes a word that begins with a capital, one
// per syllable; other letters without case become lower case.
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

// silent reports whether unidecode knows a letter but spells it without ASCII
// letters: the soft sign, ayin, the glottal stop. For an unknown letter, latin
// is empty or "[?]".
func silent(latin string) bool {
	latin = strings.TrimSpace(latin)
	return latin != "" && latin != "[?]"
}

// otherCase spells a letter by the spelling of its other case.
func otherCase(r rune) string {
	if s := known(unicode.ToLower(r)); s != "" {
		return title(s)
	}
	return strings.ToLower(known(unicode.ToUpper(r)))
}

// known returns the spelling of a letter, or "" if it has none of its own.
func known(r rune) string {
	if s, ok := exception(r); ok {
		return s
	}
	if latin := unidecode.Unidecode(string(r)); hasAlnum(latin) {
		return wordOf(r, latin)
	}
	return ""
}

// digitValue returns the value of a decimal digit. Unicode encodes each set of
// ten digits consecutively, beginning with zero.
func digitValue(r rune) int {
	first := r
	for unicode.Is(unicode.Nd, first-1) {
		first--
	}
	return int(r-first) % 10
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

// tidy drops apostrophes and replaces all other punctuation by breaks.
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

// title upper-cases the first letter of an ASCII word and lower-cases the rest.
func title(s string) string {
	return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
}

// exception returns the spelling of a rune that unidecode lacks or gets wrong,
// and whether r is such a rune.
func exception(r rune) (string, bool) {
	if vanishes(r) {
		return "", true
	}
	s, ok := spellings()[r]
	return s, ok
}

// vanishes reports whether r only controls how text is shown, so that it leaves
// no break. A zero-width space is a break.
func vanishes(r rune) bool {
	switch {
	case r == 0x00ad, // soft hyphen
		r == 0x061c, r == 0x200e, r == 0x200f, // directional marks
		0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // embeddings and isolates
		r == 0x200c, r == 0x200d, r == 0x2060, // joiners
		r == 0xfeff,                                        // byte order mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // Hangul fillers
		return true
	}
	return false
}

//go:embed spellings.txt
var spellingList string

var spellings = sync.OnceValue(func() map[rune]string { return parseSpellings(spellingList) })

// parseSpellings reads runes separated by blanks, each followed by its
// spelling: "äae öoe". "_" is a break. Lines that begin with # are comments.
func parseSpellings(list string) map[rune]string {
	all := make(map[rune]string)
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			r, size := utf8.DecodeRuneInString(word)
			all[r] = strings.ReplaceAll(word[size:], "_", " ")
		}
	}
	return all
}
