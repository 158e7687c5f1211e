package highlight

import (
	"regexp"
	"slices"
	"strings"
)

// Lexers of shells leave commands and their arguments as text. This file
// classifies them by position: a command is at the beginning of a line or after
// a separator of commands, options begin with a dash, and other words are
// arguments.

// beforeCommand lists the words that a command follows.
var beforeCommand = [...]string{"$(", "then", "do", "else", "elif", "if", "while", "until", "!", "time"}

// shellWords classifies the words of a script.
func shellWords(tokens []Token) []Token {
	s := shell{out: make([]Token, 0, 2*len(tokens)), command: true}
	for _, t := range tokens {
		s.add(t)
	}
	return s.out
}

// A shell processes the tokens of a script in one pass.
type shell struct {
	out     []Token
	command bool   // whether a command may follow
	test    bool   // within [[ ]], [ ] or (( ))
	pattern bool   // within a pattern of case
	head    string // the keyword to which a following "in" belongs
}

func (s *shell) add(t Token) {
	word := strings.TrimSpace(t.Text)
	switch t.Class {
	case ClassText:
		if class := s.headWord(word); class != ClassText {
			s.out = append(s.out, Token{t.Text, class})
		} else {
			s.words(t.Text)
		}
		return
	case ClassOperator, ClassAssignment, ClassPunctuation, ClassInterpolation, ClassStringEscape:
		t.Class = s.sign(t)
	case ClassKeyword:
		t.Class = s.keyword(t, word)
	case ClassComment, ClassPreprocessor:
	case ClassVariable:
		if positional.MatchString(word) {
			t.Class = ClassParameter
		}
	default:
		s.command = false
	}
	if t.Class == ClassBuiltin && slices.Contains(declarations[:], word) {
		t.Class = ClassModifier
	}
	s.out = append(s.out, t)
}

// positional matches a positional parameter.
var positional = regexp.MustCompile(`^\$?[0-9]+$`)

// sign updates the state for a token of operators and returns its class.
func (s *shell) sign(t Token) Class {
	switch {
	case strings.HasSuffix(t.Text, "["), strings.HasSuffix(t.Text, "(("):
		s.test = true
	case strings.HasPrefix(t.Text, "]"), strings.HasPrefix(t.Text, "))"):
		s.test, s.command = false, false
	case s.pattern && strings.Contains(t.Text, ")"):
		s.pattern, s.command = false, true
		return ClassOperator
	default:
		s.command = strings.ContainsAny(t.Text, "|;&({`)") && !strings.HasSuffix(t.Text, "=(")
	}
	if n := len(s.out); strings.HasSuffix(t.Text, ";;") || t.Text == ";" && n > 0 && s.out[n-1].Text == ";" {
		s.pattern = true
	}
	if strings.Trim(t.Text, "& ") == "" {
		return ClassPunctuation
	}
	return t.Class
}

// keyword updates the state for a keyword and returns its class.
func (s *shell) keyword(t Token, word string) Class {
	s.pattern = s.head == "case" && word == "in"
	s.head = word
	s.command = slices.Contains(beforeCommand[:], word)
	if word == "$(" || word == ")" {
		return ClassInterpolation
	}
	return t.Class
}

// declarations are the commands that declare variables.
var declarations = [...]string{"export", "readonly", "local", "declare", "typeset"}

// headWord returns the class of a word after for, select or case if it is the
// variable of a loop or "in"; otherwise it returns ClassText.
func (s *shell) headWord(word string) Class {
	switch {
	case word == "" || s.head != "for" && s.head != "select" && s.head != "case":
		return ClassText
	case word == "in":
		s.pattern, s.head = s.head == "case", ""
		return ClassKeyword
	case s.head != "case" && isLetter(word[0]):
		s.head = "select"
		return ClassVariable
	default:
		return ClassText
	}
}

// words appends a text without a class from the lexer, word by word.
func (s *shell) words(text string) {
	for text != "" {
		n := len(text) - len(strings.TrimLeft(text, " \t\n"))
		if n > 0 {
			s.command = s.command || strings.Contains(text[:n], "\n") && !s.continues()
			s.out, text = append(s.out, Token{text[:n], ClassText}), text[n:]
			continue
		}
		if n = strings.IndexAny(text, " \t\n;|&()<>"); n <= 0 {
			n = max(1, len(text)*min(1, -n))
		}
		word := text[:n]
		s.out, text = append(s.out, Token{word, s.class(word)}), text[n:]
		s.command = strings.ContainsAny(word, ";|&(") || s.command && strings.Contains(word, "=") || slices.Contains(beforeCommand[:], word)
	}
}

// startsWord reports whether a blank or an operator precedes the next word.
func (s *shell) startsWord() bool {
	last := last(s.out)
	return last.Text == "" || strings.ContainsAny(last.Text[len(last.Text)-1:], " \t\n;|&()")
}

// continues reports whether a line ends in a backslash.
func (s *shell) continues() bool {
	return len(s.out) > 0 && strings.HasSuffix(s.out[len(s.out)-1].Text, `\`)
}

// class returns the class of a word.
func (s *shell) class(word string) Class {
	switch {
	case strings.Trim(word, ";|&()<>!=+*/%[]{}?:,") == "":
		return ClassOperator
	case s.pattern:
		return ClassRegexp
	case word[0] == '-' && len(word) > 1 && s.startsWord():
		if s.test {
			return ClassOperator
		}
		return ClassOption
	case s.test:
		return ClassText
	case s.command:
		return ClassCall
	default:
		return ClassArgument
	}
}
