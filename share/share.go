// Package share keeps logs and code snippets under random ids until they
// expire.
//
// Start with [New], which needs nothing but a [store.Store]:
//
//	shares, err := share.New(store.NewMemory(), share.Options{})
//	…
//	log, err := shares.CreateLog(ctx, content, share.LogOptions{Expiry: share.Expiry7d})
//	…
//	log, err = shares.Log(ctx, log.ID)
//
// Content comes back byte for byte, unless Options.MaskSecrets says otherwise. It
// is kept compressed (Zstandard) in an envelope whose first byte is a version,
// so that a store never looks inside and later releases read what earlier ones
// wrote. The envelope names its share: a store that mixes up its entries, as a
// damaged file can, makes reading an error and never shows another's content.
//
// An id holds 80 random bits: whoever has the link may read, nobody finds a
// share by guessing. A share that has expired and one that never existed are
// the same [ErrNotFound]. With Options.List a service keeps a list of its shares,
// in which [Service.Find] searches for those who made or run them. Nothing is
// encrypted at rest but what came encrypted, by package share/seal.
//
// An input that cannot be used is an error that says so to people and has the
// method Invalid() (field, reason string) for programs: the name of the input in
// the HTTP API, and one word. When several are at fault, their errors are joined
// with errors.Join.
//
// Package share/logs understands the text of a log by itself, without a store.
package share

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	// maximum. The Expires of a share is the effective one.
	MaxExpiry time.Duration
	// List enables [Service.Find]. It takes a [store.Backend], and a small
	// entry more for each share, which is made and deleted together with it.
	List bool
	// MaskSecrets replaces secrets in contents and titles before they are kept,
	// as package mask does. What was sent is then nowhere, and a content comes
	// back byte for byte as it was kept. Limits hold for what was sent, and marks
	// make no content and no title longer than them.
	MaskSecrets bool
	// MaxLogBytes is how many bytes a log may have that [Service.CreateLogFrom]
	// keeps, before masking. Zero means [DefaultLogBytes], the most is
	// [MostLogBytes]. Logs of [MaxLogContent] characters can always be kept.
	MaxLogBytes int64
}

// Service makes, reads and deletes shares. It is safe for concurrent use and
// holds no goroutine and nothing to close. Make one with [New]: the methods of
// the zero value return errors.
type Service struct {
	store     store.Store
	backend   store.Backend // the same store; nil if it is none
	lists     bool
	inFlight  sync.Map // of receipts whose shares are being made, by their keys
	now       func() time.Time
	maxExpiry time.Duration
	maxLog    int64
	masks     bool
	encoder   *zstd.Encoder
	decoder   *zstd.Decoder

	statistics statistics
}

var (
	errNoStore    = errors.New("share: a service needs a store: make it with New")
	errNoReceipts = errors.New("share: an idempotency key needs a store.Backend")
	errNoParts    = fmt.Errorf("share: a log of more than %d characters needs a store.Backend", MaxLogContent)
)

