package slugify

import (
	"strings"

	"github.com/devkiln/devkiln/internal/option"
)

func init() { option.Register(parameters) }

// parameters returns a row for each of the [Options], which commands, pages and
// agents read.
func parameters() option.Table[Options] {
	signs := map[string]string{"-": "Hyphen -", "_": "Underscore _", ".": "Dot .", "~": "Tilde ~", "": "Nothing"}
	tags, names := languageChoices()
	type row = option.Option[Options]
	return option.New(
		row{Name: "separator", Kind: option.Choice, Values: append(strings.Split(separators, ""), ""), Labels: signs, Default: "-", Example: "_", Doc: "What separates words: one of - _ . ~ ! $ & ' ( ) * + , ; = : @ or nothing", Field: func(o *Options) any { return &o.Separator }},
		row{Name: "maxLength", Aliases: []string{"max"}, Example: "80", Doc: "Cut to this many characters, between words where possible", Field: func(o *Options) any { return &o.MaxLength }},
		row{Name: "language", Kind: option.Name, Values: tags, Labels: names, Example: "de", Doc: "Transliterate letters and signs as in a language, such as de or pt-BR", Field: func(o *Options) any { return &o.Language }},
		row{Name: "keepCase", Aliases: []string{"case=keep"}, Label: "Keep upper case", Example: "on", Doc: "Keep upper case", Field: func(o *Options) any { return &o.KeepCase }},
		row{Name: "splitCamel", Aliases: []string{"camel=split", "camel"}, Label: "Split camelCase", Advanced: true, Example: "on", Doc: "Split camelCase", Field: func(o *Options) any { return &o.SplitCamel }},
		row{Name: "unicode", Aliases: []string{"unicode=keep"}, Label: "Keep the letters of every script", Advanced: true, Example: "on", Doc: "Keep the letters of every script", Field: func(o *Options) any { return &o.Unicode }},
		row{Name: "emoji", Aliases: []string{"emoji=name"}, Label: "Name emoji", Advanced: true, Example: "on", Doc: "Replace emoji by their English names", Field: func(o *Options) any { return &o.Emoji }},
		row{Name: "stopWords", Aliases: []string{"stop"}, Advanced: true, Example: "the,of", Doc: "Words to leave out", Field: func(o *Options) any { return &o.StopWords }},
		row{Name: "replace", Advanced: true, Example: "C++=cpp;♥=love", Doc: "Words or signs to replace", Field: func(o *Options) any { return &o.Replace }},
		row{Name: "preserve", Label: "Preserve signs", Advanced: true, Example: "._", Doc: "Signs to keep within words", Field: func(o *Options) any { return &o.Preserve }},
		row{Name: "fallback", Advanced: true, Example: "untitled", Doc: "The text to use if a text gives no slug", Field: func(o *Options) any { return &o.Fallback }},
	)
}

// languageChoices returns the tags of all languages, and their names.
func languageChoices() (tags []string, names map[string]string) {
	tags, names = []string{""}, map[string]string{"": "Any language"}
	for _, l := range Languages() {
		tags, names[l.Tag] = append(tags, l.Tag), l.Name
	}
	return tags, names
}
