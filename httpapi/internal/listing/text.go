package listing

import (
	_ "embed" // of the classes
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
)

// decorated writes a line with its terminal colours or, without any, with its
// time dimmed. Escape sequences that do not colour are removed.
func (w *writer) decorated(style *terminal.Style, line logs.Line) {
	text, unstyled := line.Text, *style == terminal.Style{}
	if unstyled && line.TimeEnd > 0 && strings.IndexByte(text[:line.TimeEnd], 0x1b) < 0 && w.affords(markWeight) {
		w.marked(text[:line.TimeStart])
		w.b = append(w.b, "<i>"...)
		said := strings.TrimPrefix(text[line.TimeEnd:], " ") // a time is hidden with its blank
		w.text(text[line.TimeStart : len(text)-len(said)])
		w.b, text = append(w.b, "</i>"...), said
	}
	if unstyled && strings.IndexByte(text, 0x1b) < 0 {
		w.marked(text)
		return
	}
	for look, text := range style.Spans(text) {
		w.mark(styleClass(look), text)
	}
}

// columns writes a JSON record as time, level, message and other fields. It
// reports false, and writes nothing, if the line is not a record or there is no
// room.
func (w *writer) columns(line string) bool {
	r, ok := logs.ParseRecord(line)
	if !ok || !w.affords(4*markWeight+(markWeight+2)*len(r.Fields)) {
		return false
	}
	w.open("q")
	w.text(r.Prefix)
	w.b = append(w.b, "</i><i>"...)
	w.text(r.Time)
	w.b = append(w.b, "</i> <i class=l>"...)
	w.text(r.Level)
	w.b = append(w.b, "</i> "...)
	w.marked(r.Message)
	for _, f := range r.Fields {
		w.b = append(w.b, " <i class=q>"...)
		w.text(f.Name + "=")
		w.marked(f.Value)
		w.b = append(w.b, "</i>"...)
	}
	return true
}

// styleClass returns the classes of a style, "" for the default: f0 to f255 for
// the foreground, b0 to b255 for the background; see [ANSIStyles].
func styleClass(s terminal.Style) string {
	var names []string
	add := func(is bool, name string) {
		if is {
			names = append(names, name)
		}
	}
	text, hasText := s.Foreground.Index()
	back, hasBack := s.Background.Index()
	if s.Inverse {
		add(!hasText && !hasBack, "v")
		text, hasText, back, hasBack = back, hasBack, text, hasText
	}
	add(hasText, "f"+strconv.Itoa(int(text)))
	add(hasBack, "b"+strconv.Itoa(int(back)))
	add(s.Bold, "B")
	add(s.Faint, "D")
	add(s.Italic, "I")
	add(s.Underline, "U")
	add(s.Strikethrough, "X")
	return strings.Join(names, " ")
}

// tokens writes the tokens of a line of code.
func (w *writer) tokens(tokens []highlight.Token) {
	current := ""
	for _, token := range tokens {
		if class := codeClasses()[token.Class.String()]; class != current {
			w.close(current)
			w.open(class)
			current = class
		}
		w.marked(token.Text)
	}
	w.close(current)
}

// codeFile maps the classes of the viewer's style sheet, one per line, to those
// of tokens, which distinguish more: c comments, k keywords, t types, n
// functions, s strings, e escapes, m numbers and constants, g tags, a
// attributes and keys, p punctuation, d and x lines of a diff, h headings, b
// strong, i emphasis.
//
//go:embed code.tsv
var codeFile string

// codeClasses maps token classes to those of the style sheet.
var codeClasses = sync.OnceValue(func() map[string]string {
	classes := make(map[string]string)
	for line := range strings.Lines(codeFile) {
		fields := strings.Fields(line)
		for _, token := range fields[1:] {
			classes[token] = fields[0]
		}
	}
	return classes
})

// marked writes text and highlights the placeholders of masked secrets.
func (w *writer) marked(s string) {
	written := 0
	for _, at := range mask.Marks(s) {
		if w.room < markWeight+1 {
			break
		}
		w.text(s[written:at[0]])
		w.mark("z", s[at[0]:at[1]])
		written = at[1]
	}
	w.linked(s[written:])
}

// address is an http or https URL: printable ASCII except quotes, braces and
// backslashes.
var address = regexp.MustCompile("https?://[^\\x00- \\x7f-\\x{10ffff}\"'<>`\\\\{}|^]+")

// linked writes text with its URLs as links. They stay visible, so a reader
// sees where each link leads.
func (w *writer) linked(s string) {
	for !w.noLinks && strings.Contains(s, "://") {
		at := address.FindStringIndex(s)
		if at == nil {
			break
		}
		from := at[0]
		to := from + addressLength(s[from:at[1]])
		inWord := from > 0 && isLetter(s[from-1]) || strings.HasSuffix(s[from:to], "://")
		if inWord || to-from > 2000 || !w.affords(len(`<a rel=nofollow href=""></a>`)+to-from) {
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
	w.text(s)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// addressLength returns the length of a URL without punctuation that ends a
// sentence.
func addressLength(s string) int {
	for end := len(s); end > 0; end-- {
		balanced := s[end-1] == ')' && strings.Count(s[:end], "(") >= strings.Count(s[:end], ")")
		if balanced || strings.IndexByte(".,;:!?)]*", s[end-1]) < 0 {
			return end
		}
	}
	return 0
}
