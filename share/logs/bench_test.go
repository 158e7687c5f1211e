package logs_test

import (
	"strings"
	"testing"

	"github.com/devkiln/devkiln/share/logs"
)

// benchmarkLog repeats a labelled log up to a size.
func benchmarkLog(b *testing.B, name string, size int) string {
	log := readLogCase(b, "testdata/cases/"+name+".log").log
	return strings.Repeat(log, size/len(log))
}

func BenchmarkAnalyze(b *testing.B) {
	for _, name := range []string{
		"log4j", "python-asctime", "klog", "postgresql", "access-combined", "syslog-rfc5424", "logfmt", "mixed",
		"slog-json", "zap-json", "pino", "mongodb-json", "docker-json", "journald-json",
		"kernel", "plain-prose", "build-c", "syslog-plain", "kubernetes-cri", "github-actions",
	} {
		b.Run(name, func(b *testing.B) {
			log := benchmarkLog(b, name, 4<<20)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				logs.AnalyzeString(log, logs.Options{})
			}
		})
	}
}

// BenchmarkAnalyzeRequest analyzes a log of the largest size that a request may
// have, 500,000 characters. Allocations are those of the whole log.
func BenchmarkAnalyzeRequest(b *testing.B) {
	for _, name := range []string{"log4j", "mixed", "slog-json"} {
		b.Run(name, func(b *testing.B) {
			log := benchmarkLog(b, name, 500_000)
			b.ReportAllocs()
			for b.Loop() {
				logs.AnalyzeString(log, logs.Options{}).Stats()
			}
		})
	}
}

func BenchmarkLines(b *testing.B) {
	log := benchmarkLog(b, "log4j", 4<<20)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		for line := range logs.Lines(log) {
			_ = line.Level
		}
	}
}
