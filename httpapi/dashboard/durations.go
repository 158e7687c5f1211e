package dashboard

import (
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
)

// date formats a day.
func date(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// ago describes the time since t: "3 hours ago".
func ago(t, now time.Time) string {
	past := now.Sub(t)
	switch {
	case t.IsZero():
		return "never"
	case past < 2*time.Minute:
		return "just now"
	case past < 60*24*time.Hour:
		return layout.Span(past) + " ago"
	default:
		return date(t)
	}
}

// timeLeft describes the time until expires: "6 days".
func timeLeft(expires, now time.Time) string {
	if expires.IsZero() {
		return "forever"
	}
	return layout.Until(expires, now)
}
