package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"html/template"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/store"
)

// Sharing configures who may share on the start page. With the zero value it has
// no form.
type Sharing struct {
	// Keys authenticates API keys: what is shared with a key belongs to its
	// owner, as with the API. If nil, keys are not accepted.
	Keys interface {
		Authenticate(ctx context.Context, key string, now time.Time) (apikey.Key, error)
	}
	// SignedIn returns the owner for a request by someone who is signed in to the
	// dashboard, and "" otherwise. If nil, no one is signed in.
	SignedIn func(*http.Request) (owner string, err error)
	// Public lets anyone share without a key, for at most 30 days. What they share
	// belongs to an owner that starts with [PublicOwner].
	Public bool
	// Limiter limits sharing: with a key together with the key's API requests, for
	// those who are signed in by their owner, and for everyone else under "public/"
	// and their address. Nil means no limit.
	Limiter ratelimit.Limiter
	// Usage counts these requests as API requests. If nil, they are not counted.
	Usage *usage.Counter
}

// PublicOwner starts the owners of what is shared without a key, followed by a
// slash and the hash of a token that deletes the share. No key has this id.
const PublicOwner = "public"

func (s Sharing) enabled() bool { return s.Keys != nil || s.SignedIn != nil || s.Public }

// A sharer identifies who creates a share.
type sharer struct {
	id    string // rate limit key
	owner string
	usage string // identity that usage is counted under
	key   apikey.Key
	token string // deletes what a visitor shares without a key
}

// errNoSharer means that the visitor has neither a key nor a session.
var errNoSharer = errors.New("web: a key is needed")

// errReadOnly means that the key lacks the share scope.
var errReadOnly = errors.New("web: the key must not share")

// keyProblem returns what is wrong with a key, given the error of sharer, or "".
func keyProblem(err error) string {
	switch {
	case errors.Is(err, errNoSharer):
		return "A key is needed. Whoever runs this server hands them out."
	case errors.Is(err, errReadOnly):
		return "This key may not share: it lacks the scope share."
	case errors.Is(err, apikey.ErrInvalid):
		return "This key is unknown, revoked or expired."
	default:
		return ""
	}
}

// sharer identifies the sender of a form. A key takes precedence over a
// session.
func (s *site) sharer(r *http.Request, key string) (sharer, error) {
	if key != "" && s.Sharing.Keys != nil {
		k, err := s.Sharing.Keys.Authenticate(r.Context(), key, s.Now())
		if err == nil && !k.May(apikey.ScopeShare) {
			err = errReadOnly
		}
		return sharer{id: k.ID, owner: k.ShareOwner(), usage: k.ID, key: k}, err
	}
	if s.Sharing.SignedIn != nil {
		owner, err := s.Sharing.SignedIn(r)
		if owner != "" || err != nil {
			return sharer{id: owner, owner: owner, usage: owner}, err
		}
	}
	if s.Sharing.Public {
		token := rand.Text()
		return sharer{id: PublicOwner + "/" + origin.LimitKey(s.ClientAddr(r)), owner: visitorOwner(token), usage: PublicOwner, token: token}, nil
	}
	return sharer{}, errNoSharer
}

// justShared is the query parameter that tells a viewer that its visitor has
// just created the share. Its value is the token that deletes the share; it is
// empty if the visitor used a key or a session.
const justShared = "shared"

// newView is the content of the form.
type newView struct {
	newForm
	Keys                     bool          // keys are accepted
	NeedsKey                 bool          // the visitor cannot share without a key
	Sample                   template.HTML // a log, as an example of what is recognized
	MaxBytes                 int           // limit for a log
	MaxCode                  int           // limit for a snippet, in characters
	Kinds, Expiries, Formats []layout.Choice
	Languages                []string
	Problem                  string            // about the form as a whole
	Problems                 map[string]string // by field
	Secrets                  string            // what masking would replace; may be empty
	Wait                     *wait             // time until a retry makes sense; nil if none is needed
}

// Wrong reports whether a field has a problem.
func (v newView) Wrong(field string) bool { return v.Problems[field] != "" }

