package share_test

import (
	"strings"
	"testing"

	"github.com/devkiln/devkiln/share"
)

// benchmarkLog repeats a labelled log up to about 4 MB.
func benchmarkLog(b *testing.B, name string) string {
	log := readLogCase(b, "testdata/logs/"+name+".log").log
	return strings.Repeat(log, 4<<20/len(log))
}

func BenchmarkAnalyze(b *testing.B) {
	for _, name := range []string{"log4j", "python-asctime", "klog", "logfmt", "syslog-rfc5424", "slog-json", "zap-json"} {
		b.Run(name, func(b *testing.B) {
			log := benchmarkLog(b, name)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				share.AnalyzeString(log, share.AnalyzeOptions{})
			}
		})
	}
}

func BenchmarkLogLines(b *testing.B) {
	log := benchmarkLog(b, "log4j")
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		for line := range share.LogLines(log) {
			_ = line.Level
		}
	}
}
