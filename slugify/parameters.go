package slugify

import (
	"strings"

	"github.com/devkiln/devkiln/internal/option"
)

// Parameters returns a row for each of the [Options], with its name, range and
// description. Commands, pages and agents read it.
func Parameters() option.Table[Options] {
	signs := map[string]string{"-": "Hyphen -", "_": "Underscore _", ".": "Dot .", "~": "Tilde ~", "": "Nothing"}
	tags, names := []string{""}, map[string]string{"": "Any language"}
	for _, l := range Languages() {
		tags, names[l.Tag] = append(tags, l.Tag), l.Name
	}
	return option.New(
		option.Option[Options]{
			Name: "separator", Kind: option.Choice, Values: append(strings.Split(separators, ""), ""), Labels: signs, Default: "-", Example: "_",
			Doc: "What separates words: one of - _ . ~ ! $ & ' ( ) * + , ; = : @ or nothing", Field: func(o *Options) any { return &o.Separator },
		},
		option.Option[Options]{
			Name: "maxLength", Aliases: []string{"max"}, Example: "80",
			Doc: "Cut to this many characters, between words where possible", Field: func(o *Options) any { return &o.MaxLength },
		},
		option.Option[Options]{
			Name: "language", Kind: option.Name, Values: tags, Labels: names, Example: "de",
			Doc: "Transliterate letters and signs as in a language, such as de or pt-BR", Field: func(o *Options) any { return &o.Language },
		},
		option.Option[Options]{
			Name: "keepCase", Aliases: []string{"case=keep"}, Label: "Keep upper case", Example: "on",
			Doc: "Keep upper case", Field: func(o *Options) any { return &o.KeepCase },
		},
		option.Option[Options]{
			Name: "splitCamel", Aliases: []string{"camel=split", "camel"}, Label: "Split camelCase", Advanced: true, Example: "on",
			Doc: "Split camelCase", Field: func(o *Options) any { return &o.SplitCamel },
		},
		option.Option[Options]{
			Name: "unicode", Aliases: []string{"unicode=keep"}, Label: "Keep the letters of every script", Advanced: true, Example: "on",
			Doc: "Keep the letters of every script", Field: func(o *Options) any { return &o.Unicode },
		},
		option.Option[Options]{
			Name: "emoji", Aliases: []string{"emoji=name"}, Label: "Name emoji", Advanced: true, Example: "on",
			Doc: "Replace emoji by their English names", Field: func(o *Options) any { return &o.Emoji },
		},
		option.Option[Options]{
			Name: "stopWords", Aliases: []string{"stop"}, Advanced: true, Example: "the,of",
			Doc: "Words to leave out", Field: func(o *Options) any { return &o.StopWords },
		},
		option.Option[Options]{
			Name: "replace", Advanced: true, Example: "C++=cpp;♥=love",
			Doc: "Words or signs to replace", Field: func(o *Options) any { return &o.Replace },
		},
		option.Option[Options]{
			Name: "preserve", Label: "Preserve signs", Advanced: true, Example: "._",
			Doc: "Signs to keep within words", Field: func(o *Options) any { return &o.Preserve },
		},
		option.Option[Options]{
			Name: "fallback", Advanced: true, Example: "untitled",
			Doc: "The text to use if a text gives no slug", Field: func(o *Options) any { return &o.Fallback },
		},
	)
}
