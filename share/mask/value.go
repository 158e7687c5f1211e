package mask

import (
	"strings"
	"unicode/utf8"
)

// A value is what stands behind a name.
type value struct {
	name
	from, to int    // bytes
	text     string // what is between
	lead     byte   // what stands before the name
	quoted   bool   // as a string
	keyQuote string // how the name was quoted
	spaced   bool   // there is space around the sign between, or the sign is a colon
	field    bool   // name and value fill a line: a line of a configuration
	next     byte   // what stands behind the value; 0 at the end
}

// Lengths below which a value is not taken for a secret.
var least = [...]int{password: 3, passphrase: 3, secret: 6, key: 8, header: 12}

// plausible reports whether a value can be a secret. It looks at so much of it
// only, since a hostile text can have values in values.
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

// isVariable reports whether t is rather the name of a variable than random.
func isVariable(t string) bool {
	const longest = 18
	return wordy(t) && len(t) <= longest || word.all(t) && (endsWith(t, "key") || endsWith(t, "token") || endsWith(t, "secret"))
}

// long is plausible for keys and tokens, which are long and random.
func (v value) long(t string) bool {
	if isPath(t) || !digit.any(t) || !letter.any(t) {
		return false
	}
	return v.quoted || !isCode(t, v.next) && (!v.spaced || !isVariable(t))
}

// bare is plausible for a password that is no string: it can be a variable, a
// type or a word of a sentence.
func (v value) bare(t string) bool {
	switch {
	case isCode(t, v.next), isPath(t) && strings.Count(t, "/") > 1:
		return false
	case digit.all(t) && v.spaced:
		return !v.enumerated(t)
	case !nameLetter.all(t):
		return v.field || !v.spaced || !wordy(t) || !namesSecret(strings.TrimRight(t, digits))
	case v.variable(t):
		return false
	case !v.spaced:
		return true
	default:
		return !v.path && (v.field && t[0] >= 'a' || v.lead == '{' || v.next == '}')
	}
}

// variable reports whether a word is one, or what a help text calls the value.
func (v value) variable(t string) bool {
	return strings.ToUpper(t) == t || strings.Contains(t, "_") ||
		namesSecret(t) && (strings.EqualFold(t, string(v.kind)) || strings.ToLower(t[1:]) != t[1:])
}

// enumerated reports whether a number is that of a field or a constant.
func (v value) enumerated(t string) bool {
	return len(t) < 4 || len(t) < 6 && (v.next == ';' || v.next == ',')
}

// isCode reports whether a bare text is an expression rather than a string:
// scanner.token, tokens[0], token->text, 0x1f.
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
		if !wordy(part) {
			return false
		}
	}
	return strings.Contains(t, ".")
}

// wordy reports whether s is letters with at most two digits behind them, as in
// the name of a variable.
func wordy(s string) bool {
	stem := strings.TrimRight(s, digits)
	return stem != "" && len(s)-len(stem) <= 2 && nameLetter.all(stem)
}

// namesSecret reports whether a text is itself a name of a secret.
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

// isReserved reports whether t is reserved, in any case and at the end of a
// sentence.
func isReserved(t string) bool {
	const longest = 14
	return len(t) <= longest && reserved[strings.ToLower(strings.TrimRight(t, ".!?:"))]
}

// reserved are what programs and people write where a secret would stand: types,
// literals and states. Variables that hold the secret are known by their form.
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
// %s, <name>, your_name, ***, xxxxx, [FILTERED], and unless it is quoted :name,
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
	symbol  = setOf(letters + "_:.") // a name behind a sign
	special = setOf("[*$#{\u2026")   // what holdsPlaceholder looks for starts with them
)

// holdsPlaceholder reports whether there is a mark in t, or a form that stands
// for something else.
func holdsPlaceholder(t string) bool {
	for _, form := range [...]string{markStart, shortMark, "${", "{{", "#{", "$(", "\u2026"} {
		if strings.Contains(t, form) {
			return true
		}
	}
	return false
}

// sameByte reports whether t is one sign over and over.
func sameByte(t string) bool {
	_, n := utf8.DecodeRuneInString(t)
	if n == 1 && strings.IndexByte("*xX.-_#?", t[0]) < 0 {
		return false
	}
	return strings.Trim(t, t[:n]) == ""
}
