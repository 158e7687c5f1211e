package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/devkiln/devkiln/store/driver"
)

// line is one line of an export: an entry, or the final line with the number of
// entries, which distinguishes a complete export from one that was cut off.
type line struct {
	Key     string     `json:"key,omitempty"`
	Value   []byte     `json:"value,omitempty"` // base64
	Expires *time.Time `json:"expires,omitempty"`
	Entries *int       `json:"entries,omitempty"`
}

// Export writes every live entry of src to w as JSON: on each line an object
// with key, value (in base64) and expires (RFC 3339; omitted for never), and on
// the last line {"entries":N}. It returns the number of entries written.
func Export(ctx context.Context, w io.Writer, src Backend) (int, error) {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	exported := 0
	for e, err := range All(ctx, src, "") {
		if err != nil {
			return exported, err
		}
		l := line{Key: e.Key, Value: e.Value}
		if !e.Expires.IsZero() {
			l.Expires = &e.Expires
		}
		if err := encoder.Encode(l); err != nil {
			return exported, err
		}
		exported++
	}
	if err := encoder.Encode(line{Entries: &exported}); err != nil {
		return exported, err
	}
	return exported, buffered.Flush()
}

// importPage is how many entries are put concurrently. A store that syncs writes
// in groups is slow otherwise.
const importPage = 64

// Import puts the entries written by [Export] into dst and returns how many it
// has put. It replaces entries with the same key and keeps all others. It
// returns an error that names the line if a line is not in the format of Export
// or if the export is truncated; the entries before that line have then been
// put.
func Import(ctx context.Context, dst Backend, r io.Reader) (int, error) {
	imported, page := 0, make([]Entry, 0, importPage)
	put := func() error {
		n, err := putAll(ctx, dst, page)
		imported, page = imported+n, page[:0]
		return err
	}
	for e, err := range readExport(r) {
		if err == nil {
			page = append(page, e)
		}
		if err != nil || len(page) == importPage {
			if err := errors.Join(err, put()); err != nil {
				return imported, err
			}
		}
	}
	err := put()
	return imported, err
}

// readExport yields the entries of an export, and an error if it is incomplete.
func readExport(r io.Reader) iter.Seq2[Entry, error] {
	decoder := json.NewDecoder(bufio.NewReader(r))
	decoder.DisallowUnknownFields()
	return func(yield func(Entry, error) bool) {
		for n := 0; ; n++ {
			var l line
			err := decoder.Decode(&l)
			if err == nil && l.Entries != nil {
				if *l.Entries != n {
					yield(Entry{}, fmt.Errorf("store: the export had %d entries, this one has %d", *l.Entries, n))
				}
				return
			}
			if err == nil {
				err = driver.CheckKey(l.Key)
			}
			if err != nil {
				err = importError(n+1, err)
			}
			if !yield(l.entry(), err) || err != nil {
				return
			}
		}
	}
}

func (l line) entry() Entry {
	e := Entry{Key: l.Key, Value: l.Value}
	if l.Expires != nil {
		e.Expires = *l.Expires
	}
	return e
}

func importError(number int, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("store: line %d: the export is truncated", number)
	}
	return fmt.Errorf("store: line %d: %w", number, err)
}

// putAll puts entries concurrently and returns how many it put and the first
// error.
func putAll(ctx context.Context, dst Backend, entries []Entry) (int, error) {
	errs := make([]error, len(entries))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() { errs[i] = dst.Put(ctx, e.Key, e.Value, e.Expires) })
	}
	wg.Wait()
	failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	return len(entries) - len(failed), cmp.Or(failed...)
}