// New returns a Service that keeps its shares in s, under keys that start with
// "log/", "part/" and "snippet/", and its list, if there is one, under "recent/". The
// error says which of its arguments cannot be used, all of them at once.
func New(s store.Store, o Options) (*Service, error) {
	if s == nil {
		return nil, errNoStore
	}
	backend, _ := s.(store.Backend)
	var faults []error
	if o.MaxExpiry < 0 {
		faults = append(faults, fmt.Errorf("share: Options.MaxExpiry is %v, must not be negative", o.MaxExpiry))
	}
	if o.MaxLogBytes < 0 || o.MaxLogBytes > MostLogBytes {
		faults = append(faults, fmt.Errorf("share: Options.MaxLogBytes is %d, must be 0 to %d", o.MaxLogBytes, MostLogBytes))
	}
	if o.List && backend == nil {
		faults = append(faults, errors.New("share: Options.List needs a store.Backend"))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	service := &Service{
		store: s, backend: backend, lists: o.List, now: o.Now, maxExpiry: o.MaxExpiry, masks: o.MaskSecrets, maxLog: cmp.Or(o.MaxLogBytes, DefaultLogBytes),
		encoder: newEncoder(), decoder: newDecoder(),
		statistics: statistics{known: bounded.Cache[json.RawMessage]{Max: maxStatistics}},
	}
	if o.Now == nil {
		service.now = time.Now
	}
	return service, nil
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

// create keeps the envelope under a new id and returns the id. If that was done
// before, by the receipt, e becomes what it was then.
func (s *Service) create(ctx context.Context, e *envelope, r receipt) (id string, err error) {
	if r.key != "" {
		if s.backend == nil {
			return "", errNoReceipts
		}
		if _, busy := s.inFlight.LoadOrStore(r.key, nil); busy {
			return "", ErrInFlight
		}
		defer s.inFlight.Delete(r.key)
	}
	for range idTries {
		id = cmp.Or(e.id, newID())
		err = s.createAs(ctx, id, *e, r)
		if !errors.Is(err, store.ErrExists) {
			return id, err
		}
		if r.key == "" {
			continue
		}
		if id, err := s.replay(ctx, e, r); !errors.Is(err, store.ErrNotFound) {
			return id, err
		}
	}
	return "", fmt.Errorf("share: no free id in %d tries: %w", idTries, err)
}

// createAs writes a new share and, if there are any, its place in the list and
// its receipt.
func (s *Service) createAs(ctx context.Context, id string, e envelope, r receipt) error {
	e.header.Key = e.kind.key(id)
	value, err := pack(s.encoder, e)
	if err != nil {
		return err
	}
	entries := []store.Entry{{Key: e.header.Key, Value: value, Expires: e.header.Expires}}
	for _, p := range e.parts {
		p.Expires = e.header.Expires
		entries = append(entries, p)
	}
	if s.lists {
		place, err := e.summary(id).entry()
		if err != nil {
			return err
		}
		entries = append(entries, place)
	}
	if r.key != "" {
		made, err := r.entry(id, e.header)
		if err != nil {
			return err
		}
		entries = append(entries, made)
	}
	if len(entries) == 1 {
		return s.store.Create(ctx, e.header.Key, value, e.header.Expires)
	}
	return s.backend.CreateAll(ctx, entries...)
}

// read returns the envelope of a live share.
func (s *Service) read(ctx context.Context, kind Kind, id string) (envelope, error) {
	if s.store == nil {
		return envelope{}, errNoStore
	}
	if !ValidID(id) {
		return envelope{}, ErrNotFound
	}
	key := kind.key(id)
	value, err := s.store.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return envelope{}, ErrNotFound
	}
	if err != nil {
		return envelope{}, err
	}
	e, err := unpack(s.decoder, key, value)
	if err != nil {
		return envelope{}, fmt.Errorf("share: %s: %w", key, err)
	}
	// The clock of the service decides, also over a store whose own clock is
	// behind.
	if expires := e.header.Expires; !expires.IsZero() && !s.now().Before(expires) {
		return envelope{}, ErrNotFound
	}
	e.kind = kind
	return e, nil
}

// Delete deletes the share of this kind and id for the owner that made it. The
// error wraps [ErrNotFound] if there is none, it has expired, or its owner is
// another.
func (s *Service) Delete(ctx context.Context, kind Kind, id, owner string) error {
	e, err := s.read(ctx, kind, id)
	if err != nil {
		return err
	}
	if e.header.Owner != owner {
		return ErrNotFound
	}
	return s.discard(ctx, e, id, e.partKeys(id))
}

// discard deletes a share with its parts and its place in the list, as far as
// there are any, together.
func (s *Service) discard(ctx context.Context, e envelope, id string, parts []string) error {
	keys := slices.Concat(parts, []string{e.kind.key(id)})
	if s.lists {
		keys = append(keys, recentPrefix+e.summary(id).Cursor())
	}
	var err error
	if len(keys) == 1 {
		err = s.store.Delete(ctx, keys[0])
	} else {
		err = s.backend.DeleteAll(ctx, keys...)
	}
	if errors.Is(err, store.ErrNotFound) {
		return ErrNotFound
	}
	return err
}
