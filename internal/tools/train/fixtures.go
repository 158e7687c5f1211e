package main

import (
	"path"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/language"
)

// Highlighters are tested with one file or directory for each language. The
// text before the tokens that they expect is code.

func whole(text string) string { return text }

// fixtureOf returns the class of a highlighter's test case, or "", and a
// function that extracts its code.
func fixtureOf(name string) (class string, extract func(string) string) {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		next := parts[i+1]
		switch {
		case part == "languages" && path.Ext(name) == ".test":
			return fixtureClass(next), beforeRule
		case part == "snippets" && path.Ext(name) == ".txt":
			return fixtureClass(next), betweenMarks
		case part == "testdata" && path.Ext(name) == ".actual":
			stem, _, _ := strings.Cut(next, ".")
			return fixtureClass(stem), whole
		}
	}
	return "", whole
}

// fixtureClass returns the class for a highlighter's name of a language, or "".
func fixtureClass(name string) string {
	canonical, _ := language.Lookup(name)
	if slices.Contains(language.Classes(), canonical) && canonical != language.Text {
		return canonical
	}
	return ""
}

// beforeRule returns the text above a line of at least ten dashes.
func beforeRule(text string) string {
	code, _, _ := strings.Cut(text, "\n----------")
	return code
}

// betweenMarks returns the text between the lines ---input--- and ---tokens---.
func betweenMarks(text string) string {
	_, code, _ := strings.Cut(text, "---input---\n")
	code, _, _ = strings.Cut(code, "---tokens---")
	return code
}
