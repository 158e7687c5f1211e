package logs_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/share/logs"
)

// benchmarkLog repeats a labelled log up to a size, at least once.
func benchmarkLog(b *testing.B, name string, size int) string {
	log := readLogCase(b, "testdata/cases/"+name+".log").log
	return strings.Repeat(log, max(size/len(log), 1))
}

// BenchmarkAnalyze analyzes 4 MB in the format of each labelled log.
func BenchmarkAnalyze(b *testing.B) { benchmarkCases(b, 4<<20, analyze) }

// BenchmarkAnalyzeShort analyzes some twenty lines.
func BenchmarkAnalyzeShort(b *testing.B) { benchmarkCases(b, 0, analyze) }

// BenchmarkSummarize summarizes 4 MB in the format of each labelled log, with
// what failed.
func BenchmarkSummarize(b *testing.B) {
	benchmarkCases(b, 4<<20, func(log string) { logs.Summarize(log, logs.Options{}) })
}

func analyze(log string) { logs.AnalyzeString(log, logs.Options{}) }

func benchmarkCases(b *testing.B, size int, read func(log string)) {
	for _, path := range logPaths(b) {
		name := strings.TrimSuffix(filepath.Base(path), ".log")
		b.Run(name, func(b *testing.B) {
			log := benchmarkLog(b, name, size)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			for b.Loop() {
				read(log)
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
