package dashboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/usage"
)

var noKey = layout.Failure{
	Status: http.StatusNotFound, Title: "There is no such key",
	Text: "It may be of another service. The list of keys has all there are.",
}

// keyView is a key as displayed.
type keyView struct {
	apikey.Key
	State string // live, revoked, expired
	When  string // rest of the state: "until 3 May 2027"
	Used  string // time of last use
	Taken int64  // requests today, and how many it may have; 0 means no limit
	Limit int
	User  string // owner of the key; may be empty
	Life  string // maximum lifetime of shares made with it; may be empty
}

// keysView is the content of the page of keys.
type keysView struct {
	page
	Keys         []keyView
	Text         string      // what the names, users or IDs of the shown keys contain
	Found, All   int         // numbers of keys
	Newer, Older int         // numbers of the pages before and after, from 1; 0 if there is none
	New          *newKeyView // the key that was just made
	Form         layout.Form
	Faults       layout.Faults // of the form
	Fault        string        // of the form as a whole; may be empty
}

// newKeyView shows a key in the response that made it, and never again: the
// server does not keep it.
type newKeyView struct{ ID, Name, Secret, Curl string }

func (s *site) keysPage(r *http.Request, current session) (*layout.Response, error) {
	return s.showKeys(r, current, http.StatusOK, keysView{Text: strings.TrimSpace(r.Form.Get("q"))})
}

// keysOf returns the keys that the user may see.
func (s *site) keysOf(ctx context.Context, current session) ([]apikey.Key, error) {
	keys, err := s.Keys.List(ctx)
	return slices.DeleteFunc(keys, func(k apikey.Key) bool { return !current.sees(k.Owner) }), err
}

func (s *site) showKeys(r *http.Request, current session, status int, v keysView) (*layout.Response, error) {
	keys, err := s.keysOf(r.Context(), current)
	if err != nil {
		return nil, err
	}
	v.All = len(keys)
	keys = slices.DeleteFunc(keys, func(k apikey.Key) bool { return !matches(k, v.Text) })
	v.Found = len(keys)
	s.newestFirst(keys)
	page, _ := layout.Whole(r.Form.Get("page"))
	page = max(1, min(page, (v.Found+keysPerPage-1)/keysPerPage))
	keys, v.Newer = keys[(page-1)*keysPerPage:], page-1
	if len(keys) > keysPerPage {
		keys, v.Older = keys[:keysPerPage], page+1
	}
	for _, k := range keys {
		today, err := s.usedToday(r.Context(), k)
		if err != nil {
			return nil, err
		}
		v.Keys = append(v.Keys, s.keyView(k, today))
	}
	v.page, v.Form = current.page("keys"), layout.NewForm(keyOptions(s.maxRate(current)), r.PostForm, v.Faults)
	return s.show(status, "key-list", "Keys", v)
}

// keysPerPage limits the keys shown on a page.
const keysPerPage = 50

// matches reports whether the name, user, ID or visible part of a key contains
// a text, ignoring case.
func matches(k apikey.Key, text string) bool {
	user, _ := apikey.UserOf(k.Owner)
	return strings.Contains(strings.ToLower(strings.Join([]string{k.Name, user, k.ID, k.Prefix + "…" + k.LastFour}, "\n")), strings.ToLower(text))
}

// usedToday returns the number of requests of a key today that count towards
// its limit.
func (s *site) usedToday(ctx context.Context, k apikey.Key) (int64, error) {
	counts, err := s.Usage.OfDays(ctx, k.ID, s.Now(), 1)
	return usage.SumBy(counts, func(c usage.Count) string { return c.Key })[k.ID].Taken(), err
}

// newestFirst sorts live keys before others, and the newest first.
func (s *site) newestFirst(keys []apikey.Key) {
	rank, now := map[bool]int{true: 0, false: 1}, s.Now() // by whether a key is live
	slices.SortStableFunc(keys, func(a, b apikey.Key) int {
		return cmp.Or(rank[a.Live(now)]-rank[b.Live(now)], b.Created.Compare(a.Created))
	})
}

// keyView describes a key with taken requests today. LastUsed may lag behind
// taken.
func (s *site) keyView(k apikey.Key, taken int64) keyView {
	now := s.Now()
	v := keyView{Key: k, State: "live", Used: ago(k.LastUsed, now), Taken: taken, Limit: s.Limits.PerDay}
	v.User, _ = apikey.UserOf(k.Owner) // empty if no user owns the key
	if k.MaxExpiry > 0 {
		v.Life = layout.Until(now.Add(k.MaxExpiry), now)
	}
	if taken > 0 && usage.Day(k.LastUsed) != usage.Day(now) {
		v.Used = "today"
	}
	switch {
	case !k.Revoked.IsZero():
		v.State, v.When = "revoked", date(k.Revoked)
	case !k.Live(now):
		v.State, v.When = "expired", date(k.Expires)
	case k.Static:
		v.When = "in the configuration"
	case !k.Expires.IsZero():
		v.When = "until " + date(k.Expires)
	}
	return v
}

// curl returns a command to try a key, whatever its scopes.
func curl(base, secret string) string {
	return fmt.Sprintf("curl -s %s/api/v1/limits -H 'X-API-Key: %s'", base, secret)
}

// findKey returns the key that the path names if the user may see it.
func (s *site) findKey(r *http.Request, current session) (apikey.Key, error) {
	keys, err := s.keysOf(r.Context(), current)
	k, ok := byID(keys)[r.PathValue("id")]
	if err == nil && !ok {
		err = noKey
	}
	return k, err
}

// revokeView is the content of the page that confirms the revocation of a key.
type revokeView struct {
	page
	Key keyView
}

func (s *site) confirmRevoke(r *http.Request, current session) (*layout.Response, error) {
	k, err := s.findKey(r, current)
	if err != nil {
		return nil, err
	}
	if k.Static || !k.Live(s.Now()) {
		return s.redirect("/dashboard/keys/" + k.ID), nil
	}
	today, err := s.usedToday(r.Context(), k)
	if err != nil {
		return nil, err
	}
	return s.show(http.StatusOK, "revoke", "Revoke "+k.Name, revokeView{current.page("keys"), s.keyView(k, today)})
}

func (s *site) revoke(r *http.Request, current session) (*layout.Response, error) {
	k, err := s.findKey(r, current)
	if err == nil {
		err = s.Keys.Revoke(r.Context(), k.ID, s.Now())
	}
	if errors.Is(err, apikey.ErrNotFound) {
		return nil, noKey
	}
	if err != nil {
		return nil, err
	}
	s.record(r, audit.KeyRevoked, current.owner, k.ID)
	s.Log.InfoContext(r.Context(), "key revoked", "key_id", k.ID, "owner", current.owner, "address", origin.ClientAddr(r, s.TrustedProxies))
	return s.redirect("/dashboard/keys/" + k.ID), nil
}

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
