package logs

import (
	"fmt"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// statedDuration returns the last duration in a message, such as "12.5 s",
// "310ms" or "1m 20s", or 0. The unit must be a whole word.
func statedDuration(message string) time.Duration {
	message = message[:min(len(message), maxHead)]
	var last, sum time.Duration
	end := -1 // of the previous duration
	for i := 0; i < len(message); {
		n := 0
		for i+n < len(message) && (ascii.IsDigit(message[i+n]) || n > 0 && message[i+n] == '.') {
			n++
		}
		if n == 0 {
			i++
			continue
		}
		unit, length := durationUnit(message[i+n:])
		if unit > 0 && (i == 0 || !ascii.IsLetter(message[i-1]) && message[i-1] != '.' && message[i-1] != '-' || end == i) {
			if end < 0 || i > end+1 {
				sum = 0
			}
			sum += scaled(message[i:i+n], unit)
			last, end = sum, i+n+length
		}
		i += n + length
	}
	return last
}

// durationUnit returns the unit at the start of s, which a blank may precede,
// and its length including that blank.
func durationUnit(s string) (unit time.Duration, length int) {
	rest := strings.TrimPrefix(s, " ")
	n := 0
	for n < len(rest) && ascii.IsLetter(rest[n]) {
		n++
	}
	return durationUnits[rest[:n]], len(s) - len(rest) + n
}

// durationUnits maps the units that messages use to durations.
var durationUnits = map[string]time.Duration{
	"ms": time.Millisecond, "msec": time.Millisecond, "millis": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hour": time.Hour, "hours": time.Hour,
}

// scaled returns a number of units as a duration, or 0 if that exceeds a year.
func scaled(number string, unit time.Duration) time.Duration {
	const year = 365 * 24 * time.Hour
	var v float64
	if _, err := fmt.Sscanf(number, "%f", &v); err != nil || v*float64(unit) > float64(year) {
		return 0
	}
	return time.Duration(v * float64(unit))
}
