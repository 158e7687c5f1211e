package share

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/store"
)

// Count returns how many shares of a kind a store holds. Those that have expired
// may count until they are swept.
func Count(ctx context.Context, backend store.Backend, kind Kind) (int64, error) {
	return backend.Count(ctx, kind.key(""))
}

// Finding is what [Check] has found out about one entry of a store.
type Finding struct {
	Key   string
	Bytes int   // of the value
	Share bool  // false for keys, counters, places in the list and the like
	Fault error // what is damaged; nil for a share that is sound and for what is none
}

// Check reads every live entry of a store and calls visit for each, in the order
// of their keys. Shares are unpacked as for a reader. The error is the store's.
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

// checkEntry returns what is damaged about a share or a part of one. The parts of
// a log must be there.
func checkEntry(ctx context.Context, backend store.Backend, decoder *zstd.Decoder, e store.Entry) error {
	found, err := unpack(decoder, e.Key, e.Value)
	if err != nil {
		return err
	}
	for _, key := range found.partKeys(path.Base(e.Key)) {
		if _, err := backend.Get(ctx, key); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// isShare reports whether a key of a store is that of a share.
func isShare(key string) bool {
	kind, id, _ := strings.Cut(key, "/")
	return (kind == string(KindLog) || kind == string(KindSnippet)) && ValidID(id)
}
