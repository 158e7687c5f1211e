//go:build unix

package mask_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/mask"
)

// The rate is that of the processor's time, which other work disturbs least. A
// log of 32 MiB must not take two seconds, whatever it holds: 17 MB/s.
func BenchmarkSecrets(b *testing.B) {
	logs := map[string]string{}
	for _, name := range []string{"log4j", "slog-json", "logfmt", "access-combined", "python-asctime"} {
		data, err := os.ReadFile("../logs/testdata/cases/" + name + ".log")
		require.NoError(b, err)
		logs[name] = string(data)
	}
	for name, text := range hostile {
		logs["hostile "+name] = text
	}
	for name, text := range logs {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(text, 500_000/len(text))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			start := processorTime(b)
			for b.Loop() {
				mask.Secrets(text, mask.Options{Limit: 500_000})
			}
			b.ReportMetric(float64(b.N*len(text))/1e6/(processorTime(b)-start).Seconds(), "cpu-MB/s")
		})
	}
}

func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
