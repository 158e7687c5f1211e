package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/store"
)

// newKey is what the form for a new key has.
type newKey struct {
	Name         string
	Expiry, Life string // days; 0 if none
	Scopes       []apikey.Scope
	PerMinute    int
}

// keyOptions returns the fields of the form. perMinute is the highest rate that
// a key can have.
func keyOptions(perMinute int) option.Table[newKey] {
	type row = option.Option[newKey]
	return option.New(
		row{Name: "name", Max: apikey.MaxName, Required: true, Example: "Who or what uses it", Field: func(k *newKey) any { return &k.Name }},
		row{
			Name: "expiry", Label: "Expires", Values: []string{"never", "30", "90", "365"}, Default: "never",
			Labels: map[string]string{"never": "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year"}, Field: func(k *newKey) any { return &k.Expiry },
		},
		row{
			Name: "scope", Label: "What it may do", Values: []string{"share", "read", "tools"}, Default: "share,read,tools", Required: true, Advanced: true,
			Labels: map[string]string{
				"share": "Share and delete " + layout.Made(apikey.ScopeShare), "read": "Read and list " + layout.Made(apikey.ScopeShare),
				"tools": "Make " + layout.Made(apikey.ScopeTools) + ", and analyse logs",
			},
			Field: func(k *newKey) any { return &k.Scopes },
		},
		row{Name: "rate", Label: "Requests per minute", Min: 1, Max: float64(perMinute), Advanced: true, Field: func(k *newKey) any { return &k.PerMinute }},
		row{
			Name: "life", Label: "Longest life of its shares", Values: []string{"any", "1", "7", "30"}, Default: "any", Advanced: true,
			Labels: map[string]string{"any": "No limit", "1": "24 hours", "7": "7 days", "30": "30 days"}, Field: func(k *newKey) any { return &k.Life },
		},
	)
}

// These limits keep a member from filling the store with keys and from evading
// the limit of one key by using many.
const maxMemberKeys = 20

var memberKeysADay = store.Limits{Period: 24 * time.Hour, PerPeriod: 2 * maxMemberKeys}

const madeKeysPrefix = "keysmade/" // + owner

// maxRate returns the highest rate that the user can give a key.
func (s *site) maxRate(current session) int {
	if current.admin {
		return store.MaxPerWindow
	}
	return cmp.Or(s.Limits.PerMinute, store.MaxPerWindow)
}

// readKeyForm returns the name and the options of a new key.
func (s *site) readKeyForm(form url.Values, current session) (string, apikey.Options, error) {
	form.Set("name", strings.TrimSpace(form.Get("name")))
	k, table := newKey{Scopes: apikey.Scopes()}, keyOptions(s.maxRate(current))
	unread := table.SetQuery(&k, form)
	faults, _ := invalid.Of(unread)
	o := apikey.Options{Scopes: k.Scopes, PerMinute: k.PerMinute}
	if days, _ := strconv.Atoi(k.Expiry); days > 0 { // 0 for never
		o.Expires = s.Now().AddDate(0, 0, days)
	}
	days, _ := strconv.Atoi(k.Life)
	o.MaxExpiry = time.Duration(days) * 24 * time.Hour
	if current.user != "" {
		o.Owner = current.owner
	}
	return k.Name, o, faults.With(table.Check(&k)).Err()
}

func (s *site) makeKey(r *http.Request, current session) (*layout.Response, error) {
	name, options, err := s.readKeyForm(r.PostForm, current)
	v := keysView{}
	if v.Faults, err = layout.FaultsOf(err); err != nil {
		return nil, err
	}
	if v.Faults != nil {
		v.Fault = "No key was made yet. See what is marked below."
	} else if !current.admin {
		if v.Fault, err = s.tooManyKeys(r.Context(), current); err != nil {
			return nil, err
		}
	}
	if v.Fault != "" {
		return s.showKeys(r, current, http.StatusBadRequest, v)
	}
	secret, k, err := s.Keys.Issue(r.Context(), name, s.Now(), options)
	if err != nil {
		return nil, err
	}
	s.Log.InfoContext(r.Context(), "key made", "key_id", k.ID, "owner", current.owner, "address", origin.ClientAddr(r, s.TrustedProxies))
	s.record(r, audit.KeyCreated, current.owner, k.ID)
	r.PostForm = nil
	return s.showKeys(r, current, http.StatusOK, keysView{New: &newKeyView{k.ID, k.Name, secret, curl(s.base(r), secret)}})
}

// tooManyKeys returns why a member cannot make another key, or "".
func (s *site) tooManyKeys(ctx context.Context, current session) (fault string, err error) {
	keys, err := s.keysOf(ctx, current)
	live := slices.DeleteFunc(keys, func(k apikey.Key) bool { return !k.Live(s.Now()) })
	if err != nil || len(live) >= maxMemberKeys {
		return fmt.Sprintf("You have %d keys, which is as many as you can have. Revoke one first.", len(live)), err
	}
	made, err := store.Take(ctx, s.Backend, madeKeysPrefix+current.owner, s.Now(), memberKeysADay)
	if err != nil || made.Taken {
		return "", err
	}
	return fmt.Sprintf("You have made %d keys today. Make the next one tomorrow.", made.InPeriod), nil
}
