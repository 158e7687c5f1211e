package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/store"
)

// keyForm is the form for a new key.
type keyForm struct {
	Name, Expiry, Rate, Life string
	Scopes                   []apikey.Scope
	Problem                  string            // about the form as a whole; may be empty
	Problems                 map[string]string // by field
	Expiries, Lives          []choice
}

// Has reports whether a scope is selected.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, apikey.Scope(scope)) }

// Narrow reports whether the form restricts the key.
func (f keyForm) Narrow() bool {
	return len(f.Scopes) != len(apikey.Scopes()) || f.Rate != "" || f.Life != ""
}

type choice struct{ Value, Name string }

var (
	keyExpiries = []choice{{"never", "Never"}, {"30", "In 30 days"}, {"90", "In 90 days"}, {"365", "In a year"}}
	shareLives  = []choice{{"", "No limit"}, {"1", "24 hours"}, {"7", "7 days"}, {"30", "30 days"}}
)

// These limits keep a member from filling the store with keys and from evading
// the limit of one key by using many.
const maxMemberKeys = 20

var memberKeysADay = store.Limits{Period: 24 * time.Hour, PerPeriod: 2 * maxMemberKeys}

const madeKeysPrefix = "keysmade/" // + owner

// emptyKeyForm returns the form before anything is filled in.
func emptyKeyForm() keyForm { return keyForm{Expiry: keyExpiries[0].Value, Scopes: apikey.Scopes()} }

func readKeyForm(r *http.Request) keyForm {
	f := keyForm{Name: strings.TrimSpace(r.PostForm.Get("name")), Expiry: r.PostForm.Get("expiry"), Rate: strings.TrimSpace(r.PostForm.Get("rate")), Life: r.PostForm.Get("life")}
	if !r.PostForm.Has("narrow") { // sent along with the scopes, which may all be unchecked
		f.Scopes = apikey.Scopes()
	}
	for _, scope := range r.PostForm["scope"] {
		f.Scopes = append(f.Scopes, apikey.Scope(scope))
	}
	return f
}

// options returns the options for a new key, and the problems by field.
func (s *site) options(f keyForm, current session) (o apikey.Options, problems map[string]string) {
	problems = make(map[string]string)
	n := utf8.RuneCountInString(f.Name)
	if n == 0 || n > apikey.MaxName || !utf8.ValidString(f.Name) {
		problems["name"] = fmt.Sprintf("The name needs 1 to %d characters, so that you know later whose key it is.", apikey.MaxName)
	}
	days, ok := daysOf(f.Expiry, keyExpiries)
	if !ok {
		problems["expiry"] = "Choose one of the times to expire."
	}
	if days > 0 {
		o.Expires = s.Now().AddDate(0, 0, days)
	}
	if days, ok = daysOf(f.Life, shareLives); !ok {
		problems["life"] = "Choose one of the longest lives of shares."
	}
	o.MaxExpiry = time.Duration(days) * 24 * time.Hour
	if len(f.Scopes) == 0 || slices.ContainsFunc(f.Scopes, func(scope apikey.Scope) bool { return !slices.Contains(apikey.Scopes(), scope) }) {
		problems["scope"] = "Choose what the key may do."
	}
	o.Scopes = f.Scopes
	most := store.MaxPerWindow
	if !current.admin {
		most = cmp.Or(s.Limits.PerMinute, most)
	}
	if f.Rate != "" {
		var err error
		if o.PerMinute, err = strconv.Atoi(f.Rate); err != nil || o.PerMinute < 1 || o.PerMinute > most {
			problems["rate"] = fmt.Sprintf("The requests per minute must be 1 to %d, or nothing for the limit of the server.", most)
		}
	}
	if current.user != "" {
		o.Owner = current.owner
	}
	return o, problems
}

// daysOf parses one of the choices. Words, such as "never", mean 0 days.
func daysOf(value string, choices []choice) (days int, ok bool) {
	days, _ = strconv.Atoi(value) // 0 for a word
	return days, slices.ContainsFunc(choices, func(c choice) bool { return c.Value == value })
}

func (s *site) makeKey(r *http.Request, current session) (response, error) {
	form := readKeyForm(r)
	options, problems := s.options(form, current)
	if form.Problems = problems; len(problems) > 0 {
		form.Problem = "No key was made yet. See what is marked below."
	} else if !current.admin {
		var err error
		if form.Problem, err = s.tooManyKeys(r.Context(), current); err != nil {
			return response{}, err
		}
	}
	if form.Problem != "" {
		return s.showKeys(r, current, http.StatusBadRequest, keysView{Form: form})
	}
	secret, k, err := s.Keys.Issue(r.Context(), form.Name, s.Now(), options)
	if err != nil {
		return response{}, err
	}
	s.Log.InfoContext(r.Context(), "key made", "key_id", k.ID, "owner", current.owner, "address", s.ClientAddr(r))
	s.record(r, audit.KeyCreated, current.owner, k.ID)
	v := keysView{Form: emptyKeyForm(), New: &newKeyView{k.ID, k.Name, secret, curl(s.base(r), secret)}}
	return s.showKeys(r, current, http.StatusOK, v)
}

// tooManyKeys returns why a member cannot make another key, or "".
func (s *site) tooManyKeys(ctx context.Context, current session) (problem string, err error) {
	keys, err := s.keysOf(ctx, current)
	live := slices.DeleteFunc(keys, func(k apikey.Key) bool { return !k.Live(s.Now()) })
	if err != nil || len(live) >= maxMemberKeys {
		return fmt.Sprintf("You have %d keys, which is as many as you can have. Revoke one first.", len(live)), err
	}
	made, err := s.Backend.Take(ctx, madeKeysPrefix+current.owner, s.Now(), memberKeysADay)
	if err != nil || made.Taken {
		return "", err
	}
	return fmt.Sprintf("You have made %d keys today. Make the next one tomorrow.", made.InPeriod), nil
}