// At returns the problem of a field; its Text may be empty.
func (v newView) At(field string) fieldProblem { return fieldProblem{field, v.Problems[field]} }

// Fold reports whether rarely used fields can be collapsed: none of them is
// set.
func (v newView) Fold() bool {
	hidden := emptyForm()
	hidden.Text, hidden.Title, hidden.Expiry, hidden.key = v.Text, v.Title, v.Expiry, v.key
	return v.newForm == hidden && v.Secrets == "" && !v.Wrong("kind")
}

// wait is how long to wait, in seconds and in words.
type wait struct {
	Seconds int
	Text    string
}

// fieldProblem describes what is wrong with a field; an empty Text means
// nothing.
type fieldProblem struct{ Field, Text string }

// shareChoices maps values of the API to their labels on the page.
var shareChoices = map[string]string{
	string(share.Expiry1h): "In an hour", string(share.Expiry6h): "In 6 hours", string(share.Expiry24h): "In 24 hours",
	string(share.Expiry7d): "In 7 days", string(share.Expiry30d): "In 30 days", string(share.ExpiryNever): "Never",
	string(share.FormatAuto): "Detect", string(share.FormatJSON): "JSON", string(share.FormatText): "Text",
	string(share.KindLog): "A log", string(share.KindSnippet): "Code",
}

func shareChoicesOf[T ~string](values []T, chosen string) []layout.Choice {
	all := make([]layout.Choice, len(values))
	for i, v := range values {
		all[i] = layout.Choice{Value: string(v), Name: cmp.Or(shareChoices[string(v)], string(v)), Chosen: string(v) == chosen}
	}
	return all
}

func (s *site) newView(r *http.Request, f newForm) newView {
	expiries := share.LogExpiries()
	if s.Sharing.Public && s.Sharing.Keys == nil {
		expiries = expiries[:len(expiries)-1]
	}
	needsKey := false
	if s.Sharing.Keys != nil {
		_, err := s.sharer(r, "")
		needsKey = errors.Is(err, errNoSharer)
	}
	return newView{
		newForm: f, Keys: s.Sharing.Keys != nil, NeedsKey: needsKey,
		MaxBytes: int(s.Shares.MaxLogBytes()), MaxCode: share.MaxSnippetCode,
		Kinds:    shareChoicesOf([]string{kindAuto, string(share.KindLog), string(share.KindSnippet)}, f.Kind),
		Expiries: shareChoicesOf(expiries, f.Expiry), Formats: shareChoicesOf(share.Formats(), f.Format), Languages: layout.Languages(),
	}
}

func (s *site) showNew(r *http.Request, status int, v newView) (*layout.Response, error) {
	a, err := s.showIndex(r, &v)
	if err != nil {
		return nil, err
	}
	a.Status = status
	return a, nil
}

// share handles the form. It counts as a request to the API.
func (s *site) share(r *http.Request) (*layout.Response, error) {
	if !s.Sharing.enabled() {
		return nil, layout.NoPage
	}
	if err := s.foreign(r); err != nil {
		return nil, layout.Foreign
	}
	sent, err := readUpload(r, s.Shares.MaxLogBytes())
	if err != nil {
		return nil, err
	}
	v := s.newView(r, readNew(sent))
	by, err := s.sharer(r, v.key)
	if why := keyProblem(err); why != "" {
		problems := v.problems(v.validate(by))
		problems["key"] = why
		return s.refuseFields(r, http.StatusForbidden, v, problems)
	}
	if err != nil {
		return nil, err
	}
	if sent.values["do"] == "check" {
		return s.countSecrets(r, v)
	}
	a, err := s.shareBy(r, v, by)
	if s.Sharing.Usage != nil && err == nil {
		s.Sharing.Usage.Count(by.usage, v.operation(), a.Status, s.Now())
	}
	return a, err
}

