package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
)

const failedBuild = `2026-01-02 03:04:05 INFO build 17 started
2026-01-02 03:04:06 INFO compiled cart.go in 1.5s
2026-01-02 03:04:09 INFO compiled shop.go in 3.2s
2026-01-02 03:04:10 WARN retry 1 of 3: connection to 192.0.2.7:5432 refused
2026-01-02 03:04:10 WARN retry 2 of 3: connection to 192.0.2.7:5432 refused
2026-01-02 03:06:10 ERROR no total for cart 17
java.lang.IllegalStateException: no total
	at org.example.Cart.total(Cart.java:34)
	at org.example.Shop.main(Shop.java:12)
2026-01-02 03:06:11 ERROR no total for cart 18
java.lang.IllegalStateException: no sum
	at org.example.Cart.total(Cart.java:34)
	at org.example.Shop.main(Shop.java:12)
2026-01-02 03:06:12 ERROR exited with 1
`

func ExampleGroup() {
	for _, g := range logs.Summarize(failedBuild, logs.Options{}).Groups {
		fmt.Printf("%v × %d, L%d to L%d: %s\n", g.Level, g.Count, g.First, g.Last, g.Shape)
	}
	// Output:
	// error × 2, L6 to L10: no total for cart *
	// error × 1, L14 to L14: exited with *
	// warning × 2, L4 to L5: retry * of *: connection to * refused
	// info × 2, L2 to L3: compiled * in *
	// info × 1, L1 to L1: build * started
}

func ExampleSummarize() {
	fmt.Print(logs.Summarize(failedBuild, logs.Options{}))
	// Output:
	// failed · ERROR no total for cart 17
	// lines 14, entries 8, fatal 0, errors 3, warnings 2
	// first error  L6  2026-01-02 03:06:10 ERROR no total for cart 17
	//              java.lang.IllegalStateException: no total
	//              	at org.example.Cart.total(Cart.java:34)
	// last error   L10  2026-01-02 03:06:11 ERROR no total for cart 18
	// exception    L11  java.lang.IllegalStateException: no sum
	// rare         L6  error × 2  no total for cart 17
	// gap          L6  nothing for 2m0s
	// slow         L3  3.2s  compiled shop.go in 3.2s
	// slow         L2  1.5s  compiled cart.go in 1.5s
	// verdict      L14  2026-01-02 03:06:12 ERROR exited with 1
}

func ExampleCompare() {
	earlier := "INFO build 17\nERROR connection to 192.0.2.7 refused\nINFO done in 12 s\n"
	later := "INFO build 18\nERROR no space left on /dev/sda1\nINFO done in 14 s\n"
	c := logs.Compare(earlier, later)
	for _, g := range c.Added {
		fmt.Println("new: ", g.Level, g.Shape)
	}
	for _, g := range c.Gone {
		fmt.Println("gone:", g.Level, g.Shape)
	}
	fmt.Println(c.Same, "the same")
	// Output:
	// new:  error no space left on *
	// gone: error connection to * refused
	// 2 the same
}

func TestCompare_groups(t *testing.T) {
	earlier := "INFO start 1\nERROR connection to 192.0.2.7 refused\nWARN slow query took 3 s\n"
	later := "INFO start 2\nWARN slow query took 4 s\nWARN slow query took 5 s\nERROR no space left on /dev/sda1\n"
	c := logs.Compare(earlier, later)
	assert.Equal(t, []logs.Group{{Level: logs.LevelError, Shape: "no space left on *", Text: "no space left on /dev/sda1", Count: 1, First: 4, Last: 4}}, c.Added)
	assert.Equal(t, []logs.Group{{Level: logs.LevelError, Shape: "connection to * refused", Text: "connection to 192.0.2.7 refused", Count: 1, First: 2, Last: 2}}, c.Gone)
	assert.Equal(t, []logs.Change{{
		Group:  logs.Group{Level: logs.LevelWarning, Shape: "slow query took *", Text: "slow query took 3 s", Count: 2, First: 2, Last: 3},
		Before: 1,
	}}, c.Changed)
	assert.Equal(t, 1, c.Same)
}

