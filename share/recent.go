package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/store"
)

// The list of shares is an entry beside each share, with the same expiry:
//
//	recent/<13 digits, descending with time>/<log or snippet>/<id>
//
// Its value is the JSON of a [Summary], so that listing reads no content. Both
// entries are made together and deleted together.

const (
	recentPrefix = "recent/"
	// recentEnd is beyond the milliseconds of any share until the year 2286.
	recentEnd    = 9_999_999_999_999
	recentDigits = 13
	// listedTitle is how many code points of a title the list holds.
	listedTitle = 200
)

// Kind tells logs from snippets.
type Kind string

// The kinds of shares.
const (
	KindLog     Kind = "log"
	KindSnippet Kind = "snippet"
)

// key is the key of a store for a share of this kind.
func (k Kind) key(id string) string { return string(k) + "/" + id }

// Summary is a share in the list.
type Summary struct {
	Kind     Kind      `json:"-"`
	ID       string    `json:"-"`
	Title    string    `json:"title,omitempty"` // its first 200 code points
	Format   Format    `json:"format,omitempty"`
	Language string    `json:"language,omitempty"`
	Bytes    int       `json:"bytes"` // of the content
	Owner    string    `json:"owner,omitempty"`
	Created  time.Time `json:"-"` // UTC, to the millisecond
	Expires  time.Time `json:"-"` // zero for never
}

// ErrNoList is returned by a service that keeps no list.
var ErrNoList = errors.New("share: no list is kept")

// Cursor names the place of a share in the list, for [Service.Recent] and
// [Service.Discard].
func (s Summary) Cursor() string {
	return fmt.Sprintf("%0*d/%s/%s", recentDigits, recentEnd-s.Created.UnixMilli(), s.Kind, s.ID)
}

// parseCursor reads a cursor.
func parseCursor(cursor string) (s Summary, ok bool) {
	parts := strings.Split(cursor, "/")
	if len(parts) != 3 || len(parts[0]) != recentDigits || !ValidID(parts[2]) {
		return Summary{}, false
	}
	milli, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil || milli < 0 || !slices.Contains([]Kind{KindLog, KindSnippet}, Kind(parts[1])) {
		return Summary{}, false
	}
	return Summary{Kind: Kind(parts[1]), ID: parts[2], Created: time.UnixMilli(recentEnd - milli).UTC()}, true
}

// Recent returns up to limit shares, those made last first, that come after a
// cursor; the empty cursor is before all. limit must be positive. The error is
// [ErrNoList] without Options.List.
func (s *Service) Recent(ctx context.Context, cursor string, limit int) ([]Summary, error) {
	if s.listed == nil {
		return nil, ErrNoList
	}
	after := ""
	if cursor != "" {
		if _, ok := parseCursor(cursor); !ok {
			return nil, &invalid.Input{Field: "cursor", Reason: "invalid_format", Message: "must be one that the list gave"}
		}
		after = recentPrefix + cursor
	}
	entries, err := s.listed.List(ctx, recentPrefix, after, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Summary, 0, len(entries))
	for _, e := range entries {
		item, err := summaryOf(e)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}

// Listed returns the share at a cursor. The error wraps [ErrNotFound] if the
// list has none there, and is [ErrNoList] without Options.List.
func (s *Service) Listed(ctx context.Context, cursor string) (Summary, error) {
	if s.listed == nil {
		return Summary{}, ErrNoList
	}
	if _, ok := parseCursor(cursor); !ok {
		return Summary{}, ErrNotFound
	}
	entries, err := s.listed.List(ctx, recentPrefix+cursor, "", 1)
	if err != nil {
		return Summary{}, err
	}
	if len(entries) == 0 {
		return Summary{}, ErrNotFound
	}
	return summaryOf(entries[0])
}

func summaryOf(e store.Entry) (Summary, error) {
	item, ok := parseCursor(strings.TrimPrefix(e.Key, recentPrefix))
	if !ok {
		return Summary{}, fmt.Errorf("share: %s is no place in the list", e.Key)
	}
	if err := json.Unmarshal(e.Value, &item); err != nil {
		return Summary{}, fmt.Errorf("share: %s: %w", e.Key, err)
	}
	item.Expires = e.Expires
	return item, nil
}

// Discard deletes the share at a cursor, whoever made it, and its place in the
// list. The error wraps [ErrNotFound] if neither is there.
func (s *Service) Discard(ctx context.Context, cursor string) error {
	if s.store == nil {
		return errNoStore
	}
	item, ok := parseCursor(cursor)
	if !ok {
		return ErrNotFound
	}
	return s.discard(ctx, item)
}

// summary returns what the list holds of a share.
func (e envelope) summary(id string) Summary {
	title := []rune(e.header.Title)
	return Summary{
		Kind: e.kind, ID: id, Title: string(title[:min(len(title), listedTitle)]),
		Format: e.header.Format, Language: e.header.Language, Bytes: len(e.content), Owner: e.header.Owner,
		Created: e.header.Created, Expires: e.header.Expires,
	}
}

// entry returns what puts a share on the list.
func (s Summary) entry() (store.Entry, error) {
	value, err := json.Marshal(s)
	return store.Entry{Key: recentPrefix + s.Cursor(), Value: value, Expires: s.Expires}, err
}
