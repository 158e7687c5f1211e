package highlight

import "strings"

// The lexers of JavaScript recognise tags within code only in part. This file
// tracks elements, their attributes, and the code in braces within them.

// A jsxPlace is the context of a token.
type jsxPlace uint8

const (
	inCode     jsxPlace = iota // of a script or within braces
	inTag                      // between < and >
	inChildren                 // between an opening tag and its closing one
)

// jsxElements classifies the tokens of elements in a script.
func jsxElements(tokens []Token) []Token {
	var f jsx
	f.stack = append(f.stack, inCode)
	for i, t := range tokens {
		f.next = ""
		if i+1 < len(tokens) {
			f.next = tokens[i+1].Text
		}
		f.add(t)
	}
	return f.out
}

type jsx struct {
	out     []Token
	stack   []jsxPlace
	next    string // the text of the next token
	last    Token  // the last token that is not blank
	closing bool   // whether the tag is a closing tag
	named   bool   // whether the name of the tag has been read
}

// maxElements is the depth up to which nested elements are tracked.
const maxElements = 200

func (f *jsx) place() jsxPlace { return f.stack[len(f.stack)-1] }

func (f *jsx) push(p jsxPlace) {
	if len(f.stack) < maxElements {
		f.stack = append(f.stack, p)
	}
}

func (f *jsx) pop() {
	if len(f.stack) > 1 {
		f.stack = f.stack[:len(f.stack)-1]
	}
}

// add adds a token. It splits a token of several brackets.
func (f *jsx) add(t Token) {
	if t.Class == ClassText && strings.TrimSpace(t.Text) == "" {
		f.out = append(f.out, t)
		return
	}
	if t.Class == ClassPunctuation || t.Class == ClassOperator {
		for len(t.Text) > 1 && strings.ContainsAny(t.Text, "{}<>") && t.Text != "=>" && t.Text != ">=" && t.Text != "<=" {
			n := 1
			if strings.HasPrefix(t.Text, "</") || strings.HasPrefix(t.Text, "/>") || strings.HasPrefix(t.Text, "=>") {
				n = 2
			}
			f.take(Token{t.Text[:n], t.Class}, t.Text[n:]+f.next)
			t.Text = t.Text[n:]
		}
		if t.Text == "" {
			return
		}
	}
	f.take(t, f.next)
}

func (f *jsx) take(t Token, next string) {
	switch f.place() {
	case inTag:
		t.Class = f.inTag(t)
	case inChildren:
		t.Class = f.inChildren(t)
	default:
		t.Class = f.inCode(t, next)
	}
	f.out = append(f.out, t)
	f.last = t
}

func (f *jsx) inCode(t Token, next string) Class {
	if t.Class != ClassPunctuation && t.Class != ClassOperator {
		return t.Class
	}
	switch t.Text {
	case "{":
		f.push(inCode)
	case "}":
		if f.pop(); f.place() != inCode {
			return ClassEmbedding
		}
	case "<":
		if f.startsElement(next) {
			f.open(false)
			return ClassTagDelimiter
		}
	}
	return t.Class
}

// startsElement reports whether < opens a tag: a name or > follows directly,
// and the token before is not a value, after which < is a comparison or begins
// type arguments.
func (f *jsx) startsElement(next string) bool {
	if next == "" || !isLetter(next[0]) && next[0] != '>' {
		return false
	}
	switch f.last.Class {
	case ClassPunctuation:
		return !strings.HasSuffix(f.last.Text, ")") && !strings.HasSuffix(f.last.Text, "]") && !strings.HasSuffix(f.last.Text, ".")
	case ClassKeyword, ClassOperator, ClassAssignment, ClassKeywordDeclaration, ClassComment, ClassDocComment:
		return true
	default:
		return f.last.Text == ""
	}
}

func (f *jsx) open(closing bool) {
	f.push(inTag)
	f.closing, f.named = closing, false
}

func (f *jsx) inTag(t Token) Class {
	switch t.Text {
	case ">":
		f.pop()
		if f.closing {
			f.pop()
		} else {
			f.push(inChildren)
		}
		return ClassTagDelimiter
	case "/>":
		f.pop()
		return ClassTagDelimiter
	case "/":
		return ClassTagDelimiter
	case "{":
		f.push(inCode)
		return ClassEmbedding
	case "=":
		return ClassAssignment
	}
	switch {
	case t.Class == ClassString || t.Class == ClassStringEscape || t.Class == ClassComment || strings.Trim(t.Text, ".-:,;()") == "":
		return t.Class
	case !f.named || strings.HasSuffix(f.last.Text, ".") && (f.last.Class == ClassTag || f.last.Class == ClassComponent):
		f.named = true
		if capitalised(t.Text) || len(t.Text) == 1 && t.Text[0] < 'a' {
			return ClassComponent
		}
		return ClassTag
	default:
		return ClassAttribute
	}
}

func (f *jsx) inChildren(t Token) Class {
	switch t.Text {
	case "<":
		f.open(false)
		return ClassTagDelimiter
	case "</":
		f.open(true)
		return ClassTagDelimiter
	case "{":
		f.push(inCode)
		return ClassEmbedding
	}
	if t.Class == ClassStringEscape {
		return t.Class
	}
	return ClassText
}