func TestSummarize_verdict(t *testing.T) {
	for log, want := range map[string]string{
		"ERROR x\nBUILD FAILED in 3s\nbye\n":                  "BUILD FAILED in 3s",
		"ok\n3 passed, 1 failed\n":                            "3 passed, 1 failed",
		"Process completed with exit code 1.\ncleanup\n":      "Process completed with exit code 1.",
		"2026-01-02T03:04:05.0000000Z ##[error]exit code 1\n": "2026-01-02T03:04:05.0000000Z exit code 1",
		"Finished: SUCCESS\n":                                 "Finished: SUCCESS",
		"BUILD SUCCESSFUL in 3s\n":                            "BUILD SUCCESSFUL in 3s",
		"cupsd exited with no errors.\n":                      "",
		"VMSetError: rc=VINF_SUCCESS\n":                       "",
		"[REQUEST SUCCESSFUL]\n":                              "",
		"nothing to see\n":                                    "",
		"321 error      'Object.done (fs.js:7:15)' ] }\n":     "",

		"a : ok=3 unreachable=0 failed=0\nb : ok=0 unreachable=0 failed=1\nc : ok=3 unreachable=0 failed=0\n": "b : ok=0 unreachable=0 failed=1",
		"2 failed\n\nrunning again\n\n3 passed, 0 failed\n":                                                   "3 passed, 0 failed",
	} {
		assert.Equal(t, want, logs.Summarize(log, logs.Options{}).Verdict.Text, log)
	}
}

func TestSummarize_excerpt(t *testing.T) {
	s := logs.Summarize("one\ntwo\nthree\n\x1b[31mERROR four\x1b[0m\r\nfive\n", logs.Options{})
	assert.Equal(t, logs.Excerpt{
		Line: 4, Level: logs.LevelError, Text: "ERROR four", Before: []string{"one", "two", "three"}, After: []string{"five"},
	}, s.FirstError)
	assert.Equal(t, s.FirstError, s.LastError)
}

// The first error is the one that names the cause.
func TestSummarize_cause(t *testing.T) {
	quiet := strings.Repeat("compiled another file\n", 120)
	frames := strings.Repeat("main.total(0x1, 0x2)\n\t/src/cart/cart.go:3 +0x1d\n", 110)
	for log, want := range map[string]string{
		"[INFO] ------\n[ERROR] COMPILATION ERROR :\n[INFO] ------\n[ERROR] Cart.java:[3,5] cannot find symbol\n[INFO] BUILD FAILURE\n": "[ERROR] Cart.java:[3,5] cannot find symbol",
		"Tests run: 3, Failures: 1, Errors: 0 <<< FAILURE!\ntotal(CartTest)  Time elapsed: 0.1 sec  <<< FAILURE!\n":                     "total(CartTest)  Time elapsed: 0.1 sec  <<< FAILURE!",
		"ERROR: There were errors:\n" + quiet + "ERROR: no disk\n":                                                                      "ERROR: There were errors:",
		"[ERROR] handled by a test\n" + quiet + "error: no total in cart.c\nmake: *** [cart.o] Error 1\n1 failed\n":                     "error: no total in cart.c",
		"error: no total in cart.c\n1 failed\n" + quiet + "ERROR: no key\nBUILD FAILED\n":                                               "error: no total in cart.c",
		"rake aborted!\nNo Rakefile found\nThe command \"rake\" exited with 1.\ntar: cannot open cart.tar\n":                            "rake aborted!",
		"FAILED: cart.o\ncc cart.c\ncart.c:3:5: error: no total\nninja: build stopped: subcommand failed.\n":                            "cart.c:3:5: error: no total",
		"ERROR cannot open config.yaml\n" + quiet + "BUILD FAILED\n":                                                                    "ERROR cannot open config.yaml",
		"ERROR cannot open config.yaml\n" + quiet + "exit code 2\n":                                                                     "ERROR cannot open config.yaml",
		"panic: no total\n\ngoroutine 1 [running]:\n" + frames + "exit status 2\nFAIL\texample.com/cart\t0.02s\n":                       "panic: no total",
		"ERROR one\n" + quiet + "ERROR two\n":                                                                                           "ERROR one",
		"##[error]\n\nno total in cart.c\n":                                                                                             "no total in cart.c",
		"2024-05-01T10:00:00.1234567Z ##[error]\n2024-05-01T10:00:01.1234567Z no total in cart.c\n":                                     "2024-05-01T10:00:01.1234567Z no total in cart.c",
	} {
		assert.Equal(t, want, logs.Summarize(log, logs.Options{}).FirstError.Text, log)
	}
}

