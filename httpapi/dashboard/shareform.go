package dashboard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fault"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// ownID stands where the id of a key would: for whom what is shared here is
// counted and limited, and who owns it. No key has an id like that.
const ownID = "dashboard"

// A sharing is what the form for logs and the form for snippets differ in.
type sharing struct {
	kind      share.Kind
	title     string
	operation string // of the API
	content   string // the operation's name for what is shared
	limits    shareLimits
	expiries  []choice
	formats   []choice          // none for snippets
	names     map[string]string // what fields are called in messages
	create    func(*site, context.Context, shareForm) (path string, err error)
}

// shareLimits are in code points.
type shareLimits struct{ Content, Title int }

var logSharing = sharing{
	kind: share.KindLog, title: "Share a log", operation: "log-share", content: "content",
	limits:   shareLimits{share.MaxLogContent, share.MaxLogTitle},
	expiries: choices(share.LogExpiries()), formats: choices(share.Formats()),
	names:  map[string]string{"content": "The log", "title": "The title", "expiry": "The time", "format": "The format", "stats": "The statistics"},
	create: (*site).createLog,
}

var snippetSharing = sharing{
	kind: share.KindSnippet, title: "Share a snippet", operation: "code-snippet-share", content: "code",
	limits:   shareLimits{share.MaxSnippetCode, share.MaxSnippetTitle},
	expiries: choices(share.SnippetExpiries()),
	names:    map[string]string{"code": "The code", "title": "The title", "expiry": "The time"},
	create:   (*site).createSnippet,
}

// labels are what values of the API are called on the pages.
var labels = map[string]string{
	string(share.Expiry1h): "In an hour", string(share.Expiry6h): "In 6 hours", string(share.Expiry24h): "In 24 hours",
	string(share.Expiry7d): "In 7 days", string(share.Expiry30d): "In 30 days", string(share.ExpiryNever): "Never",
	string(share.FormatAuto): "Detect", string(share.FormatJSON): "JSON", string(share.FormatText): "Text",
}

func choices[T ~string](values []T) []choice {
	all := make([]choice, len(values))
	for i, v := range values {
		all[i] = choice{string(v), cmp.Or(labels[string(v)], string(v))}
	}
	return all
}

// shareForm is the content of a page that shares something, with what was
// filled in.
type shareForm struct {
	page
	Text, Title, Expiry, Format, Stats, Language string
	File                                         *string // the content of a file that was sent
	FileName                                     string

	Kind              share.Kind
	Field             string // of the text
	Limits            shareLimits
	Expiries, Formats []choice
	Problem           string            // of the whole
	Problems          map[string]string // of fields
}

// content returns what is to be shared, and the field that it came in.
func (f shareForm) content(typed string) (content, field string) {
	if f.File != nil {
		return *f.File, fileField
	}
	return f.Text, typed
}

// Wrong reports whether a field has a problem, for the template.
func (f shareForm) Wrong(field string) bool { return f.Problems[field] != "" }

// fieldProblem is what is wrong with a field; an empty Text means nothing.
type fieldProblem struct{ Field, Text string }

// At returns the problem of a field, for the template.
func (f shareForm) At(field string) fieldProblem { return fieldProblem{field, f.Problems[field]} }

func (s *site) shareForm(k sharing) handler {
	return func(*http.Request, session) (response, error) {
		return k.page(http.StatusOK, shareForm{Expiry: string(share.Expiry24h), Format: string(share.FormatAuto)}), nil
	}
}

func (k sharing) page(status int, f shareForm) response {
	f.page, f.Kind, f.Field, f.Limits, f.Expiries, f.Formats = page{"shares"}, k.kind, k.content, k.limits, k.expiries, k.formats
	return response{status: status, view: "share-form", title: k.title, content: f, scripts: []string{"share.js"}}
}

// form reads what was filled in. A browser sends line ends of a text area as
// CRLF, whatever was pasted; a file comes as it is.
func (k sharing) form(sent upload) shareForm {
	f := shareForm{
		Text:  strings.ReplaceAll(sent.values[k.content], "\r\n", "\n"),
		Title: strings.TrimSpace(sent.values["title"]), Expiry: sent.values["expiry"],
		Format: sent.values["format"], Stats: strings.TrimSpace(sent.values["stats"]), Language: strings.TrimSpace(sent.values["language"]),
	}
	if sent.name != "" {
		f.File, f.FileName = &sent.file, sent.name
	}
	return f
}

