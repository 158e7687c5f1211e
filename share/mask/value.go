package mask

import (
	_ "embed" // of the reserved words
	"regexp"
	"slices"
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
	netrc    bool   // the value of password in a .netrc file
	next     byte   // the byte after the value; 0 at the end of the text
}

// plausible reports whether a value may be a secret. It examines only the first
// 128 bytes, because a hostile text may nest values in values.
func (v value) plausible() bool {
	const looked, longVariable, longWord = 128, 18, 16
	t := v.text[:min(len(v.text), looked)]
	chosen := v.class == password || v.class == passphrase || v.class == secret && (v.quoted || !v.spaced)
	switch {
	case utf8.RuneCountInString(t[:min(len(t), utf8.UTFMax*v.min)]) < v.min, v.class == signature && !v.query, !chosen && (!digit.in(t) || !letter.in(t)):
		return false
	case placeholder(t, v.quoted), !v.netrc && len(t) < longWord && !digit.in(t) && isReserved(t), prefixOf(t, "/", "./", "../", "~/", `\\`, "file:", "arn:", "-----") != "":
		return false
	case strings.Contains(t, "://"), letter[t[0]] && prefixOf(t[1:], `:\`, ":/") != "": // C:\temp
		return false
	case v.class != passphrase && blank.in(t):
		return false
	case chosen:
		return v.quoted || v.isBarePassword(t)
	default: // keys and tokens, which are long and random
		variable := len(t) <= longVariable && wordOfCode.MatchString(t) || word.all(t) && endsWithAny(t, []string{"key", "token", "secret"})
		return v.quoted || !isCode(t, v.next) && (!v.spaced || !variable)
	}
}

// isBarePassword reports whether an unquoted text is a password rather than a
// variable, a type or a word of a sentence.
func (v value) isBarePassword(t string) bool {
	onlyLetters := letter.all(t)
	switch {
	case isCode(t, v.next), onlyLetters && strings.ToUpper(t) == t, !v.field && v.isVariable(t):
		return false
	case onlyLetters || word.all(t) && !digit.in(t):
		return !v.spaced || v.field
	default:
		return true
	}
}

// A word of code is letters and at most two digits; an expression is a number,
// or words with dots between them.
var (
	expressionByte = setOf(">:.x")
	wordOfCode     = regexp.MustCompile(`^[A-Za-z_]+[0-9]{0,2}$`)
	expression     = regexp.MustCompile(`^(?:-?0x[0-9a-fA-F]*|[A-Za-z_]+[0-9]{0,2}(?:\.[A-Za-z_]+[0-9]{0,2})+)$`)
)

// isCode reports whether an unquoted text is an expression rather than a
// string: scanner.token, tokens[0], token->text, 0x1f.
func isCode(t string, next byte) bool {
	called := next != 0 && strings.IndexByte("([{<", next) >= 0
	return called || expressionByte.in(t) && (strings.Contains(t, "->") || strings.Contains(t, "::") || expression.MatchString(t))
}

// isVariable reports whether t is itself the name of a secret, as newPassword
// and, after a blank, password2 are.
func (v value) isVariable(t string) bool {
	named := v.spaced || strings.EqualFold(t, string(v.kind)) || strings.Contains(t, "_") || strings.ToLower(t[1:]) != t[1:]
	return named && (v.spaced || !digit.in(t)) && wordOfCode.MatchString(t) && nameOf(strings.TrimRight(t, digits), 0).class != ""
}

// isReserved reports whether t is reserved, ignoring case and punctuation at
// its end.
func isReserved(t string) bool {
	_, found := slices.BinarySearch(reserved, strings.ToLower(strings.TrimRight(t, ".!?:")))
	return found
}

// reservedWords are the types, literals and states that programs and people
// write in place of a secret. Variables are recognized by their form instead.
//
//go:embed reserved.txt
var reservedWords string

var reserved = slices.Sorted(strings.FieldsSeq(reservedWords))

// placeholder reports whether t stands for a secret: $NAME, ${NAME}, {{name}},
// %s, <name>, your_name, ***, xxxxx, [FILTERED], or, if not quoted, :name,
// @name, &name, *name and !tag.
func placeholder(t string, quoted bool) bool {
	if sameByte(t) || standInByte.in(t) && slices.ContainsFunc(standIns, func(part string) bool { return strings.Contains(t, part) }) {
		return true
	}
	last := t[len(t)-1]
	switch t[0] {
	case '$':
		return word.all(t[1:])
	case '%':
		return last == '%' || utf8.RuneCountInString(t) <= len("%.2") || t[1] == '('
	case '<', '[', '(', '{':
		return strings.IndexByte(">)]}", last) >= 0
	case ':', '@', '!', '&', '*':
		return !quoted && sigilByte.all(t[1:])
	}
	return len(t) > len("your") && endsWith(t[:len("your")], "your")
}

// standIns are parts of texts that stand for a secret.
var standIns, standInByte = []string{markStart, shortMark, "${", "$(", "{{", "#{", "…"}, setOf("[*({…")

var sigilByte = setOf(letters + "_:.")

// sameByte reports whether t repeats one filler or non-ASCII character.
func sameByte(t string) bool {
	_, n := utf8.DecodeRuneInString(t)
	return (n > 1 || strings.IndexByte("*xX.-_#?", t[0]) >= 0) && strings.Trim(t, t[:n]) == ""
}