// If only the verdict states a failure, the summary shows the lines above it.
func TestSummarize_onlyVerdict(t *testing.T) {
	s := logs.Summarize("push\nno image has this tag\ncleaning up\nERROR: Job failed: exit code 1\n", logs.Options{})
	assert.Equal(t, "process failed: exit code 1\nlines 4, entries 4, fatal 0, errors 1, warnings 0\n"+
		"before       L1  push\nbefore       L2  no image has this tag\nbefore       L3  cleaning up\n"+
		"first error  L4  ERROR: Job failed: exit code 1\nverdict      L4  ERROR: Job failed: exit code 1\n", s.String())
}

func TestSummarize_exception(t *testing.T) {
	s := logs.Summarize("$ python shop.py\n\nTraceback (most recent call last):\n\n  File \"shop.py\", line 7, in <module>\n\n    import cart\n\n"+
		"ModuleNotFoundError: No module named 'cart'\n\nDone. Your build exited with 1.\n", logs.Options{})
	assert.Equal(t, 9, s.FirstError.ExceptionLine)
	assert.Equal(t, "ModuleNotFoundError: No module named 'cart'", s.FirstError.Exception)
	assert.Equal(t, "ModuleNotFoundError: No module named *", s.Groups[0].Shape)
	assert.Contains(t, s.String(), "exception    L9  ModuleNotFoundError: No module named 'cart'\n")
}

// The message of an entry whose head is a heading is on the next line.
func TestGroups_heading(t *testing.T) {
	for log, want := range map[string]string{
		"FAILURE: Build failed with an exception.\n\n* What went wrong:\nProject 'cart' not found in root project 'shop'.\n": "* What went wrong: Project 'cart' not found in root project 'shop'.",
		"# make test\n  LoadError:\n    cannot load such file -- /srv/cart\n    /srv/shop.rb:3\n":                            "LoadError: cannot load such file -- /srv/cart",
	} {
		var found []string
		for _, g := range logs.Summarize(log, logs.Options{}).Groups {
			found = append(found, g.Text)
		}
		assert.Contains(t, found, want)
	}
}

// Of many errors, the rarest omit those that the summary shows anyway.
func TestSummarize_manyErrors(t *testing.T) {
	var log strings.Builder
	for _, part := range []string{"disk", "cart", "till", "shop", "user", "lamp", "door", "wall"} {
		fmt.Fprintf(&log, "ERROR %s is %s broken\n", part, strings.Repeat("very ", len(log.String())/20))
	}
	var lines []int
	for _, g := range logs.Summarize(log.String(), logs.Options{}).Rarest {
		lines = append(lines, g.First)
	}
	assert.Equal(t, []int{2, 3, 4, 5, 6, 7}, lines)
}

