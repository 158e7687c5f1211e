package share_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// BenchmarkRead reads one log of 1 KB repeatedly, and many in turn.
func BenchmarkRead(b *testing.B) {
	s := must(share.New(store.NewMemory(), share.Options{}))
	var ids []string
	for range 20_000 {
		log, err := s.CreateLog(b.Context(), strings.Repeat("2026-11-20 03:00:01 INFO request served in 12 ms\n", 20), share.LogOptions{})
		require.NoError(b, err)
		ids = append(ids, log.ID)
	}
	for name, among := range map[string]int{"again": 1, "another": len(ids)} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, err := s.Log(b.Context(), ids[i%among]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
