package listing

import "strings"

// linked writes text with the addresses in it as links. Only http and https
// become links, as they stand there: a page shows nothing but where they lead.
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

// maxAddress is how many bytes an address may have that becomes a link.
const maxAddress = 2000

// addressStart returns where http:// or https:// begins in s, with something
// behind it, or -1.
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

// addressLength returns the length of the address that s starts with: printable
// ASCII but for quotes, brackets and backslashes, without the punctuation that
// ends a sentence.
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
