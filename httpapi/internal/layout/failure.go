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
		Status: http.StatusNotFound, Title: "Page not found",
		Text: "The address may be mistyped, or the page has moved. The tools are on the start page, and the API is described at /docs.",
	}
	// Gone reports a missing share. It does not reveal whether the share has
	// expired or never existed.
	Gone = Failure{
		Status: http.StatusNotFound, Title: "This link has expired or never existed",
		Text: "A share is deleted when it expires, after the first read if it can be read once, or by its owner. Nothing of it is kept. Ask whoever sent you the link for a new one.",
	}
	methodNotAllowed = Failure{
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

// Route serves a request by mux, or responds that there is no such page, or not
// with its method. The patterns of mux must include methods.
func (l *Layout) Route(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	if _, pattern := mux.Handler(r); pattern != "" {
		mux.ServeHTTP(w, r)
		return
	}
	failure := NoPage
	for _, allow := range []string{"GET, HEAD", "POST"} {
		other := r.Clone(r.Context())
		other.Method, _, _ = strings.Cut(allow, ",")
		if _, pattern := mux.Handler(other); pattern != "" {
			w.Header().Add("Allow", allow)
			failure = methodNotAllowed
		}
	}
	l.Fail(w, r, failure)
}

// Respond sends the response that h returns, or what [Layout.Fail] makes of its
// error.
func (l *Layout) Respond(w http.ResponseWriter, r *http.Request, h func(*http.Request) (*Response, error)) {
	a, err := h(r)
	if err != nil {
		l.Fail(w, r, err)
		return
	}
	l.Write(w, r, a)
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

// Fail responds with a failure: err itself if it is a [Failure], or what it means
// for a visitor. Other errors are logged.
func (l *Layout) Fail(w http.ResponseWriter, r *http.Request, err error) {
	f := l.explain(r, err)
	a := NewResponse(Text, []byte(f.Title+"\n"+f.Text+"\n"))
	if negotiate.WantsHTML(r.Header) {
		page, err := l.Render("failure", Page{Title: f.Title, Content: f})
		if err != nil {
			l.log.ErrorContext(r.Context(), "failure page failed", "error", err)
		} else {
			a = page
		}
	}
	a.Status = f.Status
	a.Header.Add("Vary", "Accept")
	a.RetryAfter(f.RetryAfter)
	l.Write(w, r, a.NoIndex())
}

func (l *Layout) explain(r *http.Request, err error) Failure {
	var f Failure
	for known, failure := range l.failures {
		if errors.Is(err, known) {
			return failure
		}
	}
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
