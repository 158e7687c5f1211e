package mask

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A value is the text after a name.
type value struct {
	name
	from, to int    // byte offsets
	text     string // the text between them
	lead     byte   // the byte before the name
	query    bool   // the name is that of a parameter of a URL
	quoted   bool   // the value is a string
	keyQuote string // the quote around the name
	spaced   bool   // blanks surround the sign
	field    bool   // name and value fill a line, as in a configuration file
	next     byte   // the byte after the value; 0 at the end of the text
}

// minLength holds the minimum length of a secret in code points, by class.
var minLength = [...]int{password: 3, passphrase: 3, secret: 6, key: 8, signature: 32, header: 12}

// plausible reports whether a value may be a secret. It examines only the first
// 256 bytes, because a hostile text may nest values in values.
func (v value) plausible() bool {
	const looked = 256
	t := v.text[:min(len(v.text), looked)]
	switch {
	case utf8.RuneCountInString(t) < minLength[v.class], placeholder(t, v.quoted), isReserved(t):
		return false
	case path.MatchString(t), strings.Contains(t, "://"), strings.HasPrefix(t, "arn:"), strings.HasPrefix(t, pemDash):
		return false
	case v.class != passphrase && strings.ContainsAny(t, " \t"), v.class == signature && !v.query:
		return false
	case v.class == password || v.class == passphrase || v.class == secret && (v.quoted || !v.spaced):
		return v.quoted || v.isBarePassword(t)
	default: // keys and tokens, which are long and random
		random := v.quoted || !isCode(t, v.next) && (!v.spaced || !isVariable(t))
		return random && strings.ContainsAny(t, digits) && strings.ContainsAny(t, letters)
	}
}

// isBarePassword reports whether an unquoted text is a password rather than a
// variable, a type or a word of a sentence.
func (v value) isBarePassword(t string) bool {
	const longNumber = 6
	switch {
	case isCode(t, v.next):
		return false
	case digit.all(t):
		return !v.spaced || len(t) >= longNumber
	case !strings.ContainsFunc(t, isNoLetter):
		if strings.ToUpper(t) == t || namesSecret(t) && (strings.EqualFold(t, string(v.kind)) || strings.ToLower(t[1:]) != t[1:]) {
			return false
		}
		return !v.spaced || v.field && t[0] >= 'a'
	case word.all(t) && !strings.ContainsAny(t, digits):
		return false // client_secret
	default:
		return v.field || !v.spaced || !wordOfCode.MatchString(t) || !namesSecret(strings.TrimRight(t, digits))
	}
}

func isNoLetter(r rune) bool { return r >= utf8.RuneSelf || !letter[r] }

// The forms of words that are no secrets. A word of code is letters and at most
// two digits.
var (
	wordOfCode = regexp.MustCompile(`^[A-Za-z_]+[0-9]{0,2}$`)
	expression = regexp.MustCompile(`->|::|^-?0x[0-9a-fA-F]*$|^[A-Za-z_]+[0-9]{0,2}(?:\.[A-Za-z_]+[0-9]{0,2})+$`)
	path       = regexp.MustCompile(`^(?:/|\.\.?/|~/|\\\\|file:|[A-Za-z]:[\\/])`)
	standIn    = regexp.MustCompile(`^(?:\$\w*|%.{0,2}|%\(.*|%.*%|<.*>|[\[({].*[\])}]|(?i:your).+)$|\[masked: |\*\*\*|\$[{(]|{{|#{|…`)
	sigil      = regexp.MustCompile(`^[:@!&*][A-Za-z_:.]*$`)
)

// isCode reports whether an unquoted text is an expression rather than a
// string: scanner.token, tokens[0], token->text, 0x1f.
func isCode(t string, next byte) bool {
	return next != 0 && strings.IndexByte("([{<", next) >= 0 || expression.MatchString(t)
}

// isVariable reports whether t looks like a variable rather than random.
func isVariable(t string) bool {
	const longest = 18
	return wordOfCode.MatchString(t) && len(t) <= longest || word.all(t) && endsWithAny(t, []string{"key", "token", "secret"})
}

// namesSecret reports whether a text is itself the name of a secret.
func namesSecret(t string) bool {
	return endsName[t[len(t)-1]] && nameOf(t, 0).class != noName
}

// isReserved reports whether t is reserved, ignoring case and punctuation at
// its end.
func isReserved(t string) bool {
	const longest = 14
	return len(t) <= longest && reserved[strings.ToLower(strings.TrimRight(t, ".!?:"))]
}

// reserved holds the types, literals and states that programs and people write
// in place of a secret. Variables are recognized by their form instead.
var reserved = func() map[string]bool {
	all := make(map[string]bool)
	for w := range strings.FieldsSeq(`
		any array bool boolean byte bytes char double dynamic enum file float hash int integer json map never number object option optional
		self str string stringvar symbol text this uint undefined unknown uuid value values var varchar void
		nil none null false true yes no on off n/a na nan
		absent accepted bad changed configured correct deleted denied disabled empty enabled encrypted error exists expired failed
		failure filtered hidden ignored incorrect invalid is mandatory masked mismatch missing must new not obscured ok omitted
		please prompt protected provided redacted removed rejected required reset revoked secured sent set should success
		successful unchanged unset updated use valid verified was weak were wrong
		password passwd passphrase token
	`) {
		all[w] = true
	}
	return all
}()

// placeholder reports whether t stands for a secret: $NAME, ${NAME}, {{name}},
// %s, <name>, your_name, ***, xxxxx, [FILTERED], or, if not quoted, :name,
// @name, &name, *name and !tag.
func placeholder(t string, quoted bool) bool {
	return sameByte(t) || standIn.MatchString(t) || !quoted && sigil.MatchString(t)
}

// sameByte reports whether t repeats one filler or non-ASCII character.
func sameByte(t string) bool {
	_, n := utf8.DecodeRuneInString(t)
	if n == 1 && strings.IndexByte("*xX.-_#?", t[0]) < 0 {
		return false
	}
	return strings.Trim(t, t[:n]) == ""
}
