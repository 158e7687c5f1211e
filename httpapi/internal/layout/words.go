package layout

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/language"
)

// Plural formats a number with its noun: 1 line, 25,000 lines.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands formats a number with commas: 25,000.
func Thousands[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Size formats a number of bytes with decimal units: 1.5 MB.
func Size[N int | int64](n N) string {
	switch {
	case n < 1000:
		return Plural(int(n), "byte")
	case n < 999_950:
		return strconv.FormatFloat(math.Round(float64(n)/100)/10, 'f', -1, 64) + " kB"
	case n < 999_950_000:
		return strconv.FormatFloat(math.Round(float64(n)/1e5)/10, 'f', -1, 64) + " MB"
	default:
		return strconv.FormatFloat(math.Round(float64(n)/1e8)/10, 'f', -1, 64) + " GB"
	}
}

// TimeLeft describes when a share expires: "expires in 6 days".
func TimeLeft(expires, now time.Time) string {
	if expires.IsZero() {
		return "never expires"
	}
	return "expires in " + Until(expires, now)
}

// Until formats the time until end, rounded down: "6 days". It first adds half
// a minute, so that a share just created for a day shows 24 hours.
func Until(end, now time.Time) string { return Span(end.Sub(now) + 30*time.Second) }

// Span formats a duration, rounded down: "90 minutes".
func Span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "under a minute"
	case d < 2*time.Hour:
		return Plural(int(d/time.Minute), "minute")
	case d < 2*day:
		return Plural(int(d/time.Hour), "hour")
	default:
		return Plural(int(d/day), "day")
	}
}

// Waiting formats a duration to wait, rounded up.
func Waiting(d time.Duration) string {
	n, unit := int(math.Ceil(d.Seconds())), "second"
	if d > time.Minute {
		n, unit = int(math.Ceil(d.Minutes())), "minute"
	}
	if n <= 1 {
		return "a " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// LanguageName returns the official name of a language, given by name or alias:
// JavaScript, JSX.
func LanguageName(name string) string {
	label := map[string]string{"jsx": "JSX", language.Text: "Text"}[name]
	label = cmp.Or(label, language.Display(name))
	return strings.ToUpper(label[:1]) + label[1:]
}
