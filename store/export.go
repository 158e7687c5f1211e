package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/devkiln/devkiln/store/driver"
)

// line is one line of an export: an entry, or the final line with the number of
// entries, which distinguishes a complete export from one that was cut off.
type line struct {
	Key     string    `json:"key,omitempty"`
	Value   []byte    `json:"value,omitempty"` // base64
	Expires time.Time `json:"expires,omitzero"`
	Entries *int      `json:"entries,omitempty"`
}

// Export writes every live entry of src to w as JSON: on each line an object
// with key, value (in base64) and expires (RFC 3339; omitted for never), and on
// the last line {"entries":N}. It returns the number of entries written.
func Export(ctx context.Context, w io.Writer, src Backend) (exported int, err error) {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	for e, err := range All(ctx, src, "") {
		if err != nil {
			return exported, err
		}
		if err := encoder.Encode(line{Key: e.Key, Value: e.Value, Expires: e.Expires}); err != nil {
			return exported, err
		}
		exported++
	}
	if err := encoder.Encode(line{Entries: &exported}); err != nil {
		return exported, err
	}
	return exported, buffered.Flush()
}

// importers is how many entries are put at once. A store that syncs writes in
// groups is slow otherwise.
const importers = 64

// Import puts the entries written by [Export] into dst and returns how many it
// has put. It replaces entries with the same key and keeps all others. It
// returns an error that names the line if a line is not in the format of Export
// or if the export is truncated; the entries before that line have then been
// put.
func Import(ctx context.Context, dst Backend, r io.Reader) (int, error) {
	decoder := json.NewDecoder(bufio.NewReader(r))
	decoder.DisallowUnknownFields()
	var imported atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(importers)
	var incomplete error
	for n := 0; incomplete == nil; n++ {
		l, err := readLine(decoder, n)
		if err != nil || l.Entries != nil {
			incomplete = err
			break
		}
		group.Go(func() error {
			err := dst.Put(ctx, l.Key, l.Value, l.Expires)
			if err == nil {
				imported.Add(1)
			}
			return err
		})
		incomplete = ctx.Err()
	}
	err := cmp.Or(group.Wait(), incomplete)
	return int(imported.Load()), err
}

// readLine reads the line that follows n others.
func readLine(decoder *json.Decoder, n int) (l line, err error) {
	err = decoder.Decode(&l)
	switch {
	case errors.As(err, new(*json.UnmarshalTypeError)), errors.As(err, new(*json.SyntaxError)):
		return l, fmt.Errorf("store: line %d is not an entry of an export", n+1)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return l, fmt.Errorf("store: line %d: the export is truncated", n+1)
	case err == nil && l.Entries == nil:
		err = driver.CheckKey(l.Key)
	case err == nil && *l.Entries != n:
		return l, fmt.Errorf("store: the export had %d entries, this one has %d", *l.Entries, n)
	}
	if err != nil {
		err = fmt.Errorf("store: line %d: %w", n+1, err)
	}
	return l, err
}
