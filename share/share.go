// Package share stores logs and code snippets under random ids until they
// expire.
//
// Start with [New], which needs only a [store.Store]:
//
//	shares, err := share.New(store.NewMemory(), share.Options{})
//	…
//	log, err := shares.CreateLog(ctx, content, share.LogOptions{Expiry: share.Expiry7d})
//	…
//	log, err = shares.Log(ctx, log.ID)
//
// Content is returned byte for byte unless [Options].MaskSecrets is set. It is
// stored compressed (Zstandard) in an envelope whose first byte is a version,
// so that stores need not interpret it and later releases can read what earlier
// ones wrote. The envelope names its share: if a store mixes up its entries, as
// a damaged file can, reading fails instead of returning the content of another
// share.
//
// An id has 80 random bits: anyone with the link can read the share, and nobody
// can guess it. A share that has expired and one that never existed give the
// same [ErrNotFound]. With [Options].List a service keeps a list of its shares,
// which [Service.Find] searches on behalf of operators and owners. Stored
// content is not encrypted unless the caller encrypted it with package
// share/seal.
//
// An error about an input has a method Invalid() (field, reason string), which
// returns its name in the HTTP API, such as title, and a word such as
// too_long. An error about several unwraps to one for each.
// InvalidFields of the root package, devkiln, lists the messages of all of them
// by field, also in errors that are wrapped or joined.
//
// Package share/logs analyses the text of a log without a store.
package share

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/store"
)

// ErrNotFound is wrapped by the error for an id that is malformed, unknown or
// expired, and for a deletion by anyone but the owner.
var ErrNotFound = errors.New("share: not found")

// Options configures a [Service]. The zero value is ready to use.
type Options struct {
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// MaxExpiry shortens any longer expiry, including never. Zero means no
	// maximum. The Expires of a share is the effective one.
	MaxExpiry time.Duration
	// List enables [Service.Find]. It requires a [store.Backend], and adds a
	// small entry for each share, which is created and deleted together with
	// it.
	List bool
	// MaskSecrets replaces secrets in contents and titles before they are
	// stored, as package mask does. The original text is then not stored, and
	// content is returned byte for byte as it was stored. Limits apply to the
	// text before masking, and marks never make a content or a title exceed
	// them.
	MaskSecrets bool
	// MaxLogBytes is the maximum length in bytes, before masking, of a log that
	// [Service.CreateLogFrom] stores. Zero means [DefaultLogBytes]; the maximum
	// is [LogBytesLimit]. Fewer than 2,000,000 count as 2,000,000, which
	// [MaxLogContent] code points may have.
	MaxLogBytes int64
}

// Service makes, reads and deletes shares. It is safe for concurrent use, and
// has no goroutines and nothing to close. It must be made by [New].
type Service struct {
	store     store.Store
	backend   store.Backend // the same store; nil if it is not a store.Backend
	lists     bool
	inFlight  sync.Map // receipts of shares being created, by key
	now       func() time.Time
	maxExpiry time.Duration
	maxLog    int64
	masks     bool
	encoder   *zstd.Encoder
	decoder   *zstd.Decoder
}

var (
	errNoReceipts = errors.New("share: an idempotency key needs a store.Backend")
	errNoParts    = fmt.Errorf("share: a log of more than %d characters needs a store.Backend", MaxLogContent)
)

// New returns a [Service] that stores its shares in s, under keys that start
// with "log/", "part/" and "snippet/", and its list, if enabled, under
// "recent/". The error joins one for each invalid argument.
func New(s store.Store, o Options) (*Service, error) {
	if s == nil {
		return nil, errors.New("share: New needs a store")
	}
	backend, _ := s.(store.Backend)
	var faults []error
	if o.MaxExpiry < 0 {
		faults = append(faults, fmt.Errorf("share: Options.MaxExpiry is %v, must not be negative", o.MaxExpiry))
	}
	if o.MaxLogBytes < 0 || o.MaxLogBytes > LogBytesLimit {
		faults = append(faults, fmt.Errorf("share: Options.MaxLogBytes is %d, must be 0 to %d", o.MaxLogBytes, LogBytesLimit))
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
	}
	if o.Now == nil {
		service.now = time.Now
	}
	return service, nil
}

// idEncoding is Crockford's base 32 in lower case. It omits i, l, o and u, so
// that no two of its symbols look alike.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

const (
	idBytes  = 10 // 80 random bits
	idLength = 16 // idBytes in base 32
)

func newID() string {
	var random [idBytes]byte
	_, _ = rand.Read(random[:]) // crypto/rand never returns an error
	return idEncoding.EncodeToString(random[:])
}

// ValidID reports whether id has the form of an id: 16 characters of
// Crockford's base 32 in lower case.
func ValidID(id string) bool {
	if len(id) != idLength {
		return false
	}
	_, err := idEncoding.DecodeString(id)
	return err == nil && !strings.ContainsAny(id, "\r\n")
}

// Idempotent reports whether shares may be made with an idempotency key, which
// needs a [store.Backend].
func (s *Service) Idempotent() bool { return s.backend != nil }

// create stores the envelope under a new id and returns the id. If the receipt
// shows that this was done before, e becomes what was stored then.
func (s *Service) create(ctx context.Context, e *envelope, r receipt) (id string, err error) {
	if r.key != "" {
		if !s.Idempotent() {
			return "", errNoReceipts
		}
		if _, busy := s.inFlight.LoadOrStore(r.key, nil); busy {
			return "", ErrInFlight
		}
		defer s.inFlight.Delete(r.key)
	}
	id = cmp.Or(e.id, newID())
	err = s.createAs(ctx, id, *e, r)
	if r.key != "" && errors.Is(err, store.ErrExists) {
		return s.replay(ctx, e, r)
	}
	return id, err
}

// createAs writes a new share and, if present, its list entry and its receipt.
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

// read returns the envelope of an unexpired share.
func (s *Service) read(ctx context.Context, kind Kind, id string) (envelope, error) {
	if !ValidID(id) {
		return envelope{}, ErrNotFound
	}
	key := kind.key(id)
	value, err := s.store.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return envelope{}, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	if err != nil {
		return envelope{}, err
	}
	e, err := unpack(s.decoder, key, value)
	if err != nil {
		return envelope{}, fmt.Errorf("share: %s: %w", key, err)
	}
	// The service's clock decides, even if the store's own clock is behind.
	if expires, now := e.header.Expires, s.now().UTC(); !expires.IsZero() && !now.Before(expires) {
		return envelope{}, fmt.Errorf("%w: expired at %s, and it is %s", ErrNotFound, expires.Format(time.RFC3339), now.Format(time.RFC3339))
	}
	e.kind = kind
	return e, nil
}

// Delete deletes a share on behalf of its owner. The error wraps [ErrNotFound]
// if the share does not exist, has expired or belongs to another owner.
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

// discard deletes a share together with its parts and its list entry, if any.
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

// mask returns text with its secrets masked if the service masks or asked is
// set, and adds them to found. The text does not become longer than limit code
// points, unless that is zero.
func (s *Service) mask(asked bool, text string, limit int, found *mask.Found) string {
	if !s.masks && !asked {
		return text
	}
	text, more := mask.Secrets(text, mask.Options{Limit: limit})
	*found = found.Plus(more)
	return text
}
