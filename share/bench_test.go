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

// BenchmarkCreateLogFrom stores a log of the largest default size.
func BenchmarkCreateLogFrom(b *testing.B) {
	line := "2026-11-20T03:00:01Z \x1b[31mERROR\x1b[0m \U0001F525 GET /api/v1/items?id=1 <b>&amp; 10.0.0.1 took 12ms\n"
	for name, text := range map[string]string{"32MiB": strings.Repeat(line, share.DefaultLogBytes/len(line)), "shortLines": strings.Repeat("E word\n", share.MaxLogLines)} {
		b.Run(name, func(b *testing.B) {
			s := must(share.New(store.NewMemory(), share.Options{MaskSecrets: true}))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, err := s.CreateLogFrom(b.Context(), strings.NewReader(text), share.LogOptions{})
				require.NoError(b, err)
			}
		})
	}
}
