package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
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
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/share"
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
	// belongs to an owner that starts with "public".
	Public bool
	// Limiter limits sharing: with a key together with the key's API requests, for
	// those who are signed in by their owner, and for everyone else under "public/"
	// and their address. Nil means no limit.
	Limiter *ratelimit.Limiter
	// Usage counts these requests as API requests. If nil, they are not counted.
	Usage *usage.Counter
}

// publicOwner starts the owners of what is shared without a key, followed by a
// slash and the hash of a token that deletes the share. No key has this id.
const publicOwner = "public"

func (s Sharing) enabled() bool { return s.Keys != nil || s.SignedIn != nil || s.Public }

// A sharer identifies who creates a share.
type sharer struct {
	id    string // rate limit key
	owner string
	usage string // identity that usage is counted under
	key   apikey.Key
	token string // deletes what a visitor shares without a key
}

// What can be wrong with the key of a form.
var (
	errNoSharer = &invalid.Fault{Field: "key", Reason: "missing_field", Message: "is needed. Ask your administrator for one"}
	errReadOnly = &invalid.Fault{Field: "key", Reason: "not_one_of", Message: "may not share: it lacks the scope share"}
	errBadKey   = &invalid.Fault{Field: "key", Reason: "not_one_of", Message: "is unknown, revoked or expired"}
)

// sharer identifies the sender of a form. A key takes precedence over a
// session.
func (s *site) sharer(r *http.Request, key string) (sharer, error) {
	if key != "" && s.Sharing.Keys != nil {
		k, err := s.Sharing.Keys.Authenticate(r.Context(), key, s.Now())
		if errors.Is(err, apikey.ErrInvalid) {
			err = errBadKey
		} else if err == nil && !k.May(apikey.ScopeShare) {
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
		return sharer{id: publicOwner + "/" + origin.LimitKey(origin.ClientAddr(r, s.TrustedProxies)), owner: visitorOwner(token), usage: publicOwner, token: token}, nil
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
	Keys                     bool   // keys are accepted
	NeedsKey                 bool   // the visitor cannot share without a key
	MaxBytes                 int    // limit for a log
	MaxLog                   string // the same in words, at most
	MaxCode                  int    // limit for a snippet, in characters
	Kinds, Expiries, Formats []layout.Choice
	Languages                []string
	Open                     bool   // the collapsed section has a value
	Fault                    string // about the form as a whole
	Faults                   layout.Faults
	Seconds                  int    // time until a retry makes sense; 0 if none is needed
	Wait                     string // the same in words
}

// shareLabels maps values of the API to their labels on the page.
var shareLabels = map[string]string{
	string(share.Expiry1h): "In an hour", string(share.Expiry6h): "In 6 hours", string(share.Expiry24h): "In 24 hours",
	string(share.Expiry7d): "In 7 days", string(share.Expiry30d): "In 30 days", string(share.ExpiryNever): "Never",
	string(share.FormatAuto): "Detect", string(share.FormatJSON): "JSON", string(share.FormatText): "Text",
	string(share.KindLog): "A log", string(share.KindSnippet): "Code",
}

func shareChoices(values []string, chosen string) []layout.Choice {
	all := make([]layout.Choice, len(values))
	for i, v := range values {
		all[i] = layout.Choice{Value: v, Name: cmp.Or(shareLabels[v], v), Chosen: v == chosen}
	}
	return all
}

func (s *site) newView(r *http.Request, f newForm) newView {
	expiry, _ := option.Of[share.LogOptions]().Lookup("expiry")
	format, _ := option.Of[share.LogOptions]().Lookup("format")
	expiries := expiry.Values
	if s.Sharing.Public && s.Sharing.Keys == nil {
		expiries = expiries[:len(expiries)-1]
	}
	_, err := s.sharer(r, "")
	plain := emptyForm()
	return newView{
		newForm: f, Keys: s.Sharing.Keys != nil, NeedsKey: s.Sharing.Keys != nil && errors.Is(err, errNoSharer),
		MaxBytes: int(s.Shares.MaxLogBytes()), MaxLog: layout.Size(cmp.Or(s.Shares.MaxLogBytes()>>20*1e6, s.Shares.MaxLogBytes())), MaxCode: share.MaxSnippetCode,
		Kinds:    shareChoices([]string{kindAuto, string(share.KindLog), string(share.KindSnippet)}, f.Kind),
		Expiries: shareChoices(expiries, f.Expiry), Formats: shareChoices(format.Values, f.Format), Languages: layout.Languages(),
		Open: f.Kind != plain.Kind || f.Format != plain.Format || f.Language != "" || f.Mask,
	}
}

// share handles the form. It counts as a request to the API.
func (s *site) share(r *http.Request) (*layout.Response, error) {
	if !s.Sharing.enabled() {
		return nil, layout.NoPage
	}
	sent, err := readUpload(r, s.Shares.MaxLogBytes())
	if err != nil {
		return nil, err
	}
	f := newFormOf(sent)
	v := s.newView(r, f)
	by, err := s.sharer(r, f.key)
	if err != nil {
		if v.Faults, err = f.faults(errors.Join(f.validate(by), err)); err != nil {
			return nil, err
		}
		return s.refuseForm(r, http.StatusForbidden, v, 0)
	}
	a, err := s.shareBy(r, v, by)
	if s.Sharing.Usage != nil && err == nil {
		operations := map[share.Kind]string{share.KindLog: "log-share", share.KindSnippet: "code-snippet-share"}
		s.Sharing.Usage.Count(by.usage, operations[f.kind()], a.Status, s.Now())
	}
	return a, err
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
			v.Fault = "More was shared than the limits allow, so this was not."
			return s.refuseForm(r, http.StatusTooManyRequests, v, d.RetryAfter())
		}
	}
	path, err := s.createShare(r.Context(), v.newForm, by)
	if errors.Is(err, store.ErrUnavailable) {
		s.Log.WarnContext(r.Context(), "store unavailable", "error", err)
		v.Fault = "The place where shares are kept is full or does not respond. Nothing was shared."
		return s.refuseForm(r, http.StatusServiceUnavailable, v, 30*time.Second)
	}
	if v.Faults, err = v.faults(err); err != nil {
		return nil, err
	}
	if v.Faults != nil {
		return s.refuseForm(r, http.StatusBadRequest, v, 0)
	}
	s.Log.InfoContext(r.Context(), "shared", "path", path, "owner", by.owner, "address", origin.ClientAddr(r, s.TrustedProxies))
	return layout.SeeOther(s.Path(path) + "?" + strings.TrimSuffix(justShared+"="+by.token, "=")), nil
}

