// Package logs analyses the text of logs: it finds the entries, their levels
// and timestamps, and the format of the log. It needs no format description and
// no store.
//
// Start with [Failures] for the output of a build, a test or a command: it returns
// what failed. [Summarize] adds what any log tells about a cause, and
// [AnalyzeString] counts entries by level, [Analyze] those of a log that is not in
// memory. [Lines] yields each line with the level of its entry.
//
// To find the cause of a failure, [Summarize] describes in ten lines what went
// wrong and groups messages of the same shape, [Compare] finds what is
// new since another log, and [Diff] compares two logs line by line. For
// display, [Histogram] counts entries over time, [Sections] returns the parts
// of a CI job, and [ParseRecord] splits a line of JSON into columns. All of
// these require the log in memory except [SummarizeParts] and [CompareParts].
//
// Levels and timestamps are recognized by their position. Which words and
// columns count may change between versions; the meaning of the fields will
// not.
package logs

import (
	"bufio"
	"encoding/json"
	"io"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/devkiln/devkiln/share/logs/internal/head"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// Level is the severity of a log entry. Levels are ordered: a greater one is
// more severe. The zero Level is LevelNone.
type Level uint8

// The levels, from no stated level to the most severe. Every
// logger's own names are mapped onto these: critical, alert, emergency and
// panic are LevelFatal, severe is LevelError, notice is LevelInfo, verbose and
// finer are LevelTrace.
const (
	LevelNone Level = iota
	LevelTrace
	LevelDebug
	LevelInfo
	LevelWarning
	LevelError
	LevelFatal
)

// String returns the level in lower case: "none", "trace", "debug", "info",
// "warning", "error" or "fatal".
func (l Level) String() string { return level.Level(l).String() }

// MarshalText returns the text of [Level.String], so that a level is a string
// in JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText parses the text of [Level.MarshalText].
func (l *Level) UnmarshalText(text []byte) error { return (*level.Level)(l).UnmarshalText(text) }

// Options configures how incomplete timestamps are read. The zero value reads
// them as UTC and leaves unknown years unknown.
type Options struct {
	// Location is the zone of timestamps without one. Nil means UTC.
	Location *time.Location
	// Now determines the year of timestamps without one, such as those of RFC
	// 3164 syslog: the latest year in which the timestamp is at most a day
	// after Now. If Now is zero, such timestamps keep the year 0.
	Now time.Time
	// Bars is the maximum number of bars of a summary's histogram, 0 for none.
	Bars int
}

// time returns the time of a stamp.
func (o Options) time(s *stamp.Stamp) time.Time { return s.Time(o.Location, o.Now) }

// Analysis is the result of [Analyze]. An entry is one message of the log: its
// head line and the lines that continue it, such as a stack trace. Each entry
// is counted once, under the level of its head, so that
//
//	Fatal + Errors + Warnings + Info + Debug + Trace + Other == Entries
//
// Blank lines are lines, but never entries.
type Analysis struct {
	// Format is the name of the format that most of the first 32 entries have.
	// It is meant for people, and names may be added. The names are those of
	// formats.tsv, which docs/logs.md lists with a line of each.
	//
	// Any other log is "text" if its lines state levels or timestamps, and
	// "plain" if they do not.
	Format string `json:"format"`
	// Lines counts the lines, including a last one without a line feed.
	Lines int `json:"lines"`
	// Bytes counts all bytes.
	Bytes int64 `json:"bytes"`
	// Entries counts the entries, and MultiLine those of more than one line.
	Entries   int `json:"entries"`
	MultiLine int `json:"multiLine"`
	// These count the entries by level; Other counts those that state no level.
	Fatal    int `json:"fatal"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
	Debug    int `json:"debug"`
	Trace    int `json:"trace"`
	Other    int `json:"other"`
	// FromStatus counts the entries of Errors and Warnings whose level was
	// derived from the status in an HTTP access log: 5xx is an error, 4xx a
	// warning, and any other status counts as Other.
	FromStatus int `json:"fromStatus"`
	// FirstTimestamp and LastTimestamp are those of the first and the last
	// entry that have one, in the order of the lines. They are in UTC, and zero
	// (see [time.Time.IsZero]) if no entry has one. A timestamp without a zone
	// or offset is taken to be in [Options].Location. The year 0 means that
	// part of the date is unknown: month and day are correct if the log states
	// them, else January 1st.
	FirstTimestamp time.Time `json:"firstTimestamp"`
	LastTimestamp  time.Time `json:"lastTimestamp"`
	// FirstErrorLine is the number, from 1, of the first line whose entry is an
	// error or fatal; 0 if there is none.
	FirstErrorLine int `json:"firstErrorLine"`
}

// MarshalJSON implements [json.Marshaler]. Unknown timestamps are null.
func (a Analysis) MarshalJSON() ([]byte, error) {
	type analysis Analysis
	wire := struct {
		analysis
		FirstTimestamp *time.Time `json:"firstTimestamp"`
		LastTimestamp  *time.Time `json:"lastTimestamp"`
	}{analysis: analysis(a)}
	if !a.FirstTimestamp.IsZero() {
		wire.FirstTimestamp, wire.LastTimestamp = &a.FirstTimestamp, &a.LastTimestamp
	}
	return json.Marshal(wire)
}

// Line is one line of a log.
type Line struct {
	// Number counts from 1.
	Number int
	// Text is the line without its line end (LF or CRLF), but with colour
	// codes.
	Text string
	// Level is the level of the entry that the line belongs to.
	Level Level
	// Head reports whether the line starts an entry.
	Head bool
	// FromStatus reports whether Level was derived from the status in an access
	// log.
	FromStatus bool
	// Frame reports whether the line is part of a stack trace: a frame, or
	// source code shown with it. The line that names the exception is not one.
	Frame bool
	// TimeStart and TimeEnd are the byte offsets in Text of the line's
	// timestamp, including its zone but not brackets around it. Both are 0 if
	// there is none.
	TimeStart, TimeEnd int
}

// maxAnalyzed is the number of bytes of a line that are examined. The rest is
// counted and otherwise ignored, so that memory stays bounded.
const maxAnalyzed = 64 << 10

// maxHead is the number of bytes of a line that are searched for what it states.
const maxHead = head.MaxLen

// Stats is the "stats" object that the HTTP API returns for a log if the client
// sent none. Errors, Warnings, Info, Debug and Other count entries, not lines:
// an error with a stack trace of 40 lines is one error. Fatal entries count as
// Errors and trace entries as Debug, so that the five add up to the entries of
// the log.
type Stats struct {
	Lines    int `json:"lines"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
	Debug    int `json:"debug"`
	Other    int `json:"other"`
	// FirstTimestamp and LastTimestamp are RFC 3339 in UTC with milliseconds,
	// and nil if the log has none or does not state the year.
	FirstTimestamp *string `json:"firstTimestamp"`
	LastTimestamp  *string `json:"lastTimestamp"`
}

// Stats returns the analysis in the form of the HTTP API.
func (a Analysis) Stats() Stats {
	return Stats{
		Lines:          a.Lines,
		Errors:         a.Errors + a.Fatal,
		Warnings:       a.Warnings,
		Info:           a.Info,
		Debug:          a.Debug + a.Trace,
		Other:          a.Other,
		FirstTimestamp: wireTime(a.FirstTimestamp),
		LastTimestamp:  wireTime(a.LastTimestamp),
	}
}

func wireTime(t time.Time) *string {
	if t.IsZero() || t.Year() < 1 || t.Year() > 9999 {
		return nil
	}
	return new(t.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
}

// UTF8 returns a reader of the log r as UTF-8. A log that starts with a UTF-16
// byte order mark, such as PowerShell writes for >, is decoded, with U+FFFD for
// invalid characters; any other log is returned unchanged. UTF8 reads the first
// two bytes immediately, and buffers 4 KiB.
func UTF8(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(2); string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(b)
	}
	return b
}
