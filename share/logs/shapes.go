package logs

import (
	"slices"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// Grouper finds messages of one shape as Drain does (He et al., "Drain: An
// Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017): it splits a
// message into tokens and masks those that vary. A fixed path (the number of
// tokens, and the first one) leads to a short list of groups. The most similar
// group takes the message if enough tokens agree; where they differ, the shape
// gets a mask. Unlike in Drain, tokens also end at punctuation, adjacent masks
// are merged, and a message that was seen before, apart from masks, is looked
// up directly.

// Limits of a Grouper, which take about 3 MB.
const (
	maxShapes    = 4096    // groups
	maxTokens    = 48      // of a message; the rest is ignored
	maxLeaf      = 128     // groups that a message is compared with
	maxKnown     = 1 << 15 // masked messages in the lookup table
	maxShapeText = 1 << 10 // bytes of a message
)

// similar is the percentage of its words that a message must share with a
// group.
const similar = 85

// Mask replaces the variable parts of messages in a shape.
const Mask = "*"

// Grouper groups messages by shape. The zero Grouper is ready to use. Its
// memory does not grow with the number of messages; beyond 4,096 groups, all
// new shapes are counted as one, "*".
type Grouper struct {
	shapes []shape
	leaves map[uint64][]int32
	known  map[uint64]int32
	tokens []token
}

// shape is what the messages of a group have in common.
type shape struct {
	text   string // of the first message
	tokens []token
}

// token is a piece of a message: a word, or a variable part.
type token struct {
	hash       uint64 // 0 for a variable part
	start, end int32  // offsets in the text of the first message
}

// Add returns the index of the group of a message, from 0. Only the first 1,024
// bytes of the message count.
func (g *Grouper) Add(message string) int {
	if g.known == nil {
		g.known, g.leaves = map[uint64]int32{}, map[uint64][]int32{}
		g.shapes = append(g.shapes, shape{text: Mask})
	}
	message = message[:min(len(message), maxShapeText)]
	g.tokens = tokenize(g.tokens[:0], message)
	all := uint64(len(g.tokens))
	for _, t := range g.tokens {
		all = mix(all, t.hash)
	}
	if id, ok := g.known[all]; ok {
		return int(id)
	}
	id := g.find(message)
	if len(g.known) >= maxKnown {
		clear(g.known)
	}
	g.known[all] = id
	return int(id)
}

// Shape returns the common text of the messages of a group, with [Mask] for the
// variable parts.
func (g *Grouper) Shape(group int) string {
	if group == 0 {
		return Mask
	}
	s := &g.shapes[group]
	var b strings.Builder
	at := int32(0)
	for _, t := range s.tokens {
		if t.hash != 0 {
			continue
		}
		b.WriteString(s.text[at:t.start])
		b.WriteString(Mask)
		at = t.end
	}
	b.WriteString(s.text[at:])
	return b.String()
}

// find returns the group of a message that was not seen before, with the tokens
// in g.tokens. It adds a group if none is similar.
func (g *Grouper) find(message string) int32 {
	key := uint64(len(g.tokens))
	if len(g.tokens) > 0 {
		key = mix(key, g.tokens[0].hash)
	}
	leaf := g.leaves[key]
	best, most := int32(0), -1
	for _, id := range leaf {
		if n := agreement(g.shapes[id].tokens, g.tokens); n > most {
			best, most = id, n
		}
	}
	if most >= similar || most >= 0 && len(leaf) >= maxLeaf {
		g.shapes[best].widen(g.tokens)
		return best
	}
	if len(g.shapes) > maxShapes {
		return 0
	}
	id := int32(len(g.shapes))
	g.shapes = append(g.shapes, shape{text: strings.Clone(message), tokens: slices.Clone(g.tokens)})
	g.leaves[key] = append(leaf, id)
	return id
}

// agreement returns the percentage of the words of a message that match those
// of a shape. Variable parts are not words.
func agreement(shape, message []token) int {
	words, same := 0, 0
	for i, t := range message {
		if t.hash == 0 {
			continue
		}
		words++
		if t.hash == shape[i].hash {
			same++
		}
	}
	if words == 0 {
		return 100
	}
	return 100 * same / words
}

// widen masks the tokens that differ from those of a message.
func (s *shape) widen(message []token) {
	for i := range s.tokens {
		if s.tokens[i].hash != message[i].hash {
			s.tokens[i].hash = 0
		}
	}
}

// mix adds a value to a hash, in the manner of FNV-1a but by words.
func mix(hash, value uint64) uint64 {
	hash = (hash ^ value) * 0x9e3779b97f4a7c15
	return hash ^ hash>>29
}

// Variable parts are numbers and ids (any word with a digit), paths and URLs,
// addresses with an @, and quoted text.

// byteKind is the effect of a byte on a token.
type byteKind uint8

const (
	wordByte byteKind = iota
	blankByte
	punctByte // ends a token
	digitByte
	slashByte // part of a path
	quoteByte
)

var byteKinds = func() (t [256]byteKind) {
	for _, c := range []byte(" \t\r\n") {
		t[c] = blankByte
	}
	for _, c := range []byte("=,;()[]{}<>|:!?") {
		t[c] = punctByte
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digitByte
	}
	t['/'], t['\\'], t['@'] = slashByte, slashByte, slashByte
	t['"'], t['\''] = quoteByte, quoteByte
	return t
}()

// maxQuoted is the maximum length in bytes of quoted text that is one token.
const maxQuoted = 200

// tokenize appends the tokens of s to tokens.
func tokenize(tokens []token, s string) []token {
	for i := 0; i < len(s) && len(tokens) < maxTokens; {
		n, varies := separator(s, i)
		if n > 0 {
			if varies {
				tokens = appendToken(tokens, token{0, int32(i), int32(i + n)})
			}
			i += n
			continue
		}
		end, hash := word(s, i)
		switch {
		case hash == 0 && byteKinds[s[i]] == digitByte:
			end += unitLen(s[end:])
		case isName(s[:i], s[i:end]), isMonth(s, i), isWeekday(s, i, end):
			hash = 0
		}
		tokens = appendToken(tokens, token{hash, int32(i), int32(end)})
		i = end
	}
	return tokens
}

// separator returns the length of the text at i that is not a word, and whether
// it is a variable part: quoted text or empty parentheses.
func separator(s string, i int) (n int, varies bool) {
	switch byteKinds[s[i]] {
	case blankByte:
		return 1, false
	case punctByte:
		if i > 0 && s[i-1] == ' ' && strings.HasPrefix(s[i:], "()") {
			return 2, true
		}
		return 1, false
	case quoteByte:
		if n := quotedLen(s[i:]); n > 0 && !quotesRequest(s[i:]) {
			return n, true
		}
		return 1, false
	default:
		return 0, false
	}
}

// word returns the end and the hash of the token that starts at i. The hash is
// 0 if the token varies.
func word(s string, i int) (end int, hash uint64) {
	hash = 14695981039346656037
	varies, path := false, false
	start := i
	for ; i < len(s); i++ {
		kind := byteKinds[s[i]]
		if (kind == blankByte || kind == punctByte) && (!path || !continuesURL(s, i)) {
			break
		}
		varies = varies || kind == digitByte || kind == slashByte && (i > start || s[i] == '/')
		path = path || s[i] == '/'
		hash = (hash ^ uint64(s[i])) * 1099511628211
	}
	if varies || isHost(s, start, i) {
		return i, 0
	}
	return i, hash | 1
}

// continuesURL reports whether the punctuation at i is part of a URL.
func continuesURL(s string, i int) bool {
	return i+1 < len(s) && strings.IndexByte("?=&:", s[i]) >= 0 && byteKinds[s[i+1]] != blankByte
}

// isHost reports whether a word is a host name that a port follows.
func isHost(s string, start, end int) bool {
	return end+1 < len(s) && s[end] == ':' && byteKinds[s[end+1]] == digitByte && strings.IndexByte(s[start:end], '.') >= 0
}

// isName reports whether a word is a name that varies: a user or file name.
func isName(before, word string) bool {
	if strings.HasSuffix(before, "user ") && (len(before) == 5 || before[len(before)-6] == ' ') {
		return true
	}
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && len(word)-dot > 1 && len(word)-dot < 6 && strings.IndexByte(word, '.') == dot && !strings.ContainsFunc(word, unicode.IsUpper)
}

// quotedLen returns the length of the quoted text that s starts with, or 0.
func quotedLen(s string) int {
	n := strings.IndexByte(s[1:min(len(s), maxQuoted)], s[0])
	if n < 0 {
		return 0
	}
	return n + 2
}

// quotesRequest reports whether quoted text is an HTTP request line, whose
// method does not vary.
func quotesRequest(s string) bool {
	n := 1
	for n < len(s) && n < 9 && s[n] >= 'A' && s[n] <= 'Z' {
		n++
	}
	return n > 3 && strings.HasPrefix(s[n:], " /")
}

// unitLen returns the length of a blank and a unit of size or time at the start
// of s, or 0.
func unitLen(s string) int {
	if s == "" || s[0] != ' ' {
		return 0
	}
	n := 1
	for n < len(s) && byteKinds[s[n]] == wordByte {
		n++
	}
	switch strings.TrimSuffix(s[1:n], ".") {
	case "byte", "bytes", "B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB", "ns", "us", "ms", "s", "sec", "secs", "second", "seconds",
		"min", "mins", "minute", "minutes", "h", "hour", "hours", "day", "days":
		return n
	}
	return 0
}

// isMonth reports whether the name of a month is at i, followed by a day.
func isMonth(s string, i int) bool {
	if len(s) < i+5 || s[i+3] != ' ' || stamp.Month([]byte(s[i:i+3])) == 0 {
		return false
	}
	day := strings.TrimLeft(s[i+4:], " ")
	return day != "" && byteKinds[day[0]] == digitByte
}

// isWeekday reports whether a word is the name of a weekday before a month.
func isWeekday(s string, start, end int) bool {
	return end == start+3 && stamp.Weekday([]byte(s[start:end])) == 3 && isMonth(s, start+4)
}

// appendToken appends a token. It merges a variable part with a variable part
// right before it, whatever separates them.
func appendToken(tokens []token, t token) []token {
	n := len(tokens)
	if n == 0 || t.hash != 0 || tokens[n-1].hash != 0 {
		return append(tokens, t)
	}
	tokens[n-1].end = t.end
	return tokens
}
