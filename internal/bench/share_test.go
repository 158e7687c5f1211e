package bench

import (
	"crypto/rand"
	"fmt"
	mrand "math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// logText returns about n bytes of a service's log, different for each seed.
func logText(seed uint64, n int) string {
	random := mrand.New(mrand.NewPCG(seed, 1))
	levels := []string{"INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"}
	var b strings.Builder
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for b.Len() < n {
		at = at.Add(time.Duration(random.IntN(500)) * time.Millisecond)
		fmt.Fprintf(&b, "%s %s [worker-%d] request %x handled path=/api/items/%d took=%dms\n",
			at.Format("2006-01-02T15:04:05.000Z"), levels[random.IntN(len(levels))], random.IntN(8), random.Uint32(), random.IntN(1000), random.IntN(300))
	}
	return b.String()[:n]
}

// BenchmarkShareCreate has 64 writers share 10 KB of log text each, which is
// compressed and stored in SQLite, with and without the list of shares. For
// comparison in the same run, it also puts values of the compressed size into
// the store itself and into one file each.
func BenchmarkShareCreate(b *testing.B) {
	const texts = 64
	logs := make([]string, texts)
	for i := range logs {
		logs[i] = logText(uint64(i), 10_000)
	}
	value := make([]byte, envelopeSize(b, logs[0]))
	rand.Read(value)
	create := func(b *testing.B, shares *share.Service) {
		measure(b, func(i int) error {
			_, err := shares.CreateLog(b.Context(), logs[i%texts], share.LogOptions{})
			return err
		})
		b.ReportMetric(float64(len(value)), "B/envelope")
	}
	b.Run("share", func(b *testing.B) { create(b, newShares(b, openSQLite(b), share.Options{})) })
	b.Run("listed", func(b *testing.B) {
		create(b, newShares(b, openSQLite(b), share.Options{List: true}))
	})
	b.Run("store", func(b *testing.B) {
		at := backend(b, openSQLite(b))
		measure(b, func(int) error { return at.put(rand.Text(), value) })
	})
	b.Run("files", func(b *testing.B) {
		at := files(b)
		measure(b, func(int) error { return at.put(rand.Text(), value) })
	})
}

func newShares(b *testing.B, s store.Store, o share.Options) *share.Service {
	b.Helper()
	shares, err := share.New(s, o)
	if err != nil {
		b.Fatal(err)
	}
	return shares
}

// envelopeSize returns the stored size of a log in bytes.
func envelopeSize(b *testing.B, log string) int {
	b.Helper()
	kept := store.NewMemory()
	made, err := newShares(b, kept, share.Options{}).CreateLog(b.Context(), log, share.LogOptions{})
	if err != nil {
		b.Fatal(err)
	}
	value, err := kept.Get(b.Context(), "log/"+made.ID)
	if err != nil {
		b.Fatal(err)
	}
	return len(value)
}
