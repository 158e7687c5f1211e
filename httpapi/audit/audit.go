// Package audit keeps an audit trail of a service: sign-ins, keys and
// deletions, with who, when and from where. Start with [New]:
//
//	trail := audit.New(backend)
//	…
//	err := trail.Add(ctx, audit.Event{At: now, Kind: audit.KeyCreated, Actor: owner, Object: id, From: address})
//
// The store holds the last 1,000 events of each kind, each for 90 days: many
// events of one kind, such as wrong passwords, do not displace those of others.
// All processes on a store share one trail.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Bounds of a trail.
const (
	retention  = 90 * 24 * time.Hour
	maxPerKind = 1000 // events of a kind
)

// Kind is the kind of an [Event].
type Kind string

// The kinds of events.
const (
	SignedIn      Kind = "sign-in"
	SignInRefused Kind = "sign-in-refused" // a wrong password
	PasswordSet   Kind = "password"
	KeyCreated    Kind = "key-made"
	KeyRevoked    Kind = "key-revoked"
	Deleted       Kind = "deleted" // shares
)

// Event is a recorded action.
type Event struct {
	At     time.Time `json:"at"`
	Kind   Kind      `json:"kind"`
	Actor  string    `json:"who,omitempty"`  // an owner, such as the id of a key; empty if unknown
	Object string    `json:"what,omitempty"` // the id of a key, or the paths of shares
	From   string    `json:"from,omitempty"` // an address, or a name in place of one
}

// Trail stores events. It is safe for concurrent use.
type Trail struct{ backend store.Backend }

// The events of a kind form a ring in the store. A counter selects the next
// place.
const (
	prefix      = "audit/"     // + kind + "/" + place
	countPrefix = "auditturn/" // + kind
)

// New returns the trail of a backend.
func New(backend store.Backend) *Trail { return &Trail{backend} }

// Add adds an event, and replaces the oldest of its kind if there are 1,000. A
// nil Trail discards events.
func (t *Trail) Add(ctx context.Context, e Event) error {
	if t == nil {
		return nil
	}
	value, err := json.Marshal(e)
	if err != nil {
		return err
	}
	n, err := store.Add(ctx, t.backend, countPrefix+string(e.Kind), 1, time.Time{})
	if err != nil {
		return err
	}
	return t.backend.Put(ctx, fmt.Sprintf("%s%s/%03d", prefix, e.Kind, n%maxPerKind), value, e.At.Add(retention))
}

// Latest returns at most limit events, newest first.
func (t *Trail) Latest(ctx context.Context, limit int) ([]Event, error) {
	var events []Event
	for entry, err := range store.All(ctx, t.backend, prefix) {
		if err != nil {
			return nil, err
		}
		var e Event
		if err := json.Unmarshal(entry.Value, &e); err != nil {
			return nil, fmt.Errorf("audit: %s: %w", entry.Key, err)
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b Event) int { return b.At.Compare(a.At) })
	return events[:min(limit, len(events))], nil
}