// createShare creates the share and returns the path of its page.
func (s *site) createShare(ctx context.Context, f newForm, by sharer) (path string, err error) {
	if err := f.validate(by); err != nil {
		return "", err
	}
	if f.kind() == share.KindSnippet {
		snippet, err := s.Shares.CreateSnippet(ctx, f.masked(f.content, share.MaxSnippetCode), f.snippetOptions(by))
		return share.KindSnippet.Path(snippet.ID), err
	}
	log, err := s.createLog(ctx, f, f.logOptions(by))
	return share.KindLog.Path(log.ID), err
}

// longLogMemory is the memory in bytes for analyzing a long log, excluding its
// text.
const longLogMemory = 24 << 20

// createLog shares a log. As in the API, a long one waits in the queue.
func (s *site) createLog(ctx context.Context, f newForm, o share.LogOptions) (log share.Log, err error) {
	if !f.isLong() {
		return s.Shares.CreateLog(ctx, f.masked(f.content, share.MaxLogContent), o)
	}
	if err := fair.FromContext(ctx).Grow(longLogMemory); err != nil {
		return share.Log{}, err
	}
	o.Mask = f.Mask
	err = fair.Do(ctx, time.Second, func() error {
		log, err = s.Shares.CreateLogFrom(ctx, strings.NewReader(f.content), o)
		return err
	})
	return log, err
}

// refuseForm shows the form again with its values, except for the key and the
// file: browsers do not accept a preset file.
func (s *site) refuseForm(r *http.Request, status int, v newView, after time.Duration) (*layout.Response, error) {
	v.Fault = cmp.Or(v.Fault, "Nothing was shared yet. See what is marked below.")
	for _, field := range []string{"kind", "language", "format"} {
		v.Open = v.Open || v.Faults.Of(field) != ""
	}
	if after > 0 {
		v.Seconds, v.Wait = int(math.Ceil(after.Seconds())), layout.Span(after)
	}
	a, err := s.showIndex(r, &v)
	if err != nil {
		return nil, err
	}
	a.Status = status
	a.RetryAfter(after)
	return a, nil
}
