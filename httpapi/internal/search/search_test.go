package search_test

import (
	"context"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/search"
)

// limited is a context that ends when it has been asked n times.
type limited struct {
	context.Context

	n *int
}

func (c limited) Err() error {
	if *c.n--; *c.n < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestCompile_refusals(t *testing.T) {
	for source, want := range map[string]string{
		"(a?){1000}":                               "this expression is too complex",
		"(.?){1000}x":                              "this expression is too complex",
		"((a{1000}){1000}){1000}":                  "invalid repeat count: {1000}",
		strings.Repeat("(a?){10}", 120):            "this expression is too complex",
		strings.Repeat(`\pL{30}`, 40):              "this expression is too complex",
		strings.Repeat("(", 500) + "a":             "missing closing ): " + strings.Repeat("(", 500) + "a",
		"[":                                        "missing closing ]: [",
		strings.Repeat("x", search.MaxLength+1):    "this expression has more than 1000 bytes",
		strings.Repeat("x", search.MaxLength):      "",
		`^(\d{1,3}\.){3}\d{1,3}( - \w{0,40}){2,8}`: "",
	} {
		_, err := search.Compile(source)
		if want == "" {
			assert.NoError(t, err, source)
			continue
		}
		assert.EqualError(t, err, want, source)
	}
}

func TestExpression_matches(t *testing.T) {
	e, err := search.Compile("b+(c|$)")
	require.NoError(t, err)
	far := strings.Repeat("a", 2_000_000) // read through the context
	for text, want := range map[string]string{"abbc": "bbc", "abba": "", far + "bb": "bb", far: "", far + "bcd": "bc"} {
		found, err := e.Match(t.Context(), text)
		require.NoError(t, err)
		assert.Equal(t, want != "", found)
		if len(text) < len(far) { // a longer one is not searched for its text
			assert.Equal(t, want, e.Find(text))
		}
	}
}

// A match in a long text ends with its context.
func TestExpression_endsWithItsContext(t *testing.T) {
	e, err := search.Compile("(.?){200}x$")
	require.NoError(t, err)
	far := strings.Repeat("a", 100_000_000)
	n := 3
	_, err = e.Match(limited{t.Context(), &n}, far)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.GreaterOrEqual(t, n, -3, "it went on after its context had ended")
}

// What is counted before compiling is not less than what is compiled.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"", "a", "abc|abd|x*", "(a?){3}", "(?i)k{2,5}[a-z]+?", "(x{0}y{3,}){2}", `^\b(?:\pL|[^\n])$`, "(?:(?:a{2}){3,}){4}|", "(?s).{0,9}\\z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		e, err := search.Compile(source)
		if err != nil {
			return
		}
		parsed, err := syntax.Parse(source, syntax.Perl)
		require.NoError(t, err)
		prog, err := syntax.Compile(parsed.Simplify())
		require.NoError(t, err)
		assert.LessOrEqual(t, len(prog.Inst), e.Instructions+2, source)
	})
}
