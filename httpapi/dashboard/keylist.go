package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/httpapi/web/layout"
)

var noKey = layout.Failure{
	Status: http.StatusNotFound, Title: "There is no such key",
	Text: "It may be of another service. The list of keys has all there are.",
}

// keyView is a key as pages show it.
type keyView struct {
	apikey.Key
	State string // live, revoked, expired
	When  string // the rest of the state: "until 3 May 2027"
	Used  string // when last
	Today use
	New   bool // right now
}

// use is what a key has used up of a limit.
type use struct {
	N     int64
	Limit int // 0: none
}

// keysView is the content of the page of keys.
type keysView struct {
	page
	Keys []keyView
	New  *newKeyView // the key that was just made
	Form keyForm
}

// keyForm is what somebody wants of a key.
type keyForm struct {
	Name, Expiry string
	Problem      string
	Expiries     []choice
}

type choice struct{ Value, Name string }

var keyExpiries = []choice{{"never", "Never"}, {"30", "In 30 days"}, {"90", "In 90 days"}, {"365", "In a year"}}

// newKeyView shows a key, once.
type newKeyView struct{ ID, Name, Secret, Curl string }

func (s *site) keysPage(r *http.Request, current session) (response, error) {
	made, err := s.takeNewKey(r.Context(), current)
	if err != nil {
		return response{}, err
	}
	v := keysView{Form: keyForm{Expiry: keyExpiries[0].Value}}
	if made.Secret != "" {
		v.New = &newKeyView{made.ID, made.Name, made.Secret, curl(s.base(r), made.Secret)}
	}
	return s.showKeys(r, http.StatusOK, v)
}

func (s *site) showKeys(r *http.Request, status int, v keysView) (response, error) {
	keys, err := s.Keys.List(r.Context())
	if err != nil {
		return response{}, err
	}
	counts, err := s.Usage.OfDay(r.Context(), usage.Day(s.Now()))
	if err != nil {
		return response{}, err
	}
	today := usage.By(counts, func(c usage.Count) string { return c.Key })
	s.newestFirst(keys)
	for _, k := range keys {
		shown := s.keyView(k, today[k.ID].Taken())
		shown.New = v.New != nil && v.New.ID == k.ID
		v.Keys = append(v.Keys, shown)
	}
	v.page, v.Form.Expiries = page{"keys"}, keyExpiries
	return response{status: status, view: "key-list", title: "Keys", content: v}, nil
}

// newestFirst sorts keys: those that can be used first, and among them the
// newest.
func (s *site) newestFirst(keys []apikey.Key) {
	now := s.Now()
	slices.SortStableFunc(keys, func(a, b apikey.Key) int {
		if a.Live(now) != b.Live(now) {
			return map[bool]int{true: -1, false: 1}[a.Live(now)]
		}
		return b.Created.Compare(a.Created)
	})
}

// keyView shows a key that has been used so often today. That is counted at
// once; when it was used last is noted later.
func (s *site) keyView(k apikey.Key, taken int64) keyView {
	now := s.Now()
	v := keyView{Key: k, State: "live", Used: ago(k.LastUsed, now), Today: use{taken, s.Limits.PerDay}}
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

// curl returns a line to try a key with.
func curl(base, secret string) string {
	return fmt.Sprintf(`curl -s %s/api/v1/slug-generator -H 'X-API-Key: %s' -H 'Content-Type: application/json' -d '{"text":"Hello, world"}'`, base, secret)
}

func (s *site) makeKey(r *http.Request, current session) (response, error) {
	form := keyForm{Name: strings.TrimSpace(r.PostForm.Get("name")), Expiry: r.PostForm.Get("expiry")}
	expires, ok := form.expires(s.Now())
	n := utf8.RuneCountInString(form.Name)
	switch {
	case n == 0 || n > apikey.MaxName || !utf8.ValidString(form.Name):
		form.Problem = fmt.Sprintf("The name needs 1 to %d characters, so that you know later whose key it is.", apikey.MaxName)
	case !ok:
		form.Problem = "Choose one of the times to expire."
	}
	if form.Problem != "" {
		return s.showKeys(r, http.StatusBadRequest, keysView{Form: form})
	}
	secret, k, err := s.Keys.Issue(r.Context(), form.Name, s.Now(), apikey.Options{Expires: expires})
	if err != nil {
		return response{}, err
	}
	s.Log.InfoContext(r.Context(), "key made", "key_id", k.ID, "address", s.ClientAddr(r))
	return response{to: "/dashboard/keys"}, s.keepNewKey(r.Context(), current, newKey{k.ID, k.Name, secret})
}

func (f keyForm) expires(now time.Time) (time.Time, bool) {
	for _, c := range keyExpiries {
		if c.Value != f.Expiry {
			continue
		}
		days, err := strconv.Atoi(c.Value)
		if err != nil {
			return time.Time{}, true
		}
		return now.AddDate(0, 0, days), true
	}
	return time.Time{}, false
}

// findKey returns the key that the path names.
func (s *site) findKey(ctx context.Context, id string) (apikey.Key, error) {
	keys, err := s.Keys.List(ctx)
	if err != nil {
		return apikey.Key{}, err
	}
	for _, k := range keys {
		if k.ID == id {
			return k, nil
		}
	}
	return apikey.Key{}, noKey
}

// revokeView is the content of the page that asks before a key is revoked.
type revokeView struct {
	page
	Key keyView
}

func (s *site) askRevoke(r *http.Request, _ session) (response, error) {
	k, err := s.findKey(r.Context(), r.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	if k.Static || !k.Live(s.Now()) {
		return response{to: "/dashboard/keys/" + k.ID}, nil
	}
	return response{view: "revoke", title: "Revoke " + k.Name, content: revokeView{page{"keys"}, s.keyView(k, 0)}}, nil
}

func (s *site) revoke(r *http.Request, _ session) (response, error) {
	id := r.PathValue("id")
	err := s.Keys.Revoke(r.Context(), id, s.Now())
	if errors.Is(err, apikey.ErrNotFound) {
		return response{}, noKey
	}
	if err != nil {
		return response{}, err
	}
	s.Log.InfoContext(r.Context(), "key revoked", "key_id", id, "address", s.ClientAddr(r))
	return response{to: "/dashboard/keys/" + id}, nil
}
