package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/dashboard"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/terminal"
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
	Expires    lifetime       `placeholder:"90d" help:"How long the key is valid: days (90d) or a duration (12h30m). Default: forever."`
	User       string         `placeholder:"NAME" help:"The owner of the key, by the name that the proxy of --user-header sends. Default: none."`
	Scopes     []apikey.Scope `enum:"share,read,tools" placeholder:"SCOPE" help:"What the key may do: share, read, tools, comma-separated. Default: everything."`
	RateMinute *int           `placeholder:"N" help:"Requests in any 60 seconds, instead of the server's limit."`
	MaxExpiry  lifetime       `placeholder:"30d" help:"The longest life of what is shared with the key; a longer one is shortened to it."`
	JSON       bool           `name:"json" help:"Print the key and its description as JSON; maxExpiry is in nanoseconds."`
}

// printedKey is the JSON form of a key.
type printedKey struct {
	apikey.Key
	Secret   string    `json:"key,omitempty"` // only for a new key
	State    string    `json:"state"`         // live, expired or revoked
	LastUsed time.Time `json:"lastUsed,omitzero"`
	User     string    `json:"user,omitempty"`
}

func describe(k apikey.Key, now time.Time) printedKey {
	d := printedKey{Key: k, State: "live", LastUsed: k.LastUsed}
	d.User, _ = apikey.UserOf(k.Owner) // empty if the key has no user
	switch {
	case !k.Revoked.IsZero():
		d.State = "revoked"
	case !k.Live(now):
		d.State = "expired"
	}
	return d
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
			made.Secret = secret
			return p.json(made)
		}
		err = p.print("%s\n", secret)
		_, _ = fmt.Fprintf(p.stderr, "Key %s (%s), %s. It is not shown again.\n", key.ID, oneLine(key.Name), validity(key))
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
	if c.Expires > 0 {
		o.Expires = now.Add(time.Duration(c.Expires))
	}
	if c.RateMinute != nil {
		o.PerMinute = *c.RateMinute
		refuse(o.PerMinute < 1 || o.PerMinute > store.MaxPerWindow, "--rate-minute must be 1 to %d", store.MaxPerWindow)
	}
	if c.User != "" {
		var bad error
		o.Owner, bad = apikey.UserOwner(c.User)
		refuse(bad != nil, "--user %q: %w", c.User, bad)
	}
	o.Scopes, o.MaxExpiry = c.Scopes, time.Duration(c.MaxExpiry)
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
		described := make([]printedKey, len(list))
		rows := [][]string{{"ID", "NAME", "KEY", "CREATED", "LAST USED", "STATE", "USER", "SCOPES"}}
		for i, k := range list {
			d := describe(k, time.Now())
			described[i] = d
			state := map[string]string{"live": validity(k), "expired": "expired " + formatTime(k.Expires), "revoked": "revoked " + formatTime(k.Revoked)}
			rows = append(rows, []string{
				k.ID, oneLine(k.Name), k.Prefix + "…" + k.LastFour, formatTime(k.Created), formatTime(k.LastUsed),
				state[d.State], cmp.Or(oneLine(d.User), "–"), cmp.Or(strings.Join(option.Texts(reflect.ValueOf(k.Scopes)), ", "), "everything"),
			})
		}
		if c.JSON {
			return p.json(described)
		}
		return p.table(rows...)
	})
}

// oneLine returns a text on one line, as a terminal can show it.
func oneLine(text string) string { return terminal.Visible(strings.Join(strings.Fields(text), " ")) }

type revokeKey struct {
	ID string `arg:"" help:"The id of the key, as keys list shows it."`
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
		return p.print("Key %s is revoked.\n", c.ID)
	})
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

// admin groups the commands for the dashboard.
type admin struct {
	SetPassword setPassword `cmd:"" help:"Set the admin password, read from the first line of standard input, and end all sessions."`
}

type setPassword struct{}

// Run sets the password.
func (setPassword) Run(ctx context.Context, p process, storeURL string) error {
	password, err := firstLine(p, fmt.Sprintf("New admin password, at least %d characters", dashboard.MinPassword))
	if err != nil {
		return err
	}
	if err := dashboard.CheckPassword(password); err != nil {
		return usageError{err}
	}
	err = withBackend(ctx, storeURL, func(backend store.Backend) error {
		if err := dashboard.SetPassword(ctx, backend, password, time.Now()); err != nil {
			return err
		}
		return audit.New(backend).Add(ctx, audit.Event{At: time.Now(), Kind: audit.PasswordSet, From: commandLine})
	})
	if err == nil {
		_, _ = fmt.Fprintln(p.stderr, "The admin password is set. Whoever was signed in is signed out.")
	}
	return err
}

// firstLine reads a line of at most 4 KiB from standard input, without its line
// end. A terminal shows the prompt and nothing of the line.
func firstLine(p process, prompt string) (string, error) {
	if isTerminal(p.stdin) {
		return p.typed(prompt + ": ")
	}
	line, err := bufio.NewReader(io.LimitReader(p.stdin, 4<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
