// Package share keeps logs and code snippets under random ids until they
// expire.
//
// Start with [New], which needs nothing but a [store.Store]:
//
//	shares := share.New(store.NewMemory(), share.Options{})
//	log, err := shares.CreateLog(ctx, content, share.LogOptions{Expiry: share.Expiry7d})
//	…
//	log, err = shares.Log(ctx, log.ID)
//
// Content comes back byte for byte, unless Options.MaskSecrets says otherwise. It
// is kept compressed (Zstandard) in an
// envelope whose first byte is a version, so that a store never looks inside
// and later releases read what earlier ones wrote.
//
// An id holds 80 random bits: whoever has the link may read, nobody finds a
// share by guessing. A share that has expired and one that never existed are
// the same [ErrNotFound]. There is no search. With Options.List a service keeps
// a list of its shares, which [Service.Recent] reads, for those who run it.
// Nothing is encrypted at rest.
//
// Package share/logs understands the text of a log by itself, without a store.
package share

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/internal/bounded"
	"github.com/devkiln/devkiln/store"
)

// ErrNotFound is wrapped by the error for an id that is malformed, unknown,
// expired, or somebody else's to delete.
var ErrNotFound = errors.New("share: not found")

// Options configures a [Service]. The zero value is ready to use.
type Options struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// MaxExpiry shortens every longer expiry, never included. Zero means no
	// maximum. The Expires of the result says what came of a wish.
	MaxExpiry time.Duration
	// List is the store once more, if it can list: then the service keeps a
	// list of its shares for [Service.Recent], one small entry more for each,
	// which a [store.AllCreator] commits together with the share.
	// Nil: no list is kept.
	List Lister
	// MaskSecrets replaces secrets in contents and titles before they are kept,
	// as package mask does. What was sent is then nowhere, and a content comes
	// back byte for byte as it was kept. Limits hold for what was sent, and marks
	// make no content and no title longer than them.
	MaskSecrets bool
}

// Service makes, reads and deletes shares. It is safe for concurrent use and
// holds no goroutine and nothing to close. It asks the store for each share that
// is read; what it has made of the last ones, up to 5 MiB, it remembers.
type Service struct {
	store     store.Store
	now       func() time.Time
	maxExpiry time.Duration
	lister    Lister // nil: no list is kept
	packer    packer
	masks     bool
	decoder   *zstd.Decoder

	unpacked   unpacked
	statistics statistics
}

// New returns a Service that keeps its shares in s, under keys that start with
// "log/" and "snippet/", and its list, if there is one, under "recent/".
func New(s store.Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{
		store: s, now: o.Now, maxExpiry: o.MaxExpiry, lister: o.List, masks: o.MaskSecrets,
		packer: packer{encoder: newEncoder()}, decoder: newDecoder(),
		unpacked:   unpacked{known: bounded.Map[unpackedValue]{Max: maxKept}},
		statistics: statistics{known: bounded.Map[json.RawMessage]{Max: maxStatistics}},
	}
}

// idEncoding is Crockford's base 32 in lower case: no i, l, o or u, so that no
// two of its symbols look alike.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const (
	idBytes  = 10 // 80 random bits
	idLength = 16 // idBytes in base 32
	// idTries is how often Create looks for a free id. The second try alone is
	// needed less than once in 10^18 shares at a million live ones.
	idTries = 3
)

func newID() string {
	var random [idBytes]byte
	_, _ = rand.Read(random[:]) // crypto/rand never returns an error
	return idEncoding.EncodeToString(random[:])
}

// ValidID reports whether id has the form of an id: 16 characters out of
// Crockford's base 32 in lower case.
func ValidID(id string) bool {
	if len(id) != idLength {
		return false
	}
	_, err := idEncoding.DecodeString(id)
	return err == nil && !strings.ContainsAny(id, "\r\n")
}

