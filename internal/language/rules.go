package language

import "strings"

// The rules of this file decide alone: each names a mark that, at the place
// where it is looked for, practically never stands in another language. They
// fire on few snippets and are right when they do; everything less certain is
// the classifier's.

// decide returns the language that a rule finds in code, or "". When cut is
// set, code is the head of a longer text.
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
	for _, rule := range [...]func(string) string{fromLines, fromMarks, fromSession, fromLog, fromHeading} {
		if name := rule(code); name != "" {
			return name
		}
	}
	return ""
}

// interpreter reads what follows #! in a script's first line. It looks through
// env with its options and variables.
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

// fromLines looks for marks at the starts of lines, down to the first fence of
// a Markdown code block.
func fromLines(code string) string {
	var d dockerfile
	var g gofile
	for line := range strings.SplitSeq(code, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if strings.HasPrefix(line, "```") {
			break
		}
		for _, m := range known().lines {
			if m.marks[0].on(line, line) {
				return m.language
			}
		}
		if rest, ok := strings.CutPrefix(line, "#include <"); ok && !strings.Contains(strings.Split(rest, ">")[0], ".") {
			return "c++" // the headers of C end in .h
		}
		if d.line(line) {
			return "dockerfile"
		}
		if g.line(line) {
			return "go"
		}
	}
	if g.clause && !g.other {
		return "go"
	}
	return ""
}

// dockerfile waits for FROM as the first instruction but ARG, and for a second
// instruction after it.
type dockerfile struct {
	from, other bool
}

const dockerInstructions = "RUN COPY WORKDIR CMD ENTRYPOINT ENV EXPOSE ADD USER ARG LABEL VOLUME HEALTHCHECK SHELL STOPSIGNAL ONBUILD FROM"

func (d *dockerfile) line(line string) bool {
	if d.other || line == "" || line[0] == '#' {
		return false
	}
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case d.from:
		return rest != "" && hasWord(dockerInstructions, word)
	case word == "FROM" && rest != "" && !strings.HasSuffix(line, ","):
		d.from = true
	case word != "ARG":
		d.other = true
	}
	return false
}

// gofile waits for a package clause and then for a declaration.
type gofile struct {
	clause, other bool
}

func (g *gofile) line(line string) bool {
	if name, ok := strings.CutPrefix(line, "package "); ok && !strings.ContainsAny(name, ".;{ ") && name == strings.ToLower(name) {
		g.clause = true
		return false
	}
	g.other = g.other || line != "" && !comment.MatchString(line)
	return g.clause && (strings.HasPrefix(line, "func ") || line == "import (" ||
		strings.HasPrefix(line, `import "`) || strings.HasPrefix(line, "type ") && strings.HasSuffix(line, "{"))
}
