package screenshot

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"github.com/devkiln/devkiln/internal/language"
)

// A Token is a piece of a line of code that a theme sets in one style.
type Token struct {
	Text  string
	Class Class
}

const (
	// lexingTime is how long a lexer may take. What it has not read by then
	// is plain text.
	lexingTime = 800 * time.Millisecond

	// Lexers take quadratic time on long runs of one character, and these
	// never change what the rest of the code means: the lexer sees no more
	// than so many of them.
	maxRun     = 128
	maxNewline = 3

	// maxEmpty is how many empty tokens may come in a row: some lexers can
	// give them for ever.
	maxEmpty = 1000
)

// Highlight splits code into lines, and lines into tokens. The language is a
// name or alias; code in one that is unknown is plain text. Lines end with LF,
// CRLF or CR, which are in no token; one line end at the end of the code is
// dropped. Neighbouring tokens have different classes.
//
// A lexer that takes long, or whose ctx ends, leaves the rest as plain text, so
// that the tokens are the whole code in any case.
func Highlight(ctx context.Context, code, lang string) [][]Token {
	code = normalNewlines(code)
	squeezed, gaps := squeeze(code)
	ctx, cancel := context.WithTimeout(ctx, lexingTime)
	defer cancel()
	// Lexers want the line end that code often lacks.
	tokens := refine(lex(ctx, squeezed+"\n", lang), lang)
	lines := splitLines(stretch(tokens, gaps))
	return lines[:len(lines)-1]
}

func normalNewlines(code string) string {
	if strings.Contains(code, "\r") {
		code = strings.ReplaceAll(strings.ReplaceAll(code, "\r\n", "\n"), "\r", "\n")
	}
	return strings.TrimSuffix(code, "\n")
}

// A gap is where squeeze has left something out.
type gap struct {
	offset int // in the squeezed text
	text   string
}

// squeeze shortens the long runs of one character in code.
func squeeze(code string) (squeezed string, gaps []gap) {
	var b strings.Builder
	kept := 0 // what is in b or in gaps
	for start := 0; start < len(code); {
		r, size := utf8.DecodeRuneInString(code[start:])
		end := start + size
		for strings.HasPrefix(code[end:], code[start:start+size]) {
			end += size
		}
		limit := maxRun
		if r == '\n' {
			limit = maxNewline
		}
		if cut := start + limit*size; cut < end {
			b.WriteString(code[kept:cut])
			gaps = append(gaps, gap{b.Len(), code[cut:end]})
			kept = end
		}
		start = end
	}
	if gaps == nil {
		return code, nil
	}
	b.WriteString(code[kept:])
	return b.String(), gaps
}

// stretch puts back what squeeze left out.
func stretch(tokens []Token, gaps []gap) []Token {
	if len(gaps) == 0 {
		return tokens
	}
	out := make([]Token, 0, len(tokens)+2*len(gaps))
	offset := 0
	for _, t := range tokens {
		for len(gaps) > 0 && gaps[0].offset <= offset+len(t.Text) {
			head := gaps[0].offset - offset
			out = append(out, Token{t.Text[:head], t.Class}, Token{gaps[0].text, t.Class})
			t.Text = t.Text[head:]
			offset += head
			gaps = gaps[1:]
		}
		out = append(out, t)
		offset += len(t.Text)
	}
	return out
}

// lex returns tokens that together are text.
func lex(ctx context.Context, text, lang string) []Token {
	var tokens []Token
	rest := text
	if next := lexer(text, lang); next != nil {
		for empty := 0; empty < maxEmpty && ctx.Err() == nil; {
			t, ok := nextToken(next)
			if !ok || !strings.HasPrefix(rest, t.Value) {
				break
			}
			if t.Value == "" {
				empty++
				continue
			}
			empty = 0
			class, _ := classOf(t.Type)
			tokens = append(tokens, Token{rest[:len(t.Value)], class})
			rest = rest[len(t.Value):]
		}
	}
	if rest != "" {
		tokens = append(tokens, Token{rest, ClassText})
	}
	return tokens
}

// lexer starts the lexer of a language, nil where it does not start.
func lexer(text, lang string) chroma.Iterator {
	next, err := language.Lexer(lang).Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return nil
	}
	return next
}

// nextToken returns the next token, which may be empty. The lexers are some 300
// programs of others that run on a stranger's text: where one panics, its
// tokens end.
func nextToken(next chroma.Iterator) (t chroma.Token, ok bool) {
	defer func() {
		if recover() != nil {
			t, ok = chroma.EOF, false
		}
	}()
	t = next()
	return t, t != chroma.EOF
}

// splitLines distributes tokens to lines and joins neighbours of one class.
func splitLines(tokens []Token) [][]Token {
	lines := make([][]Token, 1, 64)
	for _, t := range tokens {
		for i, part := range strings.Split(t.Text, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part == "" {
				continue
			}
			line := &lines[len(lines)-1]
			if last := len(*line) - 1; last >= 0 && (*line)[last].Class == t.Class {
				(*line)[last].Text += part
			} else {
				*line = append(*line, Token{part, t.Class})
			}
		}
	}
	return lines
}
