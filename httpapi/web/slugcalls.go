package web

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/slugify"
)

// A slugOption is an option of slugs under its names in Go and on the command
// line, and what people call it where the API does not have it.
type slugOption struct {
	inGo, flag, words string
	value             any
}

// slugOptions returns the options that differ from their defaults.
func slugOptions(o slugify.Options) []slugOption {
	if *o.Separator == "-" {
		o.Separator = nil
	}
	all := []slugOption{
		{"Separator", "separator", "", o.Separator},
		{"KeepCase", "keep-case", "", o.KeepCase},
		{"Language", "language", "language", o.Language},
		{"MaxLength", "max-length", "max length", o.MaxLength},
		{"Fallback", "fallback", "fallback", o.Fallback},
		{"Preserve", "preserve", "preserved signs", o.Preserve},
		{"Replace", "replace", "replacements", o.Replace},
		{"StopWords", "stop-words", "stop words", o.StopWords},
		{"Unicode", "unicode", "letters of every script", o.Unicode},
		{"SplitCamel", "split-camel", "camelCase", o.SplitCamel},
		{"HTML", "html", "HTML", o.HTML},
		{"Emoji", "emoji", "names of emoji", o.Emoji},
	}
	return slices.DeleteFunc(all, func(s slugOption) bool {
		v := reflect.ValueOf(s.value)
		return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	})
}

// field is the option in a Go literal.
func (s slugOption) field() string {
	if separator, ok := s.value.(*string); ok {
		return fmt.Sprintf("%s: new(%q)", s.inGo, *separator)
	}
	return fmt.Sprintf("%s: %#v", s.inGo, s.value)
}

// argument is the option on a command line.
func (s slugOption) argument() string {
	value := ""
	switch v := s.value.(type) {
	case bool:
		return "--" + s.flag
	case *string:
		value = *v
	case []string:
		value = strings.Join(v, ",")
	case map[string]string:
		var pairs []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			pairs = append(pairs, key+"="+v[key])
		}
		value = strings.Join(pairs, ";")
	default:
		value = fmt.Sprint(v)
	}
	return "--" + s.flag + "=" + shellWord(value)
}

// shellWord quotes a word for a shell where it has to be.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// slugCalls returns how the slugs are had from the API, of which beyond tells
// what it lacks, in Go and on the command line.
func slugCalls(lines []string, o slugify.Options, unique bool) (body, beyond, inGo, command string) {
	fields := []any{"text", lines[0]}
	var lacks, goFields []string
	words := []string{"devkiln", "slug"}
	for _, s := range slugOptions(o) {
		goFields = append(goFields, s.field())
		words = append(words, s.argument())
		switch s.inGo {
		case "Separator":
			fields = append(fields, "separator", s.value)
		case "KeepCase":
			fields = append(fields, "lowercase", false)
		default:
			lacks = append(lacks, s.words)
		}
	}
	options := "slugify.Options{" + strings.Join(goFields, ", ") + "}"
	inGo = fmt.Sprintf("slug, err := slugify.Make(%q, %s)", lines[0], options)
	if unique {
		lacks, words = append(lacks, "numbers"), append(words, "--unique")
		inGo = fmt.Sprintf("set, err := slugify.NewSet(%s)\nslug, err := set.Add(%q)", options, lines[0])
	}
	if len(lines) > 1 {
		lacks, words = append(lacks, "lines after the first"), append(words, "<titles.txt")
	} else {
		words = append(words, "--", shellWord(lines[0]))
	}
	if lacks != nil {
		beyond = "The API does not have: " + strings.Join(lacks, ", ") + ". The Go package and the command do."
	}
	return request(fields...), beyond, inGo, strings.Join(words, " ")
}