// countSecrets shows the form again with the secrets that masking would
// replace.
func (s *site) countSecrets(r *http.Request, v newView) (*layout.Response, error) {
	content, _ := v.content()
	_, found := mask.Secrets(content, mask.Options{})
	v.Secrets = "No secrets were found."
	if found.Total() > 0 {
		v.Secrets, v.Mask = "Masking would replace "+found.String()+".", true
	}
	return s.showNew(r, http.StatusOK, v)
}

// shareBy creates the share unless the rate limit is exceeded or the form is
// invalid.
func (s *site) shareBy(r *http.Request, v newView, by sharer) (*layout.Response, error) {
	if s.Sharing.Limiter != nil {
		d, err := s.Sharing.Limiter.Allow(r.Context(), by.id, by.key.PerMinute, s.Now())
		if err != nil {
			return nil, err
		}
		if !d.Allowed {
			v.Problem = "More was shared than the limits allow, so this was not."
			return s.refuseFor(r, http.StatusTooManyRequests, v, d.RetryAfter())
		}
	}
	if v.file != nil && v.Text != "" {
		return s.refuseFields(r, http.StatusBadRequest, v, map[string]string{fileField: "There is text above and a file. Remove the text, or choose no file."})
	}
	path, err := s.createShare(r.Context(), v.newForm, by)
	if problems := v.problems(err); len(problems) > 0 {
		return s.refuseFields(r, http.StatusBadRequest, v, problems)
	}
	if errors.Is(err, store.ErrUnavailable) {
		s.Log.WarnContext(r.Context(), "store unavailable", "error", err)
		v.Problem = "The place where shares are kept is full or does not respond. Nothing was shared."
		return s.refuseFor(r, http.StatusServiceUnavailable, v, 30*time.Second)
	}
	if err != nil {
		return nil, err
	}
	s.Log.InfoContext(r.Context(), "shared", "path", path, "owner", by.owner, "address", s.ClientAddr(r))
	return layout.SeeOther(s.Path(path) + "?" + strings.TrimSuffix(justShared+"="+by.token, "=")), nil
}

// createShare creates the share and returns the path of its page.
func (s *site) createShare(ctx context.Context, f newForm, by sharer) (path string, err error) {
	if err := f.validate(by); err != nil {
		return "", err
	}
	content, _ := f.content()
	if f.kind() == share.KindSnippet {
		snippet, err := s.Shares.CreateSnippet(ctx, f.masked(content, share.MaxSnippetCode), f.snippetOptions(by))
		return share.KindSnippet.Path(snippet.ID), err
	}
	log, err := s.createLog(ctx, f, content, f.logOptions(by))
	return share.KindLog.Path(log.ID), err
}

// longLogMemory is the memory in bytes for analyzing a long log, excluding its
// text.
const longLogMemory = 24 << 20

// createLog shares a log. As in the API, a long one waits in the queue.
func (s *site) createLog(ctx context.Context, f newForm, content string, o share.LogOptions) (log share.Log, err error) {
	if !f.isLong() {
		return s.Shares.CreateLog(ctx, f.masked(content, share.MaxLogContent), o)
	}
	if err := fair.FromContext(ctx).Grow(longLogMemory); err != nil {
		return share.Log{}, err
	}
	o.Mask = f.Mask
	err = fair.Do(ctx, time.Second, func() error {
		log, err = s.Shares.CreateLogFrom(ctx, strings.NewReader(content), o)
		return err
	})
	return log, err
}

// refuseFor shows the form again with its values, except for the key and the
// file: browsers do not accept a preset file.
func (s *site) refuseFor(r *http.Request, status int, v newView, after time.Duration) (*layout.Response, error) {
	v.Wait = &wait{int(math.Ceil(after.Seconds())), layout.Waiting(after)}
	a, err := s.showNew(r, status, v)
	if err == nil {
		a.RetryAfter(after)
	}
	return a, err
}

func (s *site) refuseFields(r *http.Request, status int, v newView, problems map[string]string) (*layout.Response, error) {
	v.Problem, v.Problems = "Nothing was shared yet. See what is marked below.", problems
	return s.showNew(r, status, v)
}
