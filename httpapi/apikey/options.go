package apikey

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/devkiln/devkiln/store"
)

// Scope is a part of the API that a key may use.
type Scope string

// The scopes.
const (
	ScopeShare Scope = "share" // make and delete shares
	ScopeRead  Scope = "read"  // read and list shares
	ScopeTools Scope = "tools" // gradients, slugs, pictures, log analysis
	// ScopeAll is for what only a key without scopes may use.
	ScopeAll Scope = "all"
)

// Scopes returns the scopes that a key can have.
func Scopes() []Scope { return []Scope{ScopeShare, ScopeRead, ScopeTools} }

// Options configures a key. The zero value is a key for everything, valid until
// it is revoked.
type Options struct {
	// Owner is the owner of the key and of what is shared with it, see
	// [UserOwner]. If it is empty, the key has no owner, and what is shared
	// with it belongs to the key.
	Owner string
	// Expires is the time at which the key expires; zero means never.
	Expires time.Time
	// Scopes are the parts of the API that the key may use; none, or all of
	// them, mean everything.
	Scopes []Scope
	// PerMinute is the maximum number of requests of the key in any 60 seconds,
	// at most [store.MaxPerWindow]; 0 means the service's limit.
	PerMinute int
	// MaxExpiry is the longest life of what is shared with the key; a longer
	// one is shortened to it. Zero means the service's maximum.
	MaxExpiry time.Duration
}

// validate returns the joined errors of a key's name and options.
func (o Options) validate(name string, now time.Time) error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("apikey: "+format, args...))
		}
	}
	n := utf8.RuneCountInString(name)
	refuse(n == 0 || n > MaxName || !utf8.ValidString(name), "name has %d characters, must have 1 to %d of valid UTF-8", n, MaxName)
	_, isUser := UserOf(o.Owner)
	refuse(o.Owner != "" && !isUser, "Options.Owner is %q, must be what UserOwner returns", o.Owner)
	refuse(!o.Expires.IsZero() && !o.Expires.After(now), "Options.Expires must lie in the future")
	refuse(slices.ContainsFunc(o.Scopes, func(s Scope) bool { return !slices.Contains(Scopes(), s) }), "Options.Scopes is %q, must be among %q", o.Scopes, Scopes())
	refuse(o.PerMinute < 0 || o.PerMinute > store.MaxPerWindow, "Options.PerMinute is %d, must be 0 to %d", o.PerMinute, store.MaxPerWindow)
	refuse(o.MaxExpiry < 0, "Options.MaxExpiry is %v, must not be negative", o.MaxExpiry)
	return errors.Join(errs...)
}

// scopes returns the scopes in canonical order, or nil if it has all of them.
func (o Options) scopes() []Scope {
	scopes := slices.DeleteFunc(Scopes(), func(s Scope) bool { return !slices.Contains(o.Scopes, s) })
	if len(scopes) == len(Scopes()) {
		return nil
	}
	return scopes
}

// May reports whether the key may use a part of the API; "" denotes what any
// key may use.
func (k Key) May(s Scope) bool {
	return s == "" || len(k.Scopes) == 0 || slices.Contains(k.Scopes, s)
}

// ShareOwner returns the owner of what is shared with the key: the key's Owner
// or, if that is empty, its ID.
func (k Key) ShareOwner() string { return cmp.Or(k.Owner, k.ID) }

const (
	userPrefix = "user:"
	// maxOwner leaves room for the rest of a store key around an owner.
	maxOwner = 200
)

// UserOwner returns the owner that denotes a user: "user:" followed by the
// name, in which everything but printable ASCII is escaped as in a URL path. No
// key has such an id. It returns an error if the name is not valid UTF-8, has
// control characters or leading or trailing spaces, or is longer than 195 bytes
// when escaped.
func UserOwner(name string) (owner string, err error) {
	owner = userPrefix + url.PathEscape(name)
	switch {
	case name == "" || name != strings.TrimSpace(name):
		return "", errors.New("the name of a user must not be empty, nor begin or end with a space")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", errors.New("the name of a user must be valid UTF-8 without control characters")
	case len(owner) > maxOwner:
		return "", fmt.Errorf("the name of a user must have at most %d bytes", maxOwner-len(userPrefix))
	}
	return owner, nil
}

// UserOf returns the name of the user whom an owner denotes.
func UserOf(owner string) (name string, ok bool) {
	escaped, found := strings.CutPrefix(owner, userPrefix)
	name, err := url.PathUnescape(escaped)
	if !found || err != nil {
		return "", false
	}
	again, err := UserOwner(name)
	return name, err == nil && again == owner
}
