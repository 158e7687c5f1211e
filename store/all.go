package store

import (
	"context"
	"iter"
)

// allPage is how many entries All lists at once. It is low because values can
// be large.
const allPage = 100

// All yields the live entries of a store whose keys start with prefix, in
// ascending byte order of the keys. It reads them page by page. If the store
// returns an error, All yields it with an empty entry and stops. Entries
// created or deleted during the iteration may be missed.
func All(ctx context.Context, backend Backend, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		after := ""
		for {
			page, err := backend.List(ctx, prefix, after, allPage)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
			if len(page) < allPage {
				return
			}
			after = page[len(page)-1].Key
		}
	}
}
