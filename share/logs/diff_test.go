package logs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

func ExampleDiff() {
	earlier := "03:04:05 INFO build 17\n03:04:06 INFO tests pass\n03:04:07 INFO done in 12 s\n"
	later := "04:04:05 INFO build 18\n04:04:06 ERROR no total for cart 17\n\tat Cart.total(Cart.java:34)\n04:04:07 INFO done in 14 s\n"
	fmt.Print(logs.Unified(logs.Diff(earlier, later), 1))
	// Output:
	// @@ -1,3 +1,4 @@
	//  04:04:05 INFO build 18
	// -03:04:06 INFO tests pass
	// +04:04:06 ERROR no total for cart 17
	// +	at Cart.total(Cart.java:34)
	//  04:04:07 INFO done in 14 s
}

// words returns a log with a line for each of letters.
func words(letters string) string {
	var log strings.Builder
	for _, c := range letters {
		log.WriteString("word " + string(c) + "\n")
	}
	return log.String()
}

func TestDiff_shortest(t *testing.T) {
	for logsOf, want := range map[string]string{
		"abcabba cbabac": "-a+c b-c a b-b a+c",
		"abc abc":        " a b c",
		"abc xyz":        "-a-b-c+x+y+z",
		" ab":            "+a+b",
		"ab ":            "-a-b",
		" ":              "",
		"abcd abxcd":     " a b+x c d",
	} {
		a, b, _ := strings.Cut(logsOf, " ")
		var got strings.Builder
		for _, l := range logs.Diff(words(a), words(b)) {
			mark, text := "-", l.Earlier.Text
			if l.Later.Number > 0 {
				mark, text = "+", l.Later.Text
			}
			if l.Same {
				mark = " "
			}
			got.WriteString(mark + text[len(text)-1:])
		}
		assert.Equal(t, want, got.String(), logsOf)
	}
}

// For any logs, each line of both appears once and in order, and hunks omit
// only lines that both logs have.
func TestDiff_whole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		logOf := func() string {
			letters := make([]byte, random.IntN(40))
			for i := range letters {
				letters[i] = 'a' + byte(random.IntN(6))
			}
			return words(string(letters))
		}
		requireWhole(t, logOf(), logOf(), random.IntN(4))
	}
	requireWhole(t, words(strings.Repeat("ab", 2000)), words(strings.Repeat("cd", 1000)+strings.Repeat("ba", 300)), 3)
}

func requireWhole(t *testing.T, earlier, later string, context int) {
	t.Helper()
	var a, b strings.Builder
	lines := logs.Diff(earlier, later)
	for _, l := range lines {
		if l.Earlier.Number > 0 {
			a.WriteString(l.Earlier.Text + "\n")
		}
		if l.Later.Number > 0 {
			b.WriteString(l.Later.Text + "\n")
		}
	}
	require.Equal(t, earlier, a.String())
	require.Equal(t, later, b.String())
	shown := map[logs.DiffLine]int{}
	for _, hunk := range logs.Hunks(lines, context) {
		for _, l := range hunk {
			shown[l]++
		}
	}
	for _, l := range lines {
		if n := shown[l]; n > 1 || n == 0 && !l.Same {
			require.Failf(t, "shown", "%d times: %v", n, l)
		}
	}
}

func BenchmarkDiff(b *testing.B) {
	for _, name := range []string{"log4j", "build-c"} {
		b.Run(name, func(b *testing.B) {
			later := benchmarkLog(b, name, 4<<20)
			earlier := benchmarkLog(b, "access-combined", 2<<20)
			b.SetBytes(int64(len(later) + len(earlier)))
			for b.Loop() {
				logs.Diff(earlier, later)
			}
		})
	}
}