// titled returns the title of a share: that of the form, or else the name of
// the file, if it can be one.
func (k sharing) titled(f shareForm) string {
	if f.Title != "" || !utf8.ValidString(f.FileName) || utf8.RuneCountInString(f.FileName) > k.limits.Title {
		return f.Title
	}
	return f.FileName
}

// share makes a share out of a form. It counts as a request of the API.
func (s *site) share(k sharing) handler {
	return func(r *http.Request, _ session) (response, error) {
		a, err := s.shareSent(r, k)
		status := a.status
		if err != nil {
			status = http.StatusInternalServerError
		}
		if told, ok := errors.AsType[layout.Failure](err); ok {
			status = told.Status
		}
		s.Usage.Count(ownID, k.operation, status, s.Now())
		return a, err
	}
}

func (s *site) shareSent(r *http.Request, k sharing) (response, error) {
	sent, err := readUpload(r)
	if err != nil {
		return response{}, err
	}
	f := k.form(sent)
	wait, allowed, err := s.allow(r.Context())
	if err != nil {
		return response{}, err
	}
	if !allowed {
		f.Problem = fmt.Sprintf("More was shared here than the limits allow, so this was not. Send it again in %s.", waiting(wait))
		return k.refuse(http.StatusTooManyRequests, f, wait), nil
	}
	if f.File != nil && f.Text != "" {
		return k.refuseFields(f, map[string]string{fileField: "There is text above and a file. Remove the text, or choose no file."}), nil
	}
	return s.make(r, k, f)
}

// allow counts a share, and returns how long to wait if it is one too many.
func (s *site) allow(ctx context.Context) (wait time.Duration, allowed bool, err error) {
	if s.Limiter == nil {
		return 0, true, nil
	}
	d, err := s.Limiter.Allow(ctx, ownID, s.Now())
	return d.RetryAfter(), d.Allowed, err
}

// make makes the share and leads to its page, or says why there is none.
func (s *site) make(r *http.Request, k sharing, f shareForm) (response, error) {
	titled := f
	titled.Title = k.titled(f)
	path, err := k.create(s, r.Context(), titled)
	if problems := k.problems(f, err); len(problems) > 0 {
		return k.refuseFields(f, problems), nil
	}
	if errors.Is(err, store.ErrUnavailable) {
		s.Log.WarnContext(r.Context(), "store unavailable", "error", err)
		f.Problem = "The place where shares are kept is full or does not respond. Nothing was shared; try again in half a minute."
		return k.refuse(http.StatusServiceUnavailable, f, retryStore), nil
	}
	if err != nil {
		return response{}, err
	}
	s.Log.InfoContext(r.Context(), "shared", "path", path, "address", s.ClientAddr(r))
	return response{to: path + "?made"}, nil
}

// retryStore is when a store that had no room may have some again.
const retryStore = 30 * time.Second

// refuse shows the form again as it was filled in, but for a file, which no
// browser takes back.
func (k sharing) refuse(status int, f shareForm, after time.Duration) response {
	a := k.page(status, f)
	a.after = after
	return a
}

func (k sharing) refuseFields(f shareForm, problems map[string]string) response {
	f.Problem, f.Problems = "Nothing was shared yet. See what is marked below.", problems
	return k.refuse(http.StatusBadRequest, f, 0)
}

func (s *site) createLog(ctx context.Context, f shareForm) (string, error) {
	content, _ := f.content("content")
	o := share.LogOptions{
		Title: f.Title, Expiry: share.Expiry(f.Expiry), Format: share.Format(f.Format), Owner: ownID,
	}
	if f.Stats != "" {
		o.Stats = json.RawMessage(f.Stats)
	}
	log, err := s.Shares.CreateLog(ctx, content, o)
	return sharePath(share.KindLog, log.ID), err
}

func (s *site) createSnippet(ctx context.Context, f shareForm) (string, error) {
	code, _ := f.content("code")
	snippet, err := s.Shares.CreateSnippet(ctx, code, share.SnippetOptions{
		Title: f.Title, Expiry: share.Expiry(f.Expiry), Language: f.Language, Owner: ownID,
	})
	return sharePath(share.KindSnippet, snippet.ID), err
}

// problems says for each field what is wrong with it, out of the joined errors
// of package share.
func (k sharing) problems(f shareForm, err error) map[string]string {
	all := make(map[string]string)
	faults, _ := fault.Of(err)
	for _, bad := range faults {
		field, name := bad.Field, k.names[bad.Field]
		if _, in := f.content(k.content); field == k.content && in == fileField {
			field, name = fileField, "The file"
		}
		all[field] = name + " " + bad.Message + "."
	}
	return all
}
