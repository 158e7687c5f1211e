package layout

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/internal/language"
)

// Made lists in words what the operations of some scopes make.
func Made(scopes ...apikey.Scope) string {
	var things []string
	for _, operation := range httpapi.Operations() {
		if slices.Contains(scopes, operation.Scope) {
			things = append(things, operation.Makes)
		}
	}
	return english.WordSeries(things, "and")
}

// Plural formats a number with its noun: 1 line, 25,000 lines.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(n) + " " + noun + "s"
}

// Thousands formats a number with commas: 25,000.
func Thousands[N int | int64](n N) string { return humanize.Comma(int64(n)) }

// Size formats a number of bytes with decimal units: 1.5 MB.
func Size[N int | int64](n N) string {
	if n < 1000 {
		return Plural(int(n), "byte")
	}
	value, unit := float64(n)/1e3, 0
	for value >= 999.95 && unit < 2 {
		value, unit = value/1e3, unit+1
	}
	return strconv.FormatFloat(math.Round(value*10)/10, 'f', -1, 64) + " " + []string{"kB", "MB", "GB"}[unit]
}

// TimeLeft describes when a share expires: "expires in 6 days".
func TimeLeft(expires, now time.Time) string {
	if expires.IsZero() {
		return "never expires"
	}
	return "expires in " + Until(expires, now)
}

// Until formats the time until end, about as rounded: what is left of a day half
// an hour after it began is 24 hours.
func Until(end, now time.Time) string {
	left := end.Sub(now) + 30*time.Second
	if left >= 2*time.Hour {
		left += min(left/48, 12*time.Hour)
	}
	return Span(left)
}

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

// LanguageName returns the official name of a language, given by name or alias:
// JavaScript, JSX.
func LanguageName(name string) string {
	label := map[string]string{"jsx": "JSX", language.Text: "Text"}[name]
	label = cmp.Or(label, language.Display(name))
	return strings.ToUpper(label[:1]) + label[1:]
}
