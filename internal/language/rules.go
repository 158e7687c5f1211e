package language

import "strings"

// The rules in this file decide alone: each looks for a mark that practically
// never occurs in that place in another language. They apply to few snippets
// and are right when they do; everything less certain is left to the
// classifier.

// decide returns the language that a rule finds in code, or "". If cut is set,
// code is the start of a longer text.
func decide(code string, cut bool) string {
	code = strings.TrimPrefix(code, "\ufeff")
	start := strings.TrimLeft(code, " \t\r\n")
	code = code[strings.LastIndexByte(code[:len(code)-len(start)], '\n')+1:]
	if strings.HasPrefix(code, "#!") {
		line, _, _ := strings.Cut(code, "\n")
		if name := interpreter(line[2:]); name != "" {
			return name
		}
	}
	if name := fromStart(start); name != "" {
		return name
	}
	if start != "" && (start[0] == '{' || start[0] == '[') && looksLikeJSON(start, cut) {
		return "json"
	}
	for _, rule := range [...]func(string) string{fromBeginnings, fromMarks, fromLog, fromTable, fromHeading} {
		if name := rule(code); name != "" {
			return name
		}
	}
	return ""
}

// interpreter returns the language of the interpreter in line, which follows #!
// in a script. It skips env with its options and variables.
func interpreter(line string) string {
	for word := range strings.FieldsSeq(line) {
		program := strings.ToLower(word[strings.LastIndexByte(word, '/')+1:])
		if program == "env" || strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
			continue
		}
		program = strings.TrimRight(program, "0123456789.-")
		return known().words["interpreter"][program]
	}
	return ""
}

func fromStart(code string) string {
	head := strings.ToLower(code[:min(len(code), 1024)])
	if strings.HasPrefix(head, "<?xml") {
		if strings.Contains(head, "<!doctype html") || strings.Contains(head, "<html") {
			return "html"
		}
		return "xml"
	}
	for _, start := range known().starts {
		if strings.HasPrefix(head, start.marks[0].prefix) {
			return start.language
		}
	}
	return ""
}
