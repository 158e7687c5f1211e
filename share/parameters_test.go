package share_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/option/optiontest"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

func TestLogParameters(t *testing.T) {
	s, _ := newService(store.NewMemory())
	validate := func(o share.LogOptions) error { return o.Validate("{}") }
	optiontest.Run(t, option.Of[share.LogOptions](), validate, func(o share.LogOptions) string {
		text := "{}"
		if o.Format == "" {
			text = "text"
		}
		log, err := s.CreateLog(t.Context(), text, o)
		require.NoError(t, err)
		return fmt.Sprint(log.Title, log.Format, log.Expires.Sub(log.Created))
	}, "Stats", "Owner", "Mask", "Burn", "FitEnds", "Encrypted", "MaxExpiry", "IdempotencyKey")
}

func TestSnippetParameters(t *testing.T) {
	s, _ := newService(store.NewMemory())
	validate := func(o share.SnippetOptions) error { return o.Validate("x") }
	optiontest.Run(t, option.Of[share.SnippetOptions](), validate, func(o share.SnippetOptions) string {
		snippet, err := s.CreateSnippet(t.Context(), "x", o)
		require.NoError(t, err)
		return fmt.Sprint(snippet.Title, snippet.Language, snippet.Expires.Sub(snippet.Created))
	}, "Owner", "Burn", "Encrypted", "MaxExpiry", "IdempotencyKey")
}
