package share

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/store"
)

// Count returns the number of shares of a kind in a store. It may include
// expired shares that have not been swept yet.
func Count(ctx context.Context, backend store.Backend, kind Kind) (int64, error) {
	return backend.Count(ctx, kind.key(""))
}

// Finding is what [Check] reports about an entry of a store.
type Finding struct {
	Key   string
	Bytes int   // length of the value
	Share bool  // false for API keys, counters, list entries and the like
	Fault error // the damage; nil for an intact share and for other entries
}

// Check reads every live entry of a store and calls visit for each, in the
// order of the keys. It decodes shares as a reader would. The error is the
// store's.
func Check(ctx context.Context, backend store.Backend, visit func(Finding)) error {
	decoder := newDecoder()
	defer decoder.Close()
	for e, err := range store.All(ctx, backend, "") {
		if err != nil {
			return err
		}
		found := Finding{Key: e.Key, Bytes: len(e.Value), Share: isShare(e.Key)}
		if found.Share || strings.HasPrefix(e.Key, partPrefix) {
			found.Fault = checkEntry(ctx, backend, decoder, e)
		}
		visit(found)
	}
	return nil
}

// checkEntry returns the damage of a share or of a part of one. A log whose
// parts are missing is damaged.
func checkEntry(ctx context.Context, backend store.Backend, decoder *zstd.Decoder, e store.Entry) error {
	found, err := unpack(decoder, e.Key, e.Value)
	if err != nil {
		return err
	}
	for _, key := range found.partKeys(path.Base(e.Key)) {
		if _, err := backend.Get(ctx, key); err != nil {
			if _, gone := backend.Get(ctx, e.Key); errors.Is(gone, store.ErrNotFound) {
				return nil // deleted together with its parts since it was listed
			}
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// isShare reports whether key is the store key of a share.
func isShare(key string) bool {
	kind, id, _ := strings.Cut(key, "/")
	return (kind == string(KindLog) || kind == string(KindSnippet)) && ValidID(id)
}
