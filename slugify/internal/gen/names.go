package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gosimple/unidecode"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"
)

// shapes are the words of a Unicode name that tell how a letter is drawn, not
// which one it is.
var shapes = []string{
	"ANGLICANA", "BARRED", "BLACKLETTER", "BOTTOM", "BROKEN", "CAPITAL", "CLOSED", "DOTLESS", "EGYPTOLOGICAL", "HALF", "INSULAR",
	"INVERTED", "LONG-LEGGED", "MIDDLE-WELSH", "OLD", "OPEN", "POLISH", "REVERSED", "SCRIPT", "SIDEWAYS", "SIGMOID", "SMALL",
	"STIRRUP", "STRETCHED", "TAILLESS", "TOP", "TURNED", "VISIGOTHIC", "DELTA", "DIAERESIZED", "LETTER", "LATIN", "VOLAPUK",
}

// spoken are the letters whose name is not their spelling.
var spoken = map[string]string{
	"ALPHA": "a", "ETH": "d", "ENG": "ng", "ESH": "sh", "EZH": "zh", "THORN": "th", "CON": "con", "RUM": "rum", "IS": "is", "UM": "um",
	"ET": "et", "BETA": "b", "IOTA": "i", "OMEGA": "o", "UPSILON": "u", "CHI": "ch", "DUM": "dum", "LUM": "lum", "MUM": "mum",
	"NUM": "num", "TUM": "tum", "VEND": "v", "WYNN": "w", "YOGH": "y", "HENG": "h", "LONG S": "s", "CAPITAL S": "s", "SHARP S": "ss",
}

// named lists the letters that neither unidecode nor a decomposition spells,
// but the Unicode name: Latin letters drawn in another way, and letters that
// are another one "with" a hook or a tail.
func named() string {
	bases := make(map[string]rune)
	for r := range rune(0x20000) {
		if unicode.IsLetter(r) {
			bases[runenames.Name(r)] = r
		}
	}
	var b strings.Builder
	for r := rune(0x80); r < 0x20000; r++ {
		if !unicode.IsLetter(r) || spelled(r) != "" || spelled(unicode.ToLower(r)) != "" || spelled(unicode.ToUpper(r)) != "" {
			continue
		}
		base, _, with := strings.Cut(runenames.Name(r), " WITH ")
		s := ""
		if unicode.Is(unicode.Latin, r) && !unicode.Is(unicode.Lm, r) {
			s = latin(base)
		}
		if other, ok := bases[base]; s == "" && with && ok {
			s = spelled(other)
		}
		if s == "" {
			continue
		}
		s = strings.ToLower(s)
		if unicode.IsUpper(r) {
			s = strings.ToUpper(s[:1]) + s[1:]
		}
		b.WriteString(string(r) + s + " ")
	}
	return b.String()
}

// latin spells a Latin letter by the rest of its name.
func latin(name string) string {
	var rest []string
	for word := range strings.FieldsSeq(name) {
		if !slices.Contains(shapes, word) {
			rest = append(rest, word)
		}
	}
	s := strings.Join(rest, " ")
	if spelling, ok := spoken[s]; ok {
		return spelling
	}
	if len(s) == 1 || len(s) == 2 && len(rest) == 1 {
		return s
	}
	return ""
}

// spelled is what unidecode or a decomposition makes of a letter, without
// punctuation.
func spelled(r rune) string {
	keep := func(c rune) rune {
		if c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return c
		}
		return -1
	}
	if s := strings.Map(keep, unidecode.Unidecode(string(r))); s != "" {
		return s
	}
	return strings.Map(keep, unidecode.Unidecode(norm.NFKD.String(string(r))))
}
