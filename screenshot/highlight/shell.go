package highlight

import (
	"slices"
	"strings"
)

// Lexers of shells leave commands and their arguments as text. This file tells
// them apart by their place: a command stands at the beginning of a line and
// behind what separates commands, options begin with a dash, and other words are
// arguments.

// beforeCommand are the words behind which a command stands.
var beforeCommand = [...]string{"$(", "then", "do", "else", "elif", "if", "while", "until", "!", "time", "sudo", "exec"}

// shellWords gives the words of a script their classes.
func shellWords(tokens []Token) []Token {
	out := make([]Token, 0, 2*len(tokens))
	command, test := true, false // a command may stand here; within [[ ]]
	head := ""                   // the keyword of a line that in belongs to
	for _, t := range tokens {
		switch {
		case t.Class == ClassText:
			var class Class
			if class, head = headWord(head, strings.TrimSpace(t.Text)); class != ClassText {
				out = append(out, Token{t.Text, class})
				continue
			}
			out, command = appendWords(out, t.Text, command, test)
			continue
		case t.Class == ClassOperator || t.Class == ClassAssignment || t.Class == ClassPunctuation || t.Class == ClassInterpolation || t.Class == ClassStringEscape:
			switch {
			case strings.HasSuffix(t.Text, "[["), strings.HasSuffix(t.Text, "(("):
				test = true
			case strings.HasPrefix(t.Text, "]]"), strings.HasPrefix(t.Text, "))"):
				test, command = false, false
			default:
				command = strings.ContainsAny(t.Text, "|;&({`)") && !strings.HasSuffix(t.Text, "=(")
			}
		case t.Class == ClassKeyword:
			head = strings.TrimSpace(t.Text)
			command = slices.Contains(beforeCommand[:], head)
		case t.Class == ClassComment, t.Class == ClassPreprocessor, t.Class == ClassVariable && command:
		default:
			command = false
		}
		if t.Class == ClassBuiltin && slices.Contains(declarations[:], strings.TrimSpace(t.Text)) {
			t.Class = ClassModifier
		}
		out = append(out, t)
	}
	return out
}

// declarations are commands that declare variables.
var declarations = [...]string{"export", "readonly", "local", "declare", "typeset"}

// headWord returns the class of a word behind for, select or case, the variable of
// a loop or in, and what head is behind it; ClassText for others.
func headWord(head, word string) (c Class, behind string) {
	switch {
	case word == "" || head != "for" && head != "select" && head != "case":
		return ClassText, head
	case word == "in":
		return ClassKeyword, ""
	case head != "case" && isLetter(word[0]):
		return ClassVariable, "case"
	default:
		return ClassText, head
	}
}

// appendWords appends a text that the lexer has no class for, word by word. It
// reports whether a command may stand behind it.
func appendWords(out []Token, text string, command, test bool) ([]Token, bool) {
	for text != "" {
		n := len(text) - len(strings.TrimLeft(text, " \t\n"))
		if n > 0 {
			command = command || strings.Contains(text[:n], "\n") && !continues(out)
			out, text = append(out, Token{text[:n], ClassText}), text[n:]
			continue
		}
		if n = strings.IndexAny(text, " \t\n;|&()<>"); n <= 0 {
			n = max(1, len(text)*min(1, -n))
		}
		word := text[:n]
		out, text = append(out, Token{word, shellClass(word, command && !test, test)}), text[n:]
		command = strings.ContainsAny(word, ";|&(") || command && strings.Contains(word, "=") || slices.Contains(beforeCommand[:], word)
	}
	return out, command
}

// continues reports whether a line ends in a backslash.
func continues(out []Token) bool {
	return len(out) > 0 && strings.HasSuffix(out[len(out)-1].Text, `\`)
}

func shellClass(word string, command, test bool) Class {
	switch {
	case strings.Trim(word, ";|&()<>!=+*/%[]{}?:,") == "":
		return ClassOperator
	case word[0] == '-' && len(word) > 1 && !test:
		return ClassOption
	case test:
		return ClassText
	case command:
		return ClassCall
	default:
		return ClassArgument
	}
}
