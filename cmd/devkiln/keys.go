package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/store"
)

// keys groups the commands that look after API keys.
type keys struct {
	Create createKey `cmd:"" help:"Make a key and print it, once."`
	List   listKeys  `cmd:"" help:"List the keys, without the keys themselves."`
	Revoke revokeKey `cmd:"" help:"End a key. A running server refuses it within a second."`
}

type createKey struct {
	Name    string `required:""                  help:"Who or what the key is for."`
	Expires string `placeholder:"90d"            help:"How long the key works: days (90d) or a duration (12h30m). Default: for ever."`
}

// Run makes a key.
func (c createKey) Run(ctx context.Context, p process, storeURL string) error {
	now := time.Now()
	lifetime, err := parseLifetime(c.Expires)
	if err != nil {
		return usageError{fmt.Errorf("--expires %w", err)}
	}
	var expires time.Time
	if lifetime > 0 {
		expires = now.Add(lifetime)
	}
	return withKeys(ctx, storeURL, func(ring *apikey.Ring) error {
		secret, key, err := ring.Issue(ctx, c.Name, now, expires)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s\n", secret)
		_, _ = fmt.Fprintf(p.stderr, "Key %s (%s), %s. It is shown only now.\n", key.ID, key.Name, untilWhen(key))
		return err
	})
}

type listKeys struct{}

// Run prints a table of the keys.
func (listKeys) Run(ctx context.Context, p process, storeURL string) error {
	return withKeys(ctx, storeURL, func(ring *apikey.Ring) error {
		list, err := ring.List(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(table, "ID\tNAME\tKEY\tCREATED\tLAST USED\tSTATE")
		now := time.Now()
		for _, k := range list {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s…%s\t%s\t%s\t%s\n",
				k.ID, k.Name, k.Prefix, k.LastFour, minute(k.Created), minute(k.LastUsed), state(k, now))
		}
		return table.Flush()
	})
}

type revokeKey struct {
	ID string `arg:"" help:"The id of the key, as keys list shows it."`
}

// Run ends a key.
func (c revokeKey) Run(ctx context.Context, p process, storeURL string) error {
	return withKeys(ctx, storeURL, func(ring *apikey.Ring) error {
		err := ring.Revoke(ctx, c.ID, time.Now())
		if errors.Is(err, apikey.ErrNotFound) {
			return fmt.Errorf("no key has the id %q; see devkiln keys list", c.ID)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "Key %s is revoked.\n", c.ID)
		return err
	})
}

// withKeys opens the store beside a server, calls use and closes the store.
func withKeys(ctx context.Context, storeURL string, use func(*apikey.Ring) error) error {
	return withBackend(ctx, storeURL, func(backend store.Backend) error {
		ring, err := apikey.New(backend)
		if err != nil {
			return err
		}
		return use(ring)
	})
}

// parseLifetime reads days such as 90d and durations such as 12h30m: zero for
// the empty string, otherwise more than zero and at most 100 years.
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

func untilWhen(k apikey.Key) string {
	if k.Expires.IsZero() {
		return "works until it is revoked"
	}
	return "works until " + minute(k.Expires)
}

func state(k apikey.Key, now time.Time) string {
	switch {
	case !k.Revoked.IsZero():
		return "revoked " + minute(k.Revoked)
	case !k.Live(now):
		return "expired " + minute(k.Expires)
	default:
		return untilWhen(k)
	}
}

// minute prints a time to the minute in UTC, and a dash for none.
func minute(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
