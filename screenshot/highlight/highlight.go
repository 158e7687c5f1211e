// Package highlight splits code into tokens with classes, and provides themes,
// which give each [Class] a style. It does not render: it is all that a page
// needs to show code in colours.
//
// Start with [Code] and [LookupTheme]:
//
//	theme, ok := highlight.LookupTheme("nord")
//	theme = theme.For("go")
//	for _, line := range highlight.Code(code, "go").Lines {
//		for _, token := range line {
//			style := theme.Style(token.Class)
//			...
//
// The code may come from an untrusted source: the work of lexers is limited,
// and code that exceeds the limit becomes plain text.
//
// The classes that a lexer gives to tokens may change between versions.
package highlight

import (
	"cmp"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot/internal/threadtime"
)

// A Token is a part of a line of code that has one class.
type Token struct {
	Text  string
	Class Class
}

const (
	// A lexer may use baseWork, plus workPerRune for each character of a text.
	baseWork    = 300 * time.Millisecond
	workPerRune = 16 * time.Microsecond

	// maxEmpty is the most consecutive empty tokens to accept: some lexers can
	// produce them without end.
	maxEmpty = 1000
)

// A Result is highlighted code.
type Result struct {
	// Lines are the tokens of each line. Adjacent tokens have different
	// classes; line ends are not part of any token.
	Lines [][]Token

	// Plain reports whether highlighting would have taken too long, so that no
	// line has colours.
	Plain bool
}

// Code splits code into lines, and lines into tokens. The language is a name or
// alias in any case; code in an unknown language is plain text. Lines end with
// LF, CRLF or CR; one line end at the end of the code is dropped.
//
// Code that would take its lexer too long, half a second per 10,000 characters,
// becomes plain text. The tokens always make up the whole code.
func Code(code, lang string) Result {
	return CodeWithin(code, lang, baseWork+workPerRune*time.Duration(utf8.RuneCountInString(code)))
}

// CodeWithin is [Code] with another limit on the processor time of the lexer,
// which embedded code may take once more.
func CodeWithin(code, lang string, limit time.Duration) Result {
	code = NormalNewlines(code) + "\n" // lexers need a line end at the end
	tokens, ok := lex(code, lang, limit)
	lines := splitLines(code, refine(code, tokens, lang, limit))
	return Result{Lines: lines[:len(lines)-1], Plain: !ok}
}

// NormalNewlines returns code with the line ends of the lines of [Code]: LF
// between lines and none at the end.
func NormalNewlines(code string) string {
	if strings.Contains(code, "\r") {
		code = strings.ReplaceAll(strings.ReplaceAll(code, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSuffix(code, "\n")
}

// slots limits how many lexers run at a time. With more, a match waits so long
// for a processor that chroma abandons it (TestCode_sameUnderLoad).
var slots = make(chan struct{}, runtime.GOMAXPROCS(0))

// lex splits text into tokens. It returns one plain token and false for text
// that takes its lexer too much time, since the place at which a lexer is
// stopped depends on chance.
//
// The limit applies to the processor time of the thread, since regexp2 does not
// count steps. It does not depend on the load of the machine, and ordinary code
// needs a fifth of it, so that the same code has the same colours. This does
// not hold for code close to the limit, nor if a single match exceeds the 250
// ms of wall time after which chroma abandons it.
func lex(text, lang string, limit time.Duration) (tokens []Token, ok bool) {
	g := grammarOf(lang)
	next := lexer(text, lang)
	if next == nil {
		return []Token{{text, classText}}, true
	}
	slots <- struct{}{}
	defer func() { <-slots }()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	end := threadtime.Now() + limit
	rest := text
	for empty := 0; rest != "" && empty < maxEmpty; {
		t, ok := nextToken(next)
		if !ok || !strings.HasPrefix(rest, t.Value) {
			break
		}
		if threadtime.Now() > end {
			return []Token{{text, classText}}, false
		}
		if t.Value == "" {
			empty++
			continue
		}
		empty = 0
		tokens = append(tokens, Token{rest[:len(t.Value)], g.classOf(t.Type)})
		rest = rest[len(t.Value):]
	}
	if rest != "" {
		tokens = append(tokens, Token{rest, classText})
	}
	return tokens, true
}

// lexer starts the lexer of a language, or returns nil if that fails. It does
// not join tokens (chroma.Coalesce): some lexers produce empty tokens without
// end on unsuitable text, and only a caller that sees each of them can stop.
func lexer(text, lang string) chroma.Iterator {
	g := grammarOf(lang)
	if g.Embedded != nil {
		text += unclosed(text)
	}
	next, err := lexers.Get(language.Display(cmp.Or(g.Lexer, lang))).Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return nil
	}
	return next
}

// unclosed returns the closing tag of a script or style sheet in which the text
// ends. The lexer needs the tag to recognise the element.
func unclosed(text string) string {
	for _, name := range [...]string{"script", "style"} {
		if strings.LastIndex(text, "<"+name) > strings.LastIndex(text, "</"+name) {
			return "</" + name + ">"
		}
	}
	return ""
}

// nextToken returns the next token, which may be empty. If the lexer panics,
// its tokens end: some 300 third-party lexers run on untrusted text.
func nextToken(next chroma.Iterator) (t chroma.Token, ok bool) {
	defer func() {
		if recover() != nil {
			t, ok = chroma.EOF, false
		}
	}()
	t = next()
	return t, t != chroma.EOF
}

// splitLines distributes the tokens of code to lines and joins adjacent tokens
// of one class. Every text is a substring of code, so that joining copies
// nothing.
func splitLines(code string, tokens []Token) [][]Token {
	lines := make([][]Token, 1, 64)
	start := 0
	for _, t := range tokens {
		for end := start + len(t.Text); start < end; {
			part, newline := code[start:end], false
			if n := strings.IndexByte(part, '\n'); n >= 0 {
				part, newline = part[:n], true
			}
			last := len(lines) - 1
			lines[last] = extend(lines[last], code[:start+len(part)], len(part), t.Class)
			if start += len(part); newline {
				lines = append(lines, nil)
				start++
			}
		}
	}
	return lines
}

// extend adds the last n bytes of code to a line that ends before them.
func extend(line []Token, code string, n int, class Class) []Token {
	if n == 0 {
		return line
	}
	last := len(line) - 1
	if last < 0 || line[last].Class != class {
		return append(line, Token{code[len(code)-n:], class})
	}
	line[last].Text = code[len(code)-n-len(line[last].Text):]
	return line
}
