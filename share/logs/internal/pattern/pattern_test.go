package pattern_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// TestMatch reads testdata/matches.txt: a pattern after "=", then lines with the
// texts that they must have, or with "-" if the pattern does not match.
func TestMatch(t *testing.T) {
	data, err := os.ReadFile("testdata/matches.txt")
	require.NoError(t, err)
	var p *pattern.Pattern
	for row := range strings.Lines(strings.ReplaceAll(string(data), "⇥", "\t")) {
		row = strings.TrimSuffix(row, "\n")
		if source, ok := strings.CutPrefix(row, "="); ok {
			p = pattern.MustCompile(source)
			continue
		}
		want, line, _ := strings.Cut(row, " → ")
		if strings.HasPrefix(row, "# ") {
			continue
		}
		var m pattern.Match
		matches := p.Match([]byte(line), &m)
		require.Equal(t, want != "-", matches, line)
		if !matches {
			continue
		}
		assert.Zero(t, p.Signs&^pattern.SignsOf([]byte(line)), line)
		for pair := range strings.SplitSeq(want, " · ") {
			name, text, _ := strings.Cut(pair, "=")
			got := string(m.Text(name))
			if name == "LEVEL" {
				got = m.Level.String()
			}
			assert.Equal(t, text, got, "%s: %s: %s", p, name, line)
		}
	}
}

func TestMustCompile_errors(t *testing.T) {
	for source, want := range map[string]string{
		"{a":              `unexpected "{"`,
		"(a|b":            `unexpected "|"`,
		"a)":              `unexpected ")"`,
		"}":               `unexpected "}"`,
		"{message}{line}": `unexpected "message"`,
		"{a:numbr}":       `unexpected "a:numbr"`,
		"{time:monthly}":  `unexpected "time:monthly"`,
		"{sign:a=terror}": `unexpected "a=terror"`,
	} {
		_, err := compile(source)
		assert.Contains(t, err, want, source)
	}
}

// compile returns a pattern or what is wrong with it.
func compile(source string) (p *pattern.Pattern, err any) {
	defer func() { err = recover() }()
	return pattern.MustCompile(source), nil
}

// A match makes a bounded number of attempts, however many there could be.
func TestMatch_hostile(t *testing.T) {
	p := pattern.MustCompile("{a} {b} {c} {d} {e} {f} {g} x")
	var m pattern.Match
	line := []byte(strings.Repeat("a ", 1<<15))
	allocated := testing.AllocsPerRun(100, func() { assert.False(t, p.Match(line, &m)) })
	assert.Zero(t, allocated)
}

func FuzzMatch(f *testing.F) {
	f.Add("({a}:)? {time} [{level}] {b:number}|{c}", "a: 2024-05-01 10:00:00 [INFO] 7")
	f.Fuzz(func(t *testing.T, source, line string) {
		p, err := compile(source)
		if err != nil {
			return
		}
		var m pattern.Match
		if p.Match([]byte(line), &m) {
			require.LessOrEqual(t, m.Rest, len(line))
			require.LessOrEqual(t, int(m.Time.End), len(line))
		}
	})
}
