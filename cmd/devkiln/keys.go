package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/store"
)

// keys groups the commands for API keys.
type keys struct {
	Create createKey `cmd:"" help:"Create a key and print it, once."`
	List   listKeys  `cmd:"" help:"List the keys, without their secrets."`
	Revoke revokeKey `cmd:"" help:"Revoke a key. A running server rejects it within a second."`
}

type createKey struct {
	Name       string         `required:"" placeholder:"NAME" help:"Who or what the key is for."`
	Expires    string         `placeholder:"90d" help:"How long the key is valid: days (90d) or a duration (12h30m). Default: forever."`
	User       string         `placeholder:"NAME" help:"The owner of the key, by the name that the proxy of --user-header sends. Default: none."`
	Scopes     []apikey.Scope `enum:"share,read,tools" placeholder:"SCOPE" help:"What the key may do: share, read, tools, comma-separated. Default: everything."`
	RateMinute int            `placeholder:"N" help:"Requests in any 60 seconds, instead of the server's limit."`
	MaxExpiry  string         `placeholder:"30d" help:"The longest life of what is shared with the key; a longer one is shortened to it."`
	JSON       bool           `name:"json" help:"Print the key and its description as JSON."`
}

// printedKey is the JSON form of a key.
type printedKey struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Key      string     `json:"key,omitempty"` // only for a new key
	Prefix   string     `json:"prefix"`
	LastFour string     `json:"lastFour"`
	State    string     `json:"state"` // live, expired or revoked
	Created  time.Time  `json:"created"`
	LastUsed *time.Time `json:"lastUsed"`
	Expires  *time.Time `json:"expires"`
	Revoked  *time.Time `json:"revoked"`

	User       string         `json:"user,omitempty"`
	Scopes     []apikey.Scope `json:"scopes,omitempty"`     // empty means all
	RateMinute int            `json:"rateMinute,omitempty"` // 0 means the server's limit
	MaxExpiry  string         `json:"maxExpiry,omitempty"`  // such as 720h0m0s; empty means the server's limit
}

func describe(k apikey.Key, now time.Time) printedKey {
	d := printedKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, LastFour: k.LastFour, State: "live",
		Created: k.Created, LastUsed: unlessZero(k.LastUsed), Expires: unlessZero(k.Expires), Revoked: unlessZero(k.Revoked),
		Scopes: k.Scopes, RateMinute: k.PerMinute,
	}
	d.User, _ = apikey.UserOf(k.Owner) // empty if the key has no user
	if k.MaxExpiry > 0 {
		d.MaxExpiry = k.MaxExpiry.String()
	}
	switch {
	case d.Revoked != nil:
		d.State = "revoked"
	case !k.Live(now):
		d.State = "expired"
	}
	return d
}

func unlessZero(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Run creates and prints a key.
func (c createKey) Run(ctx context.Context, p process, storeURL string) error {
	now := time.Now()
	options, err := c.options(now)
	if err != nil {
		return usageError{err}
	}
	return withKeys(ctx, storeURL, func(ring *apikey.Keyring, trail *audit.Trail) error {
		secret, key, err := ring.Issue(ctx, c.Name, now, options)
		if err == nil {
			err = trail.Add(ctx, audit.Event{At: now, Kind: audit.KeyCreated, Object: key.ID, From: commandLine})
		}
		if err != nil {
			return err
		}
		if c.JSON {
			made := describe(key, now)
			made.Key = secret
			return p.json(made)
		}
		_, err = fmt.Fprintf(p.stdout, "%s\n", secret)
		_, _ = fmt.Fprintf(p.stderr, "Key %s (%s), %s. It is not shown again.\n", key.ID, printable(key.Name), validity(key))
		return err
	})
}

// options returns the options for the key, or an error with all problems.
func (c createKey) options(now time.Time) (o apikey.Options, err error) {
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			err = errors.Join(err, fmt.Errorf(format, args...))
		}
	}
	n := utf8.RuneCountInString(c.Name)
	refuse(n == 0 || n > apikey.MaxName || !utf8.ValidString(c.Name), "--name must have 1 to %d characters of valid UTF-8", apikey.MaxName)
	lifetime, bad := parseLifetime(c.Expires)
	refuse(bad != nil, "--expires %w", bad)
	if lifetime > 0 {
		o.Expires = now.Add(lifetime)
	}
	o.MaxExpiry, bad = parseLifetime(c.MaxExpiry)
	refuse(bad != nil, "--max-expiry %w", bad)
	refuse(c.RateMinute < 0 || c.RateMinute > store.MaxPerWindow, "--rate-minute must be 0 to %d", store.MaxPerWindow)
	if c.User != "" {
		o.Owner, bad = apikey.UserOwner(c.User)
		refuse(bad != nil, "--user: %w", bad)
	}
	o.Scopes, o.PerMinute = c.Scopes, c.RateMinute
	return o, err
}

