package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// A failure is what a visitor is told instead of a page: what happened, and
// what to do.
type failure struct {
	status int
	Title  string
	Text   string
	after  time.Duration // wait so long before the next try; 0: no advice
}

func (f failure) Error() string { return f.Title }

var (
	noPage = failure{
		status: http.StatusNotFound, Title: "There is no page here",
		Text: "The address may be mistyped, or the page has moved. The tools are one click away.",
	}
	gone = failure{
		status: http.StatusNotFound, Title: "This link has expired or never existed",
		Text: "Shares are deleted when their time is up, and nothing of them is kept. Ask whoever sent you the link for a new one.",
	}
	methodNotAllowed = failure{
		status: http.StatusMethodNotAllowed, Title: "This page cannot do that",
		Text: "It was asked in a way that it does not answer to. Open it from its link.",
	}
	tooLarge = failure{
		status: http.StatusRequestEntityTooLarge, Title: "That is more than fits",
		Text: "The studio takes 50,000 characters of code. Make a picture of the part that matters.",
	}
	unreadable = failure{
		status: http.StatusBadRequest, Title: "This form cannot be read",
		Text: "It did not arrive in one piece. Go back and send it again.",
	}
	unavailable = failure{
		status: http.StatusServiceUnavailable, Title: "Back in a moment",
		Text: "The place where shares are kept does not answer. Nothing is lost. Try again in half a minute.", after: 30 * time.Second,
	}
	busy = failure{
		status: http.StatusServiceUnavailable, Title: "The studio is busy",
		Text: "Many pictures are being drawn, or this one takes too long. Try again in a few seconds, or with less code.", after: 5 * time.Second,
	}
	internal = failure{
		status: http.StatusInternalServerError, Title: "Something broke on our side",
		Text: "It has been written down. Try again; if it stays, tell whoever runs this server.",
	}
)

// badPicture is the failure of a picture whose address says something wrong.
func badPicture(all []problem) failure {
	sentences := make([]string, len(all))
	for i, p := range all {
		sentences[i] = p.Sentence()
	}
	return failure{status: http.StatusBadRequest, Title: "This is no gradient", Text: strings.Join(sentences, " ")}
}

func tooMany(after time.Duration) failure {
	seconds := int(math.Ceil(after.Seconds()))
	return failure{
		status: http.StatusTooManyRequests, Title: "That was a lot of pages",
		Text:  fmt.Sprintf("This address asked for more pages than fit into a minute. Try again in %s.", plural(seconds, "second")),
		after: after,
	}
}

// failed turns an error into an answer. What is not meant for visitors goes to
// the log.
func (s *site) failed(r *http.Request, err error) *answer {
	var f failure
	switch {
	case errors.As(err, &f):
	case errors.Is(err, errNoPage):
		f = noPage
	case errors.Is(err, share.ErrNotFound):
		f = gone
	case errors.Is(err, store.ErrUnavailable):
		s.Log.WarnContext(r.Context(), "store unavailable", "error", err)
		f = unavailable
	default:
		s.Log.ErrorContext(r.Context(), "page failed", "error", err)
		f = internal
	}
	a := s.failurePage(r, f)
	a.status = f.status
	a.header.Add("Vary", "Accept")
	if f.after > 0 {
		a.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(f.after.Seconds()))))
	}
	return a.hidden()
}

func (s *site) failurePage(r *http.Request, f failure) *answer {
	if wantsHTML(r.Header) {
		a, err := s.render("failure", page{Title: f.Title, Content: f, Private: true})
		if err == nil {
			return a
		}
		s.Log.ErrorContext(r.Context(), "failure page failed", "error", err)
	}
	return newAnswer(plainText, []byte(f.Title+"\n"+f.Text+"\n"))
}
