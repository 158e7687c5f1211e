package highlight

import (
	"regexp"
	"slices"
	"strings"
)

// Lexers of shells leave commands and their arguments as text. This file tells
// them apart by their place: a command stands at the beginning of a line and
// behind what separates commands, options begin with a dash, and other words are
// arguments.

// beforeCommand are the words behind which a command stands.
var beforeCommand = [...]string{"$(", "then", "do", "else", "elif", "if", "while", "until", "!", "time"}

// shellWords gives the words of a script their classes.
func shellWords(tokens []Token) []Token {
	s := shell{out: make([]Token, 0, 2*len(tokens)), command: true}
	for _, t := range tokens {
		s.add(t)
	}
	return s.out
}

// A shell goes through the tokens of a script once.
type shell struct {
	out     []Token
	command bool   // a command may stand here
	test    bool   // within [[ ]], [ ] or (( ))
	pattern bool   // of case
	head    string // the keyword of a line that in belongs to
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

// positional is a variable that the shell sets.
var positional = regexp.MustCompile(`^\$?[0-9]+$`)

// sign follows a token of signs and returns its class.
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

// keyword follows a keyword and returns its class.
func (s *shell) keyword(t Token, word string) Class {
	s.pattern = s.head == "case" && word == "in"
	s.head = word
	s.command = slices.Contains(beforeCommand[:], word)
	if word == "$(" || word == ")" {
		return ClassInterpolation
	}
	return t.Class
}

// declarations are commands that declare variables.
var declarations = [...]string{"export", "readonly", "local", "declare", "typeset"}

// headWord returns the class of a word behind for, select or case, the variable of
// a loop or in; ClassText for others.
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

// words appends a text that the lexer has no class for, word by word.
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

// startsWord reports whether a blank or a sign stands before what comes next.
func (s *shell) startsWord() bool {
	last := before(s.out)
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
