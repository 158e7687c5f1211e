package slugify

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf8"
)

// exception spells the runes that unidecode has no letters for, or misleading
// ones.
func exception(r rune) (string, bool) {
	switch {
	case vanishes(r):
		return "", true
	case r == '＆' || r == '﹠':
		return "&", true
	case r == '＠' || r == '﹫':
		return "@", true
	}
	if s, ok := enclosed(r); ok {
		return s, true
	}
	if s, ok := find(ownLetters, r); ok {
		return s, true
	}
	if s, ok := find(ownWords, r); ok {
		return " " + s + " ", true
	}
	return "", false
}

// vanishes reports the runes that only steer how text is shown: they leave no
// break. A zero-width space does, since it stands for one.
func vanishes(r rune) bool {
	switch {
	case r == 0x00ad, // soft hyphen
		r == 0x061c, r == 0x200e, r == 0x200f, // marks of direction
		0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, // embedding, isolates
		r == 0x200c, r == 0x200d, r == 0x2060, // joiners
		r == 0xfeff,                                        // byte order mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0: // fillers of Hangul
		return true
	}
	return false
}

// ownLetters are letters and signs within words, each followed by its
// spelling, "-" for none. The first lines are letters that unidecode has no
// letters for, the others those where it differs from what is usual today. A
// letter that is a digraph by itself is in capitals.
const ownLetters = "əe ǝe ƏE ƎE ɚer ӘAe әae ӚAe ӛae ϗkai °deg ×x " +
	// alef, hamza, silent ieung; alef with its seats, alef maqsura, ta marbuta
	"\u05d0- \u0621- \u0674- \u110b- \u0627a \u0623a \u0625i \u0622a \u0671a \u0649a \u0629h \u06c3h " +
	// Russian, Ukrainian, Kazakh: BGN/PCGN
	"ЁYo ёyo ЄYe єye ЮYu юyu ЯYa яya ҒGH ғgh ҚQ қq ҢNG ңng " +
	// Serbian: its own Latin alphabet; Icelandic
	"ЂDJ ЉLJ ЊNJ ЋC ћc ЏDZ џdz ÞTH " +
	// Georgian: the national system
	"ხkh ღgh ძdz წts ცts " +
	// Urdu retroflexes, noon ghunna; ghain, Persian kaf and zhe, shadda, Pashto dze
	"\u0679t \u0688d \u0691r \u06ban \u063agh \u06a9k \u0698zh \u0651- \u0681dz "

// ownWords are signs that stand for a word: currencies by their ISO 4217 code
// where only one uses the sign, the marks of law, and Han of which unidecode
// has no reading.
const ownWords = "" +
	"€eur £gbp ￡gbp ₩krw ￦krw ₪ils ₫vnd ₭lak ₮mnt ₱php ₲pyg ₴uah ₵ghs ₸kzt ₹inr ₺try ₼azn ₽rub ₾gel ₡crc ₦ngn ฿thb ៛khr ֏amd ₿btc ¥yen ￥yen " +
	"©c ®r ™tm ℠sm 一Yi 俬Si 糬Shu 翶Ao "

// namedLetters are the letters that only their Unicode name spells, one in a
// line: Latin ones drawn in another way, and those "with" a hook or a tail.
//
//go:embed letters.txt
var namedLetters string

// find looks a rune outside ASCII up in a list of such runes, each with what it
// becomes and a space or a line break behind it.
func find(list string, r rune) (string, bool) {
	var key [utf8.UTFMax]byte
	n := utf8.EncodeRune(key[:], r)
	i := strings.Index(list, string(key[:n]))
	if i < 0 {
		return "", false
	}
	s := list[i+n:]
	s = s[:strings.IndexAny(s, " \n")]
	return strings.TrimSuffix(s, "-"), true
}

// enclosed spells the white-on-black letters and numbers, which have no
// decomposition.
func enclosed(r rune) (string, bool) {
	for _, run := range []struct {
		first, last rune
		from        int
	}{
		{0x24eb, 0x24f4, 11},
		{0x24f5, 0x24fe, 1},
		{0x24ff, 0x24ff, 0},
		{0x2776, 0x277f, 1},
		{0x2780, 0x2789, 1},
		{0x278a, 0x2793, 1},
	} {
		if run.first <= r && r <= run.last {
			return strconv.Itoa(run.from + int(r-run.first)), true
		}
	}
	for _, first := range []rune{0x1f150, 0x1f170} {
		if first <= r && r < first+26 {
			return string('A' + r - first), true
		}
	}
	return "", false
}
