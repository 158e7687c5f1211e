package language

// The features of a text are its words, pairs of tokens, shapes of three and
// four tokens, and starts and ends of lines, each hashed to one of Buckets
// numbers. Each counts once, however often it occurs. The weights were trained
// on exactly these features, so a change here requires new weights.

const (
	// Buckets is the number of features that the classifier distinguishes.
	Buckets = 1 << bucketBits
	// MaxFeatures is the maximum number of features of a text.
	MaxFeatures = 6000

	bucketBits   = 15
	maxWordBytes = 16
)

// Kinds of features, as seeds of their hashes.
const (
	seedWord uint64 = iota + 1
	seedPair
	seedShape3
	seedShape4
	seedStart
	seedStartPair
	seedEnd
	seedEndPair
)

// token is what the scanner keeps of a token: the hashes of its text and of its
// shape, and whether a blank precedes it.
type token struct {
	text, shape uint64
	spaced      uint64
}

// featureScanner scans a text once.
type featureScanner struct {
	seen [Buckets / 64]uint64
	list []uint16
	left int
	last [3]token // previous tokens, the latest first
	line int      // number of tokens in this line so far
}

// AppendFeatures appends the features of code to dst, in the order of their
// first appearance and at most [MaxFeatures] of them.
func AppendFeatures(dst []uint16, code string) []uint16 {
	f := featureScanner{list: dst, left: MaxFeatures}
	for i := 0; i < len(code) && f.left > 0; {
		i = f.lineOf(code, i)
	}
	return f.list
}

// lineOf scans the line that starts at i and returns the start of the next.
func (f *featureScanner) lineOf(code string, i int) int {
	indent := uint64(0)
	for i < len(code) && (code[i] == ' ' || code[i] == '\t') {
		indent = 1 + uint64(code[i])
		i++
	}
	f.line = 0
	spaced := uint64(0)
	for i < len(code) && code[i] != '\n' {
		c := code[i]
		if c == ' ' || c == '\t' || c == '\r' {
			spaced = 1
			i++
			continue
		}
		end, text, shape := scanToken(code, i)
		f.token(token{text, shape, spaced}, indent)
		i, spaced = end, 0
	}
	if f.line > 0 {
		f.add(mix(seedEnd, f.last[0].text))
		f.add(mix(seedEndPair, f.last[0].text, f.last[1].text))
		f.push(token{text: '\n', shape: '\n' + indent<<8})
	}
	return i + 1
}

func (f *featureScanner) token(t token, indent uint64) {
	p := &f.last
	f.add(mix(seedWord, t.text))
	f.add(mix(seedPair, p[0].text, t.text, t.spaced))
	f.add(mix(seedShape3, p[1].shape, p[0].shape, t.shape))
	f.add(mix(seedShape4, p[2].shape, p[1].shape+p[0].spaced, p[0].shape, t.shape+t.spaced))
	switch f.line {
	case 0:
		f.add(mix(seedStart, t.text, indent))
	case 1:
		f.add(mix(seedStartPair, p[0].text, t.shape, t.spaced))
	}
	f.push(t)
	f.line++
}

func (f *featureScanner) push(t token) {
	f.last[2], f.last[1], f.last[0] = f.last[1], f.last[0], t
}

func (f *featureScanner) add(h uint64) {
	b := h >> (64 - bucketBits)
	if bit := uint64(1) << (b % 64); f.seen[b/64]&bit == 0 && f.left > 0 {
		f.seen[b/64] |= bit
		f.list = append(f.list, uint16(b))
		f.left--
	}
}

// mix hashes a kind of feature and its parts.
func mix(seed uint64, parts ...uint64) uint64 {
	h := seed * 0x9e3779b97f4a7c15
	for _, p := range parts {
		h = (h ^ p) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h * 0xc4ceb9fe1a85ec53
}

// Classes of bytes.
const (
	classOperator = iota
	classSingle
	classWord
	classDigit
)

// byteClasses maps bytes to word characters, digits, brackets and quotes, which
// are single tokens, and operator characters, up to three of which form a
// token.
var byteClasses = func() (classes [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			classes[c] = classWord
		case c >= '0' && c <= '9':
			classes[c] = classDigit
		}
	}
	for _, c := range []byte("()[]{},;\"'`") {
		classes[c] = classSingle
	}
	return classes
}()

// scanToken reads the token at i, which is not a blank, and returns its end and
// the hashes of its text and shape. All numbers have the same text.
func scanToken(code string, i int) (end int, text, shape uint64) {
	switch byteClasses[code[i]] {
	case classWord:
		return scanWord(code, i)
	case classDigit:
		for end = i + 1; end < len(code) && byteClasses[code[end]] >= classWord; end++ {
		}
		return end, '0', '0'
	case classSingle:
		return i + 1, uint64(code[i]), uint64(code[i])
	}
	for end = i; end < len(code) && end < i+3 && byteClasses[code[end]] == classOperator && code[end] > ' '; end++ {
		text = text<<8 | uint64(code[end])
	}
	if end == i {
		return i + 1, uint64(code[i]), uint64(code[i])
	}
	return end, text, text
}

// scanWord hashes up to maxWordBytes of a word. Its shape states which of lower
// case, upper case, underscores and bytes beyond ASCII occur in it, and whether
// it starts with upper case or is a single byte.
func scanWord(code string, i int) (end int, text, shape uint64) {
	text = 14695981039346656037
	for end = i; end < len(code); end++ {
		c := code[end]
		if byteClasses[c] < classWord {
			break
		}
		if end < i+maxWordBytes {
			text = (text ^ uint64(c)) * 1099511628211
		}
		switch {
		case c >= 'a' && c <= 'z':
			shape |= 1
		case c >= 'A' && c <= 'Z':
			shape |= 2
			if end == i {
				shape |= 4
			}
		case c == '_':
			shape |= 8
		case c >= 0x80:
			shape |= 16
		}
	}
	if end == i+1 {
		shape |= 32
	}
	return end, text, shape<<32 | 1<<40
}
