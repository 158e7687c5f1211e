package slugify

import (
	_ "embed"
	"strings"
	"sync"
)

// emojiList has one emoji and its name per line, from the English annotations
// of Unicode CLDR 45, under the licence in UNICODE-LICENSE.
//
//go:embed emoji.txt
var emojiList string

var emojiNames = sync.OnceValue(func() replacer {
	r := replacer{bySign: make(map[rune][]sign)}
	for line := range strings.Lines(emojiList) {
		key, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		r.addSign(key, name)
	}
	r.sort()
	return r
})

// nameEmoji replaces each emoji by its name, without skin tones.
func nameEmoji(text string) string {
	names := emojiNames()
	return names.signs(strings.Map(func(r rune) rune {
		isSelector, isSkin := r == 0xfe0f, 0x1f3fb <= r && r <= 0x1f3ff
		if isSelector || isSkin {
			return -1
		}
		return r
	}, text))
}
