package share

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/store"
)

// A log longer than MaxLogContent is stored in parts, which are ordinary
// entries:
//
//	log/<id>               the head: an envelope of version 2 whose content is the
//	                       JSON of a LargeLog
//	part/<id>/<4 digits>   the parts: envelopes like those of small logs
//
// One CreateAll writes the head, its parts, its list entry and its receipt. All
// but the receipt expire together, and one DeleteAll deletes them. So neither a
// crash nor an aborted upload leaves a part without its head, no cleanup is
// needed, and a store needs no new operation. In return an upload holds its
// compressed parts in memory until it is complete: about a tenth of the text,
// and never more than Options.MaxLogBytes, see LogWriter.Held.

// Bounds of a log in parts.
const (
	// DefaultLogBytes is the maximum length of a log in bytes unless
	// [Options].MaxLogBytes sets another.
	DefaultLogBytes = 32 << 20
	// LogBytesLimit is the largest [Options].MaxLogBytes.
	LogBytesLimit = 1 << 30
	// MaxLogLines is the maximum number of lines of a log in parts: with the
	// shortest lines, analysing as many takes 2 seconds.
	MaxLogLines = 1_500_000

	partBytes    = 512 << 10 // maximum text of a part
	lookAround   = 64 << 10  // searched before and after its end for a place to cut
	keptGroups   = 50        // groups in the summary
	keptFailures = 20
	chartBars    = 60 // bars of the histogram
)

// ErrLarge is wrapped by the error of [Service.Log] for a log in parts; use
// [Service.OpenLog] for it.
var ErrLarge = errors.New("share: the log is in parts")

// LargeLog describes a log in parts, and is available without reading them.
type LargeLog struct {
	Bytes int64     `json:"bytes"` // total of all parts
	Parts []LogPart `json:"parts"`
	// Summary is the one of package logs with at most 50 groups and 20 failures, and Histogram
	// has at most 60 bars. Both describe the stored text.
	Summary   logs.Summary `json:"summary"`
	Histogram []logs.Bar   `json:"histogram"`
}

// Bytes returns the length of the text in bytes.
func (l Log) Bytes() int { return envelope{content: l.Content, large: l.Large}.bytes() }

// LogPart is one part of a log. It ends at the end of an entry if possible.
type LogPart struct {
	Number int `json:"number"` // number in its key
	Line   int `json:"line"`   // number of its first line, which may continue one of the previous part
	Bytes  int `json:"bytes"`  // length of its text
}

// PartOf returns the index of the part in which a line starts, or that of the
// last part for a line beyond the end.
func (l *LargeLog) PartOf(line int) int {
	i, _ := slices.BinarySearchFunc(l.Parts, line, func(p LogPart, line int) int {
		if p.Line > line {
			return 1
		}
		return -1
	})
	return max(0, i-1)
}

const partPrefix = "part/"

func partKey(id string, number int) string {
	return fmt.Sprintf("%s%s/%04d", partPrefix, id, number)
}

// partKeys returns the store keys of the parts of a log.
func (e envelope) partKeys(id string) []string {
	if e.large == nil {
		return nil
	}
	keys := make([]string, len(e.large.Parts))
	for i, p := range e.large.Parts {
		keys[i] = partKey(id, p.Number)
	}
	return keys
}

// existingParts returns the keys of a log's parts if its head is
// unreadable.
func (s *Service) existingParts(ctx context.Context, id string) (keys []string, err error) {
	for e, err := range store.All(ctx, s.backend, partPrefix+id+"/") {
		if err != nil {
			return nil, err
		}
		keys = append(keys, e.Key)
	}
	return keys, nil
}

// OpenLog is [Service.Log] for logs of any size: a log in parts has a non-nil
// Large and no Content.
func (s *Service) OpenLog(ctx context.Context, id string) (Log, error) {
	e, err := s.peek(ctx, KindLog, id)
	return e.log(id), err
}

// LogPart returns the text of part i of a log that [Service.OpenLog] returned.
// The error wraps [ErrNotFound] once the log is gone.
func (s *Service) LogPart(ctx context.Context, l Log, i int) (string, error) {
	if s.store == nil {
		return "", errNoStore
	}
	key := partKey(l.ID, l.Large.Parts[i].Number)
	value, err := s.store.Get(ctx, key)
	if errors.Is(err, store.ErrNotFound) {
		return "", fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err != nil {
		return "", err
	}
	e, err := unpack(s.decoder, key, value)
	if err != nil {
		return "", fmt.Errorf("share: %s: %w", key, err)
	}
	return e.content, nil
}

// LogText yields the text of a log that [Service.OpenLog] returned, part by
// part. It stops at the first error.
func (s *Service) LogText(ctx context.Context, l Log) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if l.Large == nil {
			yield(l.Content, nil)
			return
		}
		for i := range l.Large.Parts {
			text, err := s.LogPart(ctx, l, i)
			if !yield(text, err) || err != nil {
				return
			}
		}
	}
}

// CreateLogFrom stores a log of any size, which it reads from r to the end. It
// is [Service.NewLog] with the text of r, which may be UTF-16 as [logs.UTF8]
// reads it. It returns errors of r unchanged.
func (s *Service) CreateLogFrom(ctx context.Context, r io.Reader, o LogOptions) (Log, error) {
	w := s.NewLog(o)
	if _, err := io.Copy(w, logs.UTF8(r)); err != nil {
		return Log{}, err
	}
	return w.Create(ctx)
}

// MaxLogBytes returns the maximum length in bytes of a log of this service, see
// [Options].
func (s *Service) MaxLogBytes() int64 { return max(s.maxLog, 4*MaxLogContent) }

// UTF8Error is the error for text that is not valid UTF-8.
type UTF8Error struct {
	Offset int64 // offset of the first invalid byte, counted from 0
}

// Error implements error.
func (e *UTF8Error) Error() string { return "content: must be valid UTF-8" }

// Invalid returns the field and the reason of the error.
func (e *UTF8Error) Invalid() (field, reason string) { return "content", "invalid_format" }

// InvalidFields returns the message of the field.
func (e *UTF8Error) InvalidFields() map[string]string {
	return map[string]string{"content": "must be valid UTF-8"}
}

func tooLong(format string, args ...any) error {
	return &invalid.Input{Field: "content", Reason: "too_long", Message: fmt.Sprintf(format, args...)}
}
