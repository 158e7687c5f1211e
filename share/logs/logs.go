// Package logs understands the text of logs: where an entry begins and ends,
// its level and its timestamp, and the format of the whole. It needs no
// description of the format and no store.
//
// Start with [AnalyzeString] or, for a log that is not in memory, [Analyze].
// [Lines] returns each line with the level of its entry.
//
// To find the cause of a failure, [Summarize] says what went wrong in ten lines,
// [Groups] puts messages of one shape together, and [Compare] finds what is new
// since another log, [Diff] line by line. For pages, [Histogram] counts over time,
// [Sections] returns the parts of a CI job, and [ParseRecord] the columns of a line
// of JSON. All want the log in memory, but for [SummarizeParts] and
// [HistogramParts].
//
// Levels and timestamps are found by the place that they stand in. Which words
// and columns count may change between versions, the meaning of the fields does
// not.
package logs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"
)

// Level is the severity of a log entry. Levels are ordered: a greater one is
// more severe. The zero Level is LevelNone.
type Level uint8

// The levels, from "the line says nothing about it" to the most severe. Every
// logger's own words are mapped onto these: critical, alert, emergency and
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

var levelNames = [...]string{"none", "trace", "debug", "info", "warning", "error", "fatal"}

// String returns the level in lower case: "none", "trace", "debug", "info",
// "warning", "error" or "fatal".
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// MarshalText returns the level as String does, so that it is a string in JSON.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("logs: no level: %q", text)
	}
	*l = Level(i)
	return nil
}

// Options says how to read timestamps that leave something out. The
// zero value reads them as UTC and leaves unknown years unknown.
type Options struct {
	// Location is the zone of timestamps that name none. Nil means UTC.
	Location *time.Location
	// Now gives a year to timestamps that name none, as those of RFC 3164
	// syslog: the latest year in which the timestamp is at most a day after
	// Now. When Now is zero such a timestamp keeps the year 0.
	Now time.Time
}