// create keeps the envelope under a new id and returns the id.
func (s *Service) create(ctx context.Context, prefix string, e envelope) (string, error) {
	value, err := s.packer.pack(e)
	if err != nil {
		return "", err
	}
	for range idTries {
		id := newID()
		err = s.keep(ctx, prefix, id, value, e)
		if !errors.Is(err, store.ErrExists) {
			return id, err
		}
	}
	return "", fmt.Errorf("share: no free id in %d tries: %w", idTries, err)
}

// keep writes a new share and, if there is a list, its place in it: together,
// if the store can. Otherwise it writes both at once, so that a busy store,
// which commits what is waiting together, takes no longer for it. Either both
// are there afterwards or an error says why not.
func (s *Service) keep(ctx context.Context, prefix, id string, value []byte, e envelope) error {
	entry := store.Entry{Key: prefix + id, Value: value, Expires: e.header.Expires}
	if s.lister == nil {
		return s.store.Create(ctx, entry.Key, entry.Value, entry.Expires)
	}
	place, err := e.summary(prefix, id).entry()
	if err != nil {
		return err
	}
	if both, ok := s.store.(store.AllCreator); ok {
		return both.CreateAll(ctx, entry, place)
	}
	return s.keepBoth(ctx, entry, place)
}

// keepBoth writes two entries to a store that takes one at a time.
func (s *Service) keepBoth(ctx context.Context, entry, place store.Entry) error {
	var listed error
	var both sync.WaitGroup
	both.Go(func() { listed = s.store.Create(ctx, place.Key, place.Value, place.Expires) })
	kept := s.store.Create(ctx, entry.Key, entry.Value, entry.Expires)
	both.Wait()
	switch {
	case kept != nil && listed == nil:
		return errors.Join(kept, s.store.Delete(context.WithoutCancel(ctx), place.Key))
	case kept == nil && listed != nil:
		return errors.Join(listed, s.store.Delete(context.WithoutCancel(ctx), entry.Key))
	default:
		return kept
	}
}

// read returns the envelope of a live share.
func (s *Service) read(ctx context.Context, prefix, id string) (envelope, error) {
	if !ValidID(id) {
		return envelope{}, ErrNotFound
	}
	value, err := s.store.Get(ctx, prefix+id)
	if errors.Is(err, store.ErrNotFound) {
		s.forget(id)
		return envelope{}, ErrNotFound
	}
	if err != nil {
		return envelope{}, err
	}
	e, err := s.unpack(id, value)
	if err != nil {
		return envelope{}, fmt.Errorf("share: %s%s: %w", prefix, id, err)
	}
	// The clock of the service decides, also over a store whose own clock is
	// behind.
	if store.Expired(e.header.Expires, s.now()) {
		return envelope{}, ErrNotFound
	}
	return e, nil
}

// IsKey reports whether a key of a store is that of a share.
func IsKey(key string) bool {
	for _, prefix := range []string{logPrefix, snippetPrefix} {
		if id, found := strings.CutPrefix(key, prefix); found && ValidID(id) {
			return true
		}
	}
	return false
}

// Verify returns nil if value, as a store holds it under the key of a share,
// unpacks and reads, and an error that says what is damaged otherwise. It
// serves those who look after a store.
func (s *Service) Verify(value []byte) error {
	_, err := decodeEnvelope(s.decoder, value)
	return err
}

// remove deletes a share that owner made.
func (s *Service) remove(ctx context.Context, prefix, id, owner string) error {
	e, err := s.read(ctx, prefix, id)
	if err != nil {
		return err
	}
	if e.header.Owner != owner {
		return ErrNotFound
	}
	defer s.forget(id)
	err = s.store.Delete(ctx, prefix+id)
	if errors.Is(err, store.ErrNotFound) {
		return ErrNotFound
	}
	if err != nil || s.lister == nil {
		return err
	}
	err = s.unlist(ctx, e.summary(prefix, id))
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
