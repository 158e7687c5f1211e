// Package shape groups messages that differ only in their variable parts.
//
// A Grouper works as Drain does (He et al., "Drain: An Online Log Parsing
// Approach with Fixed Depth Tree", ICWS 2017): it splits a message into tokens
// and masks those that vary. A fixed path (the number of tokens, and the first
// one) leads to a short list of groups. The most similar group takes the
// message if enough tokens agree; where they differ, the shape gets a mask.
// Unlike in Drain, tokens also end at punctuation, adjacent masks are merged,
// and a message that was seen before, apart from masks, is looked up directly.
package shape

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// Limits of a Grouper, which take about 3 MB.
const (
	Max      = 4096    // groups
	MaxText  = 1 << 10 // bytes of a message
	maxToken = 48      // of a message; the rest is ignored
	maxLeaf  = 128     // groups that a message is compared with
	maxKnown = 1 << 15 // masked messages in the lookup table
)

// similar is the percentage of its words that a message must share with a
// group.
const similar = 85

// Mask replaces the variable parts of messages in a shape.
const Mask = "*"

// Grouper groups messages by shape. The zero Grouper is ready to use. Its
// memory does not grow with the number of messages; beyond Max groups, all new
// shapes are counted as one, "*", whose index is 0.
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

// Add returns the index of the group of a message, from 0. Only the first
// MaxText bytes of the message count.
func (g *Grouper) Add(message string) int {
	if g.known == nil {
		g.known, g.leaves = map[uint64]int32{}, map[uint64][]int32{}
		g.shapes = append(g.shapes, shape{text: Mask})
	}
	message = message[:min(len(message), MaxText)]
	g.tokens = tokenize(g.tokens[:0], message)
	all := uint64(len(g.tokens))
	for _, t := range g.tokens {
		all = Mix(all, t.hash)
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
// variable parts, and the first of the messages.
func (g *Grouper) Shape(group int) (shape, first string) {
	s := &g.shapes[group]
	var b strings.Builder
	at := int32(0)
	for _, t := range s.tokens {
		if t.hash == 0 {
			b.WriteString(s.text[at:t.start] + Mask)
			at = t.end
		}
	}
	return b.String() + s.text[at:], s.text
}

// find returns the group of a message that was not seen before, with the tokens
// in g.tokens. It adds a group if none is similar.
func (g *Grouper) find(message string) int32 {
	key := uint64(len(g.tokens))
	if len(g.tokens) > 0 {
		key = Mix(key, g.tokens[0].hash)
	}
	leaf := g.leaves[key]
	best, fewest, words := int32(0), maxToken+1, 0
	for _, id := range leaf {
		n := 0
		if n, words = differences(g.shapes[id].tokens, g.tokens); n < fewest {
			best, fewest = id, n
		}
	}
	if 100*fewest <= (100-similar)*words || len(leaf) >= maxLeaf {
		shape := g.shapes[best].tokens
		for i := range shape {
			if shape[i].hash != g.tokens[i].hash {
				shape[i].hash = 0
			}
		}
		return best
	}
	if len(g.shapes) > Max {
		return 0
	}
	id := int32(len(g.shapes))
	g.shapes = append(g.shapes, shape{text: strings.Clone(message), tokens: slices.Clone(g.tokens)})
	g.leaves[key] = append(leaf, id)
	return id
}

// differences returns how many of the words of a message a shape does not have.
// Variable parts are not words.
func differences(shape, message []token) (n, words int) {
	for i, t := range message {
		words += ascii.If(t.hash != 0, 1)
		n += ascii.If(t.hash != 0 && t.hash != shape[i].hash, 1)
	}
	return n, words
}

// Mix adds a value to a hash, in the manner of FNV-1a but by words.
func Mix(hash, value uint64) uint64 {
	hash = (hash ^ value) * 0x9e3779b97f4a7c15
	return hash ^ hash>>29
}

// tokenize appends the tokens of s to tokens. Variable parts are numbers and
// ids (any word with a digit), paths and URLs, addresses with an @, names of
// files and users, dates, and quoted text. A variable part right after another is merged with it,
// whatever separates them.
func tokenize(tokens []token, s string) []token {
	for i := 0; i < len(s) && len(tokens) < maxToken; {
		rest, n, hash := s[i:], 0, uint64(0)
		switch kind := byteKinds[rest[0]]; kind {
		case blankByte, punctByte:
			i++
			continue
		case quoteByte:
			n = quotedLen(rest)
		default:
			n, hash = word(rest)
			if hash == 0 && kind == digitByte {
				n += unitLen(rest[n:])
			} else if n == 3 && isDate(rest) || strings.HasSuffix(s[:i], "user ") {
				hash = 0
			}
		}
		if n == 0 {
			i++
			continue
		}
		end := int32(i + n)
		if last := len(tokens) - 1; hash == 0 && last >= 0 && tokens[last].hash == 0 {
			tokens[last].end = end
		} else {
			tokens = append(tokens, token{hash, int32(i), end})
		}
		i += n
	}
	return tokens
}

// byteKind is the effect of a byte on a token.
type byteKind uint8

const (
	wordByte byteKind = iota
	dotByte
	blankByte
	punctByte // ends a token
	digitByte
	slashByte // part of a path
	quoteByte
)

var byteKinds = func() (t [256]byteKind) {
	for kind, bytes := range map[byteKind]string{blankByte: " \t\r\n", punctByte: "=,;()[]{}<>|:!?", digitByte: "0123456789", dotByte: ".", slashByte: `/\@`, quoteByte: `"'`} {
		for _, c := range []byte(bytes) {
			t[c] = kind
		}
	}
	return t
}()

// word returns the length and the hash of the token that s starts with.
// The hash is 0 if the token varies, or is the name of a host that a port follows
// or of a file.
func word(s string) (n int, hash uint64) {
	varies, path := false, false
	dots, dot := 0, 0 // their number, and the last of them
	for ; n < len(s); n++ {
		kind := byteKinds[s[n]]
		if kind == wordByte {
			continue
		}
		if kind == dotByte {
			dots, dot = dots+1, n
			continue
		}
		inURL := path && n+1 < len(s) && strings.IndexByte("?=&:", s[n]) >= 0 && byteKinds[s[n+1]] != blankByte
		if (kind == blankByte || kind == punctByte) && !inURL {
			break
		}
		varies = varies || kind == digitByte || kind == slashByte && (n > 0 || s[n] == '/')
		path = path || s[n] == '/'
	}
	hasPort := n+1 < len(s) && s[n] == ':' && byteKinds[s[n+1]] == digitByte
	if varies || dots == 1 && isFile(s[:n], dot) || dots > 0 && hasPort {
		return n, 0
	}
	return n, maphash.String(seed, s[:n]) | 1
}

// isFile reports whether a word with one point is the name of a file.
func isFile(word string, point int) bool {
	suffix := len(word) - point - 1
	return point > 0 && suffix > 0 && suffix < 5 && !strings.ContainsFunc(word, unicode.IsUpper)
}

var seed = maphash.MakeSeed()

// isDate reports whether s starts with the name of a month before a day, or of a
// weekday before that.
func isDate(s string) bool {
	if len(s) > 8 && s[7] == ' ' && stamp.Weekday([]byte(s[:3])) > 0 {
		s = s[4:]
	}
	return len(s) > 4 && s[3] == ' ' && ascii.Digits(strings.TrimLeft(s[4:], " ")) > 0 && stamp.Month([]byte(s[:3])) > 0
}

// quotedLen returns the length of the quoted text that s starts with, or 0. The
// method of an HTTP request does not vary.
func quotedLen(s string) int {
	const longest = 200
	after := strings.TrimLeft(s[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	method := len(after) < len(s)-3 && strings.HasPrefix(after, " /")
	n := strings.IndexByte(s[1:min(len(s), longest)], s[0])
	return ascii.If(n >= 0 && !method, n+2)
}

// unitLen returns the length of a blank and a unit of size or time at the start of
// s, or 0.
func unitLen(s string) int {
	if !strings.HasPrefix(s, " ") {
		return 0
	}
	n := 1 + ascii.Letters(s[1:])
	switch s[1:n] {
	case "byte", "bytes", "B", "kB", "KB", "MB", "GB", "KiB", "MiB", "GiB", "ns", "us", "ms", "s", "sec", "secs", "second", "seconds",
		"min", "mins", "minute", "minutes", "h", "hour", "hours", "day", "days":
		return n
	}
	return 0
}
