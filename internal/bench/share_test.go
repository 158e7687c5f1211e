package bench

import (
	"crypto/rand"
	"fmt"
	mrand "math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/share"
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
// analysed, compressed and kept in SQLite, beside puts of values of the size
// that the texts are compressed to.
func BenchmarkShareCreate(b *testing.B) {
	const texts = 64
	logs := make([]string, texts)
	for i := range logs {
		logs[i] = logText(uint64(i), 10_000)
	}
	var size int
	b.Run("share", func(b *testing.B) {
		db := openSQLite(b)
		shares := share.New(db, share.Options{})
		made, err := shares.CreateLog(b.Context(), logs[0], share.LogOptions{})
		if err != nil {
			b.Fatal(err)
		}
		value, err := db.Get(b.Context(), "log/"+made.ID)
		if err != nil {
			b.Fatal(err)
		}
		size = len(value)
		measure(b, func(i int) error {
			_, err := shares.CreateLog(b.Context(), logs[i%texts], share.LogOptions{})
			return err
		})
		b.ReportMetric(float64(size), "B/envelope")
	})
	b.Run("store", func(b *testing.B) {
		at := backend(b, openSQLite(b))
		value := make([]byte, size)
		rand.Read(value)
		measure(b, func(int) error { return at.put(rand.Text(), value) })
	})
}