// A slow step says how long it took.
func TestSummarize_slowest(t *testing.T) {
	for message, want := range map[string]time.Duration{
		"compiled cart.go in 1.5s":                      1500 * time.Millisecond,
		"Finished in 1 minute 2.5 seconds":              62500 * time.Millisecond,
		"query took: 3100ms":                            3100 * time.Millisecond,
		"--- PASS: TestCart (2.25s)":                    2250 * time.Millisecond,
		"BUILD SUCCESSFUL in 1m 3s":                     63 * time.Second,
		"duration=12.0 s rows=3":                        12 * time.Second,
		"ok  \texample.org/shop\t1.220s":                0,
		"certificate md5_77h6y is loaded":               0,
		"eth0: RTL8168h, xid 541":                       0,
		"resized to w=300,h=400":                        0,
		"RIP_MAX_CACHE=128m":                            0,
		"priority: 1000 min":                            0,
		"renewal in 41519 seconds":                      0,
		"retrying in 30s":                               0,
		"listening on 0.0.0.0:8080 (pid 12, 3 workers)": 0,
	} {
		var took time.Duration
		for _, step := range logs.Summarize(message+"\n", logs.Options{}).Slowest {
			took = step.Duration
		}
		assert.Equal(t, want, took, message)
	}
}

// FuzzSummarize checks that groups hold every entry once, and that nothing
// panics.
func FuzzSummarize(f *testing.F) {
	for _, log := range seedLogs(f) {
		f.Add(log)
	}
	f.Fuzz(func(t *testing.T, log string) {
		entries := 0
		for _, g := range logs.Summarize(log, logs.Options{}).Groups {
			entries += g.Count
			require.LessOrEqual(t, g.First, g.Last)
			require.NotEmpty(t, g.Shape)
		}
		s := logs.Summarize(log, logs.Options{})
		require.Equal(t, s.Analysis.Entries, entries)
		require.NotEmpty(t, s.String())
		c := logs.Compare(log, log)
		require.Empty(t, c.Added)
		require.Empty(t, c.Gone)
		require.Empty(t, c.Changed)
	})
}

func TestHistogram_bars(t *testing.T) {
	var log strings.Builder
	log.WriteString("no time\n2026-01-02 03:00:00 INFO start\n")
	for minute := range 60 {
		fmt.Fprintf(&log, "03:%02d:30 WARN slow %d\n", minute, minute)
	}
	log.WriteString("04:00:00 ERROR end\n")
	bars := logs.Histogram(log.String(), 6, logs.Options{})
	require.Len(t, bars, 6)
	total := [logs.LevelFatal + 1]int{}
	for i, bar := range bars {
		for level, n := range bar.Levels {
			total[level] += n
		}
		assert.Equal(t, 10, bar.Levels[logs.LevelWarning], i)
	}
	assert.Equal(t, [...]int{0, 0, 0, 1, 60, 1, 0}, total)
	assert.Equal(t, "2026-01-02 03:00:00 +0000 UTC", bars[0].Start.String())
	assert.Equal(t, []int{2, 13}, []int{bars[0].Line, bars[1].Line})
}

// An entry without a time counts at that of the entry before it.
func TestHistogram_entriesWithoutTime(t *testing.T) {
	bars := logs.Histogram("error: too early\n2026-01-02 03:00:00 INFO start\nerror: no total\n2026-01-02 03:10:00 INFO end\nBUILD FAILED\n", 2, logs.Options{})
	require.Len(t, bars, 2)
	for i, bar := range bars {
		assert.Equal(t, [...]int{1, 1}, [...]int{bar.Levels[logs.LevelInfo], bar.Levels[logs.LevelError]}, i)
	}
	assert.Equal(t, []int{2, 4}, []int{bars[0].Line, bars[1].Line})
}

func TestHistogram_tooFewTimes(t *testing.T) {
	for _, log := range []string{"", "no time\n", "2026-01-02 03:00:00 INFO start\n", "03:00:00 INFO a\n03:00:00 INFO b\n"} {
		assert.Nil(t, logs.Histogram(log, 60, logs.Options{}), log)
	}
	assert.Nil(t, logs.Histogram("03:00:00 INFO a\n03:00:01 INFO b\n", 0, logs.Options{}))
}
