package mask

const (
	digits    = "0123456789"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls    = "abcdefghijklmnopqrstuvwxyz"
	letters   = capitals + smalls
	wordBytes = letters + digits + "_"
)

// A set is a set of bytes.
type set [256]bool

func setOf(chars string) *set {
	var t set
	for _, c := range []byte(chars) {
		t[c] = true
	}
	return &t
}

// endsOf returns the bytes that end a value: chars and the control characters.
func endsOf(chars string) *set {
	t := setOf(chars + "\x7f")
	for c := range ' ' {
		t[c] = true
	}
	return t
}

// all reports whether every byte of s is in the set.
func (t *set) all(s string) bool {
	for i := range len(s) {
		if !t[s[i]] {
			return false
		}
	}
	return true
}

var (
	digit   = setOf(digits)
	letter  = setOf(letters)
	word    = setOf(wordBytes)
	base62  = setOf(letters + digits)
	base64u = setOf(wordBytes + "-")
	anyHex  = setOf(digits + "abcdefABCDEF")
)