// Analysis is what a log holds. An entry is one message of the log: the line
// at its head and the lines that continue it, such as a stack trace. Each
// entry is counted once, under the level of its head, so that
//
//	Fatal + Errors + Warnings + Info + Debug + Trace + Other == Entries
//
// Blank lines are lines, but never entries.
type Analysis struct {
	// Format is the name of the format that most of the first 32 entries have.
	// It is meant for people, and names may be added. These exist:
	//
	//	access, airflow, android, apache-error, buildkit, bunyan, cisco,
	//	docker-compose, docker-json, ecs, esp-idf, gelf, github-actions, glog, java, jenkins,
	//	journald-export, journald-json, json (one value or several, over many
	//	lines), json-lines, kernel, kubectl, kubernetes-cri, laravel, logfmt,
	//	mongodb, mongodb-json, mysql, nginx-error, otlp, pino, postgresql, python,
	//	rails, redis, ruby, rust-tracing, rust-tracing-json, slog,
	//	syslog-rfc3164, syslog-rfc5424, zap, zap-console, zerolog
	//
	// Any other log is "text" if its lines state levels or timestamps, and
	// "plain" if they do not.
	Format string `json:"format"`
	// Lines counts the lines, a last one without a line feed included.
	Lines int `json:"lines"`
	// Bytes counts all bytes.
	Bytes int64 `json:"bytes"`
	// Entries counts the entries, and MultiLine those of more than one line.
	Entries   int `json:"entries"`
	MultiLine int `json:"multiLine"`
	// Entries by level; Other counts those that state no level.
	Fatal    int `json:"fatal"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
	Debug    int `json:"debug"`
	Trace    int `json:"trace"`
	Other    int `json:"other"`
	// FromStatus counts the entries among Errors and Warnings whose level was
	// taken from the status of an HTTP access log: 5xx is an error, 4xx a
	// warning, anything else is Other.
	FromStatus int `json:"fromStatus"`
	// FirstTimestamp and LastTimestamp are those of the first and the last
	// entry that have one, in the order of the lines. They are in UTC, and zero
	// (see [time.Time.IsZero]) when no entry has one. A timestamp that names
	// its zone or offset is converted; one that does not is taken to be in
	// [Options].Location. The year 0 says that a part of the date is not
	// known: month and day are right if the log states them, else January 1st.
	FirstTimestamp time.Time `json:"firstTimestamp"`
	LastTimestamp  time.Time `json:"lastTimestamp"`
	// FirstErrorLine is the number, from 1, of the first line whose entry is
	// an error or fatal; 0 when there is none.
	FirstErrorLine int `json:"firstErrorLine"`
}

// MarshalJSON implements [json.Marshaler]: a timestamp that is not known is null.
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
	// Text is the line without its line end (LF or CRLF), colour codes and all.
	Text string
	// Level is that of the entry that the line belongs to.
	Level Level
	// Head reports whether the line starts an entry.
	Head bool
	// FromStatus reports whether Level was taken from the status in an access log.
	FromStatus bool
	// TimeStart and TimeEnd are where the timestamp of the line stands in Text,
	// in bytes, with its zone and without brackets around it. Both are 0 where
	// there is none.
	TimeStart, TimeEnd int
	// Frame reports whether the line is part of a stack trace: a frame, or the
	// source that is shown with it. What was thrown is none.
	Frame bool
}

// maxAnalyzed is how many bytes of a line are looked at. What follows is
// counted and otherwise ignored, so that memory stays bounded.
const maxAnalyzed = 64 << 10

// Analyze reads a log to its end and says what it holds. It reads in one pass,
// with memory that does not grow with the input: of a line longer than 64 KiB
// only the beginning is looked at. Any bytes are legal input, but only UTF-8 is
// understood, see [UTF8]. The error is that of the reader, and the Analysis then covers what was read before it.
func Analyze(r io.Reader, opts Options) (Analysis, error) {
	return analyze(bufio.NewReaderSize(r, maxAnalyzed), opts)
}

// AnalyzeString is [Analyze] for a log that is in memory.
func AnalyzeString(log string, opts Options) Analysis {
	a, _ := analyze(bufio.NewReaderSize(strings.NewReader(log), min(len(log)+1, maxAnalyzed)), opts)
	return a
}

// analyze reads lines of up to the size of the buffer.
func analyze(br *bufio.Reader, opts Options) (Analysis, error) {
	var t tracker
	for {
		line, err := br.ReadSlice('\n')
		if len(line) > 0 {
			t.bytes += int64(len(line))
			t.line(line)
		}
		if err == nil {
			continue
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = br.ReadSlice('\n')
			t.bytes += int64(len(line))
		}
		if errors.Is(err, io.EOF) {
			return t.analysis(opts), nil
		}
		if err != nil {
			return t.analysis(opts), err
		}
	}
}

// Lines returns the lines of a log in order, each with the level of its
// entry, as Analyze counts them. It allocates nothing per line. Where a format
// states the level below the head of an entry, as java.util.logging does on its
// second line, Level is right from that line on.
func Lines(log string) iter.Seq[Line] {
	return new(tracker).read(whole(log))
}

// Stats is what the API's log share returns as "stats" when the client sent
// none. Errors, Warnings, Info, Debug and Other count entries, not lines: an
// error with a stack trace of 40 lines is one error. Fatal entries are counted
// among Errors and trace entries in Debug, so that the five add up to the
// entries of the log.
type Stats struct {
	Lines    int `json:"lines"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
	Debug    int `json:"debug"`
	Other    int `json:"other"`
	// Timestamps are RFC 3339 in UTC with milliseconds, and nil when the log
	// has none or does not tell the year.
	FirstTimestamp *string `json:"firstTimestamp"`
	LastTimestamp  *string `json:"lastTimestamp"`
}

// Stats sums the analysis up in the API's terms.
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

// UTF8 returns a reader of a log as UTF-8. One that starts with the byte order mark
// of UTF-16, as PowerShell writes what > redirects, is decoded, with U+FFFD for what
// is no character; any other is returned as it is. It reads the first two bytes at
// once, and holds 4 KiB.
func UTF8(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if mark, _ := b.Peek(2); string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(b)
	}
	return b
}
