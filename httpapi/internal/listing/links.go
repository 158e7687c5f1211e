package listing

import "strings"

// linked writes text with its http and https URLs as links. The URLs stay
// visible, so a reader sees where each link leads.
func (w *writer) linked(s string) {
	for {
		from := addressStart(s)
		if from < 0 {
			w.text(s)
			return
		}
		to := from + addressLength(s[from:])
		if to-from > maxAddress || !w.affords(len(`<a rel=nofollow href=""></a>`)+to-from) {
			w.text(s[:to])
		} else {
			w.text(s[:from])
			w.b = append(w.b, `<a rel=nofollow href="`...)
			w.escape(s[from:to])
			w.b = append(w.b, `">`...)
			w.text(s[from:to])
			w.b = append(w.b, "</a>"...)
		}
		s = s[to:]
	}
}

// maxAddress limits the length of a linked URL, in bytes.
const maxAddress = 2000

// addressStart returns the index of the first nonempty http or https URL in s,
// or -1.
func addressStart(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			return -1
		}
		i += from
		for _, scheme := range [...]string{"https", "http"} {
			start := i - len(scheme)
			if strings.HasSuffix(s[:i], scheme) && (start == 0 || !isLetter(s[start-1])) && addressLength(s[start:]) > len(scheme)+len("://") {
				return start
			}
		}
		from = i + 3
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// addressLength returns the length of the URL at the start of s: printable
// ASCII except quotes, braces and backslashes, without punctuation that ends a
// sentence.
func addressLength(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'<>`\\{}|^", r) })
	if end < 0 {
		end = len(s)
	}
	for end > 0 && strings.IndexByte(".,;:!?)]*", s[end-1]) >= 0 {
		if s[end-1] == ')' && strings.Count(s[:end], "(") >= strings.Count(s[:end], ")") {
			break
		}
		end--
	}
	return end
}
