package logs

import (
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

var durationUnits = map[string]time.Duration{
	"ms": time.Millisecond, "msec": time.Millisecond, "millis": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
}

// durationCues are the words before a duration that say how long something
// took, and plans occur in messages about what is still to come.
const durationCues = " in took take takes after elapsed duration runtime time spent within "

var plans = []string{"retry", "renew", "expir", "again", "next", "wait", "schedule", "timeout", "interval"}

// statedDuration returns the last duration that a message states after a cue or
// in parentheses: "in 12.5 s", "took: 310ms", "(1m 20s)". It returns 0 if there
// is none.
func statedDuration(message string) time.Duration {
	message = message[:min(len(message), maxHead)]
	var sum time.Duration
	end := -2 // of the duration before
	for i := 0; i < len(message); i++ {
		if !ascii.IsDigit(message[i]) {
			continue
		}
		start := i
		for i < len(message) && (ascii.IsDigit(message[i]) || message[i] == '.') {
			i++
		}
		number, rest := message[start:i], strings.TrimPrefix(message[i:], " ")
		n := 0
		for n < len(rest) && ascii.IsLetter(rest[n]) {
			n++
		}
		unit := durationUnits[rest[:n]]
		if unit == 0 || start > end+1 && !isDurationCue(message[:start]) {
			continue
		}
		if start > end+1 {
			sum = 0
		}
		v, _ := strconv.ParseFloat(number, 64)
		sum += time.Duration(v * float64(unit))
		i = len(message) - len(rest) + n - 1
		end = i + 1
	}
	if sum >= time.Second && ascii.ContainsAny([]byte(strings.ToLower(message)), plans...) {
		return 0
	}
	return sum
}

// isDurationCue reports whether a duration may follow a text.
func isDurationCue(before string) bool {
	before = strings.TrimRight(before, " =:")
	word := before[strings.LastIndexAny(before, " \t,;[")+1:]
	return strings.HasSuffix(before, "(") || strings.Contains(durationCues, " "+strings.ToLower(word)+" ")
}
