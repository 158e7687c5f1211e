package language

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
)

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
	if start != "" && (start[0] == '{' || start[0] == '[') && looksLikeJSON(start, cut) {
		return "json"
	}
	for _, rule := range [...]func(string) string{fromBeginnings, fromMarks, fromLog, fromTable, known().expressions["heading"]} {
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

// looksLikeJSON reports whether s is a JSON object or array, or a sequence of
// them, as in JSON lines. Empty ones count; a bare string or number does not.
// If cut is set, s is the start of a longer text and may end anywhere.
func looksLikeJSON(s string, cut bool) bool {
	d := json.NewDecoder(strings.NewReader(s))
	for values := 0; ; values++ {
		var value json.RawMessage
		err := d.Decode(&value)
		switch {
		case errors.Is(err, io.EOF):
			return values > 0
		case errors.Is(err, io.ErrUnexpectedEOF):
			return cut
		case err != nil || value[0] != '{' && value[0] != '[':
			return false
		}
	}
}

// jsonStart matches the start of an object or array that may be incomplete.
var jsonStart = regexp.MustCompile(`^[\[\s]*\{\s*"|^\[\s*[\[{]`)

// fromTable returns [Text] for rows with equally many cells, three or more, and
// no characters that are common in code.
func fromTable(s string) string {
	s = s[:strings.LastIndexByte(s, '\n')+1]
	rows, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil || len(rows) < 2 || len(rows[0]) < 3 || strings.Contains(s, ",\n") || strings.ContainsAny(s, "(){}=;<>") {
		return ""
	}
	return Text
}

// Logs are text: a highlighter finds nothing in them, and their words come from
// anywhere. The start of their lines identifies them.
//
// Package share/logs knows far more formats of logs, and more of each. Here a
// few beginnings suffice, and a package of names and detection need not import
// it. The test reads the logs of share/logs, so that both agree.

// maxLogLines is the number of lines that fromLog examines.
const maxLogLines = 40

// fromLog returns [Text] if at least two lines of a text, and most of those
// that are not indented, start like those of a log.
func fromLog(s string) string {
	entries, others := 0, 0
	for line := range strings.SplitSeq(s, "\n") {
		switch line = strings.TrimRight(line, " \t"); {
		case line == "" || line[0] == ' ' || line[0] == '\t':
		case known().expressions["entry"](line) != "":
			entries++
		default:
			others++
		}
		if entries+others == maxLogLines {
			break
		}
	}
	if entries >= 2 && entries > others {
		return Text
	}
	return ""
}

// Files often begin with a long comment, whose prose says nothing about the
// language of the code after it. The marks of the comment do.

// comment matches a block comment or a run of line comments. A single # may be
// a Markdown heading.
var comment = regexp.MustCompile(`^\s*(/\*+|\{-|<#|--\[\[)(?s:.*?)(?:\*/|-\}|#>|\]\])[ \t]*(?:\n|$)` +
	`|^[ \t]*(//[/!]?|---?|;;|%+)(?:[ @].*)?(?:\n|$)` +
	`|^(#'?)(?: .*)?\n(?:#'?(?: .*)?(?:\n|$))+`)

// withoutComment returns code with its leading comment reduced to the mark. If
// nothing follows the comment, it returns code and reports whether it is surely
// a comment.
func withoutComment(code string) (rest string, alone bool) {
	mark, rest := "", code
	for {
		rest = strings.TrimLeft(rest, "\n")
		m := comment.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		mark, rest = m[1]+m[2]+m[3]+"\n", rest[len(m[0]):]
	}
	if strings.TrimSpace(rest) == "" {
		return code, mark != "" && mark[0] != '#' && mark != "---\n"
	}
	return mark + rest, false
}
