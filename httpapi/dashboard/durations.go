package dashboard

import (
	"fmt"
	"time"
)

// date writes a day.
func date(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// ago says how long something is past: "3 hours ago".
func ago(t, now time.Time) string {
	past := now.Sub(t)
	switch {
	case t.IsZero():
		return "never"
	case past < 2*time.Minute:
		return "just now"
	case past < 60*day:
		return span(past) + " ago"
	default:
		return date(t)
	}
}

// timeLeft says how long something lasts: "6 days". It rounds down, but half a
// minute, so that what was just made for a day has 24 hours.
func timeLeft(expires, now time.Time) string {
	rest := expires.Sub(now) + 30*time.Second
	switch {
	case expires.IsZero():
		return "forever"
	case rest < 2*time.Minute:
		return "a minute"
	default:
		return span(rest)
	}
}

const day = 24 * time.Hour

// span says a time of two minutes and more: "90 minutes".
func span(d time.Duration) string {
	switch {
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%d hours", d/time.Hour)
	default:
		return fmt.Sprintf("%d days", d/day)
	}
}
