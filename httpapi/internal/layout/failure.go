package layout

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/store"
)

// A Failure tells a visitor what happened and what to do. It is an error, so
// that functions can return it in place of a page.
type Failure struct {
	Status     int
	Title      string
	Text       string
	RetryAfter time.Duration // 0 means no advice
}

// Error returns the title.
func (f Failure) Error() string { return f.Title }

// Failures of any page.
var (
	NoPage = Failure{
		Status: http.StatusNotFound, Title: "There is no page here",
		Text: "The address may be mistyped, or the page has moved. The tools are one click away.",
	}
	// Gone reports a missing share. It does not reveal whether the share has
	// expired or never existed.
	Gone = Failure{
		Status: http.StatusNotFound, Title: "This link has expired or never existed",
		Text: "Shares are deleted when their time is up, and nothing of them is kept. Ask whoever sent you the link for a new one.",
	}
	MethodNotAllowed = Failure{
		Status: http.StatusMethodNotAllowed, Title: "This page does not take that kind of request",
		Text: "Open it from a link instead.",
	}
	// Foreign reports a form sent by another site.
	Foreign = Failure{
		Status: http.StatusForbidden, Title: "This form came from somewhere else",
		Text: "Another site or an old tab sent it, so nothing was changed. Open the page here and do it there.",
	}
	Unreadable = Failure{
		Status: http.StatusBadRequest, Title: "This form cannot be read",
		Text: "It did not arrive whole. Go back and send it again.",
	}
)

var (
	unavailable = Failure{
		Status: http.StatusServiceUnavailable, Title: "Back in a moment",
		Text: "The storage of this server is not responding. Nothing is lost. Try again in half a minute.", RetryAfter: 30 * time.Second,
	}
	busy = Failure{
		Status: http.StatusServiceUnavailable, Title: "Too much at once",
		Text: "The server is busy sending other pages. Try again in a few seconds.", RetryAfter: 5 * time.Second,
	}
	internal = Failure{
		Status: http.StatusInternalServerError, Title: "Something broke on our side",
		Text: "The error has been logged. Try again; if it keeps happening, tell whoever runs this server.",
	}
)

// Allowed returns the value of the Allow header for the path of a request, or
// "" if mux does not have the path. The patterns of mux must include methods.
func Allowed(mux *http.ServeMux, r *http.Request) string {
	var all []string
	for _, m := range []struct{ method, allow string }{{http.MethodGet, "GET, HEAD"}, {http.MethodPost, "POST"}} {
		other := r.Clone(r.Context())
		other.Method = m.method
		if _, pattern := mux.Handler(other); pattern != "" {
			all = append(all, m.allow)
		}
	}
	return strings.Join(all, ", ")
}

// TooMany returns the failure for an address that exceeds the rate limit.
func TooMany(after time.Duration) Failure {
	seconds := int(math.Ceil(after.Seconds()))
	return Failure{
		Status: http.StatusTooManyRequests, Title: "Too many pages",
		Text:       fmt.Sprintf("This address has asked for more pages than it may in a minute. Try again in %s.", Plural(seconds, "second")),
		RetryAfter: after,
	}
}

// Fail responds with the failure that [Layout.Explain] returns.
func (l *Layout) Fail(w http.ResponseWriter, r *http.Request, err error) {
	l.Write(w, r, l.failed(r, err))
}

// Explain returns the failure to show for an error. A [Failure] is returned as
// it is; other errors are logged or mean that the server is busy.
func (l *Layout) Explain(r *http.Request, err error) Failure {
	var f Failure
	switch {
	case errors.As(err, &f):
	case errors.Is(err, store.ErrUnavailable):
		l.log.WarnContext(r.Context(), "store unavailable", "error", err)
		f = unavailable
	case errors.Is(err, fair.ErrBusy):
		f = busy
	default:
		l.log.ErrorContext(r.Context(), "page failed", "error", err)
		f = internal
	}
	return f
}

func (l *Layout) failed(r *http.Request, err error) *Response {
	f := l.Explain(r, err)
	a := l.failurePage(r, f)
	a.Status = f.Status
	a.Header.Add("Vary", "Accept")
	a.RetryAfter(f.RetryAfter)
	return a.NoIndex()
}

func (l *Layout) failurePage(r *http.Request, f Failure) *Response {
	if negotiate.WantsHTML(r.Header) {
		a, err := l.Render("failure", Page{Title: f.Title, Content: f, Private: true})
		if err == nil {
			return a
		}
		l.log.ErrorContext(r.Context(), "failure page failed", "error", err)
	}
	return NewResponse(Text, []byte(f.Title+"\n"+f.Text+"\n"))
}
