package listing

import (
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/share/logs"
)

// framesInSight is the number of visible frames of a stack trace.
const framesInSight = 3

// FoldsOf returns the folds of a log: sections of a build, open if they contain
// an error, and stack traces after their first frames.
func FoldsOf(content string, options logs.Options) []Fold {
	var all []Fold
	for _, s := range logs.Sections(content, options) {
		label := layout.Plural(s.End-s.Start, "line")
		if s.Duration > 0 {
			label += " · " + s.Duration.Round(time.Second/10).String()
		}
		all = append(all, Fold{Range: Range{From: s.Start + 1, To: s.End}, Label: label, Open: s.Level >= logs.LevelError})
	}
	frames, last := 0, 0
	end := func() {
		if hidden := frames - framesInSight; hidden > 1 {
			all = append(all, Fold{Range: Range{From: last - hidden + 1, To: last}, Label: layout.Plural(hidden, "more frame")})
		}
		frames = 0
	}
	for line := range logs.Lines(content) {
		if !line.Frame {
			end()
			continue
		}
		frames++
		last = line.Number
	}
	end()
	return all
}

// AreRecords reports whether most of the first lines of a log are JSON with a
// level or a message.
func AreRecords(content string) bool {
	seen, found := 0, 0
	for line := range logs.Lines(content) {
		if line.Text == "" {
			continue
		}
		if r, ok := logs.ParseRecord(line.Text); ok && r.Level+r.Message != "" {
			found++
		}
		if seen++; seen == sampleLines {
			break
		}
	}
	return 2*found > seen
}

// sampleLines is the number of lines that AreRecords examines.
const sampleLines = 32
