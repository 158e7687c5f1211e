package share

import (
	"slices"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/internal/option"
)

func init() {
	option.Register(logParameters)
	option.Register(snippetParameters)
}

// logParameters returns a row for each of the [LogOptions] that a sender
// chooses. Servers set the others.
func logParameters() option.Table[LogOptions] {
	return option.New(
		option.Option[LogOptions]{
			Name: "title", Max: MaxLogTitle, Example: "nightly build",
			Doc: "What the log is of", Field: func(o *LogOptions) any { return &o.Title },
		},
		option.Option[LogOptions]{
			Name: "expiry", Values: words(logExpiries), Default: string(Expiry24h), Example: string(Expiry7d),
			Doc: "How long to keep the log", Field: func(o *LogOptions) any { return &o.Expiry },
		},
		option.Option[LogOptions]{
			Name: "format", Values: words(formats), Default: string(FormatAuto), Example: string(FormatJSON),
			Doc: "How to interpret the log", Field: func(o *LogOptions) any { return &o.Format },
		},
	)
}

// snippetParameters returns a row for each of the [SnippetOptions] that a sender
// chooses.
func snippetParameters() option.Table[SnippetOptions] {
	return option.New(
		option.Option[SnippetOptions]{
			Name: "language", Kind: option.Name, Values: slices.Sorted(slices.Values(language.Names())), Example: "go",
			Doc: "Language of the code; detected if it is not known", Field: func(o *SnippetOptions) any { return &o.Language },
		},
		option.Option[SnippetOptions]{
			Name: "title", Max: MaxSnippetTitle, Example: "main.go",
			Doc: "What the code is of", Field: func(o *SnippetOptions) any { return &o.Title },
		},
		option.Option[SnippetOptions]{
			Name: "expiry", Values: words(snippetExpiries), Default: string(Expiry24h), Example: string(Expiry7d),
			Doc: "How long to keep the snippet", Field: func(o *SnippetOptions) any { return &o.Expiry },
		},
	)
}

// words returns values as texts.
func words[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return texts
}
