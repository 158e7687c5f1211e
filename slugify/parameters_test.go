package slugify_test

import (
	"strings"
	"testing"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/option/optiontest"
	"github.com/devkiln/devkiln/slugify"
)

func TestParameters(t *testing.T) {
	optiontest.Run(t, option.Of[slugify.Options](), slugify.Options.Validate, func(o slugify.Options) string {
		var slugs []string
		for _, text := range []string{"Die Größe of parseHTML, v1.5 in C++ 🎉 für Привет " + strings.Repeat("long ", 20), "?!"} {
			slug, err := slugify.Make(text, o)
			slugs = append(slugs, slug)
			if err != nil {
				return err.Error()
			}
		}
		return strings.Join(slugs, "\n")
	})
}
