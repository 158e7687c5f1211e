package mask

import (
	"strings"
	"unicode/utf8"
)

// A value is the text after a name.
type value struct {
	name
	from, to int    // byte offsets
	text     string // the text between them
	lead     byte   // the byte before the name
	quoted   bool   // the value is a string
	keyQuote string // the quote around the name
	spaced   bool   // blanks surround the sign, or the sign is a colon
	field    bool   // name and value fill a line, as in a configuration file
	next     byte   // the byte after the value; 0 at the end of the text
}

// least holds the minimum length of a secret in code points, by class.
var least = [...]int{password: 3, passphrase: 3, secret: 6, key: 8, header: 12}

// plausible reports whether a value may be a secret. It examines only the first
// 256 bytes, because a hostile text may nest values in values.
func (v value) plausible() bool {
	const looked = 256
	t := v.text[:min(len(v.text), looked)]
	switch {
	case utf8.RuneCountInString(t) < least[v.class], placeholder(t, v.quoted), isReserved(t):
		return false
	case v.path && isPath(t), strings.Contains(t, "://"), strings.HasPrefix(t, "arn:"), strings.HasPrefix(t, pemDash):
		return false
	case v.class != passphrase && blank.any(t):
		return false
	case v.class == key || v.class == header || v.class == secret && v.spaced && !v.quoted:
		return v.long(t)
	case v.quoted:
		return true
	default:
		return v.bare(t)
	}
}

// isVariable reports whether t looks like a variable rather than random.
func isVariable(t string) bool {
	const longest = 18
	return isWordLike(t) && len(t) <= longest || word.all(t) && (endsWith(t, "key") || endsWith(t, "token") || endsWith(t, "secret"))
}

// long is plausible for keys and tokens, which are long and random.
func (v value) long(t string) bool {
	if isPath(t) || !digit.any(t) || !letter.any(t) {
		return false
	}
	return v.quoted || !isCode(t, v.next) && (!v.spaced || !isVariable(t))
}

// bare is plausible for an unquoted password, which may be a variable, a type
// or a word of a sentence.
func (v value) bare(t string) bool {
	switch {
	case isCode(t, v.next), isPath(t) && strings.Count(t, "/") > 1:
		return false
	case digit.all(t) && v.spaced:
		return !v.enumerated(t)
	case !nameLetter.all(t):
		return v.field || !v.spaced || !isWordLike(t) || !namesSecret(strings.TrimRight(t, digits))
	case v.variable(t):
		return false
	case !v.spaced:
		return true
	default:
		return !v.path && (v.field && t[0] >= 'a' || v.lead == '{' || v.next == '}')
	}
}

// variable reports whether a word is a variable, or the value in a help text.
func (v value) variable(t string) bool {
	return strings.ToUpper(t) == t || strings.Contains(t, "_") ||
		namesSecret(t) && (strings.EqualFold(t, string(v.kind)) || strings.ToLower(t[1:]) != t[1:])
}

// enumerated reports whether a number is likely a field number or a constant.
func (v value) enumerated(t string) bool {
	return len(t) < 4 || len(t) < 6 && (v.next == ';' || v.next == ',')
}

// isCode reports whether an unquoted text is an expression rather than a
// string: scanner.token, tokens[0], token->text, 0x1f.
func isCode(t string, next byte) bool {
	switch next {
	case '(', '[', '{', '<':
		return true
	}
	if strings.Contains(t, "->") || strings.Contains(t, "::") {
		return true
	}
	if hex, ok := strings.CutPrefix(strings.TrimPrefix(t, "-"), "0x"); ok && isHex(hex) {
		return true
	}
	for part := range strings.SplitSeq(t, ".") {
		if !isWordLike(part) {
			return false
		}
	}
	return strings.Contains(t, ".")
}

// isWordLike reports whether s is letters followed by at most two digits, as in the
// name of a variable.
func isWordLike(s string) bool {
	stem := strings.TrimRight(s, digits)
	return stem != "" && len(s)-len(stem) <= 2 && nameLetter.all(stem)
}

// namesSecret reports whether a text is itself the name of a secret.
func namesSecret(t string) bool {
	return endsName[t[len(t)-1]] && nameOf(t, 0).class != noName
}

func isPath(t string) bool {
	for _, start := range [...]string{"/", "./", "../", "~", `\\`, "file:"} {
		if strings.HasPrefix(t, start) {
			return true
		}
	}
	return len(t) > 2 && t[1] == ':' && (t[2] == '\\' || t[2] == '/')
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
	if sameByte(t) || special.any(t) && holdsPlaceholder(t) {
		return true
	}
	rest, last := t[1:], t[len(t)-1]
	switch t[0] {
	case '$':
		return word.all(rest)
	case '%':
		return len(t) <= 3 || rest[0] == '(' || last == '%'
	case '<':
		return last == '>'
	case '[', '(', '{':
		return last == ']' || last == ')' || last == '}'
	case ':', '@', '!', '&', '*':
		return !quoted && symbol.all(rest)
	default:
		return len(t) > 4 && strings.EqualFold(t[:4], "your")
	}
}

var (
	blank   = setOf(" \t")
	symbol  = setOf(letters + "_:.") // a name after its sigil
	special = setOf("[*$#{\u2026")   // first bytes of the forms in holdsPlaceholder
)

// holdsPlaceholder reports whether t contains a mark or the start of a
// placeholder.
func holdsPlaceholder(t string) bool {
	for _, form := range [...]string{markStart, shortMark, "${", "{{", "#{", "$(", "\u2026"} {
		if strings.Contains(t, form) {
			return true
		}
	}
	return false
}

// sameByte reports whether t repeats one filler or non-ASCII character.
func sameByte(t string) bool {
	_, n := utf8.DecodeRuneInString(t)
	if n == 1 && strings.IndexByte("*xX.-_#?", t[0]) < 0 {
		return false
	}
	return strings.Trim(t, t[:n]) == ""
}