type listKeys struct {
	JSON bool `name:"json" help:"Print an array of JSON objects."`
}

// Run prints a table of the keys.
func (c listKeys) Run(ctx context.Context, p process, storeURL string) error {
	return withKeys(ctx, storeURL, func(ring *apikey.Keyring, _ *audit.Trail) error {
		list, err := ring.List(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			all := make([]printedKey, len(list))
			for i, k := range list {
				all[i] = describe(k, time.Now())
			}
			return p.json(all)
		}
		return p.keys(list, time.Now())
	})
}

// keys prints a table of keys.
func (p process) keys(list []apikey.Key, now time.Time) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tNAME\tKEY\tCREATED\tLAST USED\tSTATE\tUSER\tSCOPES\tLIMITS")
	for _, k := range list {
		d, state := describe(k, now), map[string]string{"live": validity(k), "expired": "expired " + formatTime(k.Expires), "revoked": "revoked " + formatTime(k.Revoked)}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s…%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, printable(k.Name), k.Prefix, k.LastFour, formatTime(k.Created), formatTime(k.LastUsed),
			state[d.State], cmp.Or(printable(d.User), "–"), cmp.Or(commaSeparated(k.Scopes), "everything"), limitsOf(k))
	}
	return table.Flush()
}

// limitsOf describes the limits of a key that replace those of the server.
func limitsOf(k apikey.Key) string {
	var limits []string
	if k.PerMinute > 0 {
		limits = append(limits, fmt.Sprintf("%d a minute", k.PerMinute))
	}
	if k.MaxExpiry > 0 {
		limits = append(limits, fmt.Sprintf("shares for %v", k.MaxExpiry))
	}
	return cmp.Or(strings.Join(limits, ", "), "–")
}

// printable escapes a text that has nongraphic characters, which a terminal
// could interpret.
func printable(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsGraphic(c) }) {
		return text
	}
	quoted := strconv.QuoteToGraphic(text)
	return quoted[1 : len(quoted)-1]
}

type revokeKey struct {
	ID   string `arg:"" help:"The id of the key, as keys list shows it."`
	JSON bool   `name:"json" help:"Print the description of the key as JSON."`
}

// Run revokes a key.
func (c revokeKey) Run(ctx context.Context, p process, storeURL string) error {
	return withKeys(ctx, storeURL, func(ring *apikey.Keyring, trail *audit.Trail) error {
		err := ring.Revoke(ctx, c.ID, time.Now())
		if err == nil {
			err = trail.Add(ctx, audit.Event{At: time.Now(), Kind: audit.KeyRevoked, Object: c.ID, From: commandLine})
		}
		if errors.Is(err, apikey.ErrNotFound) {
			return fmt.Errorf("no key has the id %q; see devkiln keys list", c.ID)
		}
		if err != nil {
			return err
		}
		if c.JSON {
			return c.describe(ctx, p, ring)
		}
		_, err = fmt.Fprintf(p.stdout, "Key %s is revoked.\n", c.ID)
		return err
	})
}

// describe prints the revoked key as JSON.
func (c revokeKey) describe(ctx context.Context, p process, ring *apikey.Keyring) error {
	list, err := ring.List(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(k apikey.Key) bool { return k.ID == c.ID })
	if i < 0 {
		return fmt.Errorf("key %s is revoked, and its record has been deleted", c.ID)
	}
	return p.json(describe(list[i], time.Now()))
}

// commandLine is the source of audit events of the commands.
const commandLine = "command line"

// withKeys calls use with the keys and audit trail of a store that a server may
// have open.
func withKeys(ctx context.Context, storeURL string, use func(*apikey.Keyring, *audit.Trail) error) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		ring, err := apikey.New(backend)
		if err != nil {
			return err
		}
		return use(ring, audit.New(backend))
	})
}

// parseLifetime parses days such as 90d and durations such as 12h30m. An empty
// string means 0; other values must be positive and at most 100 years.
func parseLifetime(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	const day, longest = 24 * time.Hour, 100 * 365 * 24 * time.Hour
	d, err := time.ParseDuration(s)
	if digits, found := strings.CutSuffix(s, "d"); found {
		var days int
		days, err = strconv.Atoi(digits)
		d = time.Duration(min(days, int(longest/day)+1)) * day
	}
	if err != nil || d <= 0 || d > longest {
		return 0, fmt.Errorf("%q must be days such as 90d or a duration such as 12h30m, at most 100 years", s)
	}
	return d, nil
}

func validity(k apikey.Key) string {
	if k.Expires.IsZero() {
		return "works until it is revoked"
	}
	return "works until " + formatTime(k.Expires)
}

// formatTime formats a time in UTC to the minute, and the zero time as a dash.
func formatTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
