package language

// maxJSONDepth is where the scanner gives up; deeper text is not taken for JSON.
const maxJSONDepth = 128

// looksLikeJSON reports whether s is one JSON object or array, or several of
// them one after the other, as in JSON lines. When cut is set, s is the head of
// a longer text and may end anywhere. An empty array or object is JSON too; a
// bare string or number is not taken for it.
func looksLikeJSON(s string, cut bool) bool {
	d := jsonScanner{s: s}
	values := 0
	for d.blanks(); d.i < len(s); d.blanks() {
		if s[d.i] != '{' && s[d.i] != '[' {
			return false
		}
		if !d.value(0) {
			return cut && d.i >= len(s) && d.i > 1
		}
		values++
	}
	return values > 0
}

// jsonScanner checks JSON grammar without keeping anything. After a method
// returned false, i is at the fault, or at the end of s when s is too short.
type jsonScanner struct {
	s string
	i int
}

func (d *jsonScanner) blanks() {
	for d.i < len(d.s) && (d.s[d.i] == ' ' || d.s[d.i] == '\t' || d.s[d.i] == '\n' || d.s[d.i] == '\r') {
		d.i++
	}
}

func (d *jsonScanner) take(c byte) bool {
	if d.i < len(d.s) && d.s[d.i] == c {
		d.i++
		return true
	}
	return false
}

func (d *jsonScanner) value(depth int) bool {
	if d.i >= len(d.s) || depth > maxJSONDepth {
		return false
	}
	switch c := d.s[d.i]; {
	case c == '{':
		return d.list('}', depth, true)
	case c == '[':
		return d.list(']', depth, false)
	case c == '"':
		return d.str()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case c >= 'a' && c <= 'z':
		return d.word("true") || d.word("false") || d.word("null")
	}
	return false
}

func (d *jsonScanner) list(end byte, depth int, keys bool) bool {
	d.i++
	d.blanks()
	if d.take(end) {
		return true
	}
	for {
		if keys && !d.key() || !d.value(depth+1) {
			return false
		}
		d.blanks()
		if d.take(end) {
			return true
		}
		if !d.take(',') {
			return false
		}
		d.blanks()
	}
}

func (d *jsonScanner) key() bool {
	if d.i >= len(d.s) || d.s[d.i] != '"' || !d.str() {
		return false
	}
	d.blanks()
	if !d.take(':') {
		return false
	}
	d.blanks()
	return true
}

func (d *jsonScanner) str() bool {
	for d.i++; d.i < len(d.s); d.i++ {
		switch c := d.s[d.i]; {
		case c == '"':
			d.i++
			return true
		case c == '\\':
			d.i++
		case c < ' ':
			return false
		}
	}
	d.i = len(d.s)
	return false
}

func (d *jsonScanner) number() bool {
	d.take('-')
	digits := 0
	for ; d.i < len(d.s); d.i++ {
		switch c := d.s[d.i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-':
		default:
			return digits > 0
		}
	}
	return digits > 0
}

func (d *jsonScanner) word(w string) bool {
	rest := d.s[d.i:]
	if len(rest) < len(w) && w[:len(rest)] == rest {
		d.i = len(d.s)
		return false
	}
	if len(rest) >= len(w) && rest[:len(w)] == w {
		d.i += len(w)
		return true
	}
	return false
}
