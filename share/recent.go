package share

import (
	"cmp"
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

// The list of shares has an entry for each share, with the same expiry:
//
//	recent/<13 digits, descending with time>/<log or snippet>/<id>
//
// Its value is the JSON of a [Summary], so that listing reads no content. A
// share and its list entry are created together and deleted together.

const (
	recentPrefix = "recent/"
	// recentEnd exceeds the creation time of any share before 2286, in ms.
	recentEnd    = 9_999_999_999_999
	recentDigits = 13
	// listedTitle is the maximum length of a listed title in code points.
	listedTitle = 200
)

// Kind tells logs from snippets.
type Kind string

// The kinds of shares.
const (
	KindLog     Kind = "log"
	KindSnippet Kind = "snippet"
)

// key returns the store key of a share of this kind.
func (k Kind) key(id string) string { return string(k) + "/" + id }

// Path returns the path of a share's page, such as /logs/4gyvm6pt90hk4r7z.
func (k Kind) Path(id string) string { return "/" + string(k) + "s/" + id }

// ParsePath parses the path of a share's page.
func ParsePath(path string) (kind Kind, id string, ok bool) {
	for _, kind := range []Kind{KindLog, KindSnippet} {
		if id, found := strings.CutPrefix(path, kind.Path("")); found {
			return kind, id, ValidID(id)
		}
	}
	return "", "", false
}

// Summary describes a share in the list.
type Summary struct {
	Kind      Kind      `json:"-"`
	ID        string    `json:"-"`
	Title     string    `json:"title,omitempty"` // the first 200 code points of the title
	Format    Format    `json:"format,omitempty"`
	Language  string    `json:"language,omitempty"`
	Bytes     int       `json:"bytes"` // length of the content
	Owner     string    `json:"owner,omitempty"`
	Burn      bool      `json:"burn,omitempty"` // the share is read once
	Encrypted bool      `json:"encrypted,omitempty"`
	Created   time.Time `json:"-"` // UTC, to the millisecond
	Expires   time.Time `json:"-"` // zero means never
}

// ErrNoList is returned by a service without [Options].List.
var ErrNoList = errors.New("share: shares are not listed")

// Cursor returns the position of the share in the list, for [Service.Find] and
// [Service.Discard].
func (s Summary) Cursor() string {
	return fmt.Sprintf("%0*d/%s/%s", recentDigits, recentEnd-s.Created.UnixMilli(), s.Kind, s.ID)
}

// parseCursor parses a cursor.
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

// Bounds of [Service.Find].
const (
	MaxFound     = 1000 // shares in a page
	defaultFound = 50
	maxVisited   = 10_000 // list entries that one call reads
	visitPage    = 1000
)

// Query selects the shares that [Service.Find] returns. The zero value selects
// the 50 newest.
type Query struct {
	Kind  Kind   // "" means both
	Owner string // "" means any owner
	Text  string // a substring of the first 200 code points of the title, ignoring case
	After string // [Page.Next] of the previous page; "" for the first
	Limit int    // the maximum number of shares, 1 to [MaxFound]; 0 means 50
}

// Validate returns nil if the query is valid, and otherwise joins an error for
// each invalid input: kind, after or limit.
func (q Query) Validate() error {
	var faults []error
	if q.Kind != "" && q.Kind != KindLog && q.Kind != KindSnippet {
		faults = append(faults, &invalid.Fault{Field: "kind", Reason: "not_one_of", Message: "must be log or snippet"})
	}
	if _, ok := parseCursor(q.After); q.After != "" && !ok {
		faults = append(faults, &invalid.Fault{Field: "after", Reason: "invalid_format", Message: "must be the next of a page"})
	}
	if q.Limit < 0 || q.Limit > MaxFound {
		faults = append(faults, &invalid.Fault{Field: "limit", Reason: "out_of_range", Message: fmt.Sprintf("must be from 1 to %d", MaxFound)})
	}
	return errors.Join(faults...)
}

// Page is a page of the list of shares.
type Page struct {
	Shares []Summary // newest first
	Next   string    // the After of the next page; "" on the last page
}

// Find returns the shares that match a query. One call examines up to 10,000
// list entries: a page may hold fewer shares than its limit, or none, and still
// have a Next. The error is that of [Query.Validate], the store's, or
// [ErrNoList] without [Options].List.
func (s *Service) Find(ctx context.Context, q Query) (Page, error) {
	if !s.lists {
		return Page{}, ErrNoList
	}
	if err := q.Validate(); err != nil {
		return Page{}, err
	}
	limit, after, page := cmp.Or(q.Limit, defaultFound), q.After, Page{}
	for visited, n := 0, limit+1; visited < maxVisited; visited, n = visited+n, visitPage {
		entries, err := s.backend.List(ctx, recentPrefix, recentPrefix+after, n)
		if err != nil {
			return Page{}, err
		}
		for _, e := range entries {
			item, err := summaryOf(e)
			if err != nil {
				return Page{}, err
			}
			if !q.matches(item) {
				continue
			}
			if len(page.Shares) == limit {
				page.Next = page.Shares[limit-1].Cursor()
				return page, nil
			}
			page.Shares = append(page.Shares, item)
		}
		if len(entries) < n {
			return page, nil
		}
		after = strings.TrimPrefix(entries[len(entries)-1].Key, recentPrefix)
	}
	page.Next = after
	return page, nil
}

// matches reports whether item meets the query.
func (q Query) matches(item Summary) bool {
	return (q.Kind == "" || q.Kind == item.Kind) && (q.Owner == "" || q.Owner == item.Owner) &&
		strings.Contains(strings.ToLower(item.Title), strings.ToLower(q.Text))
}

// Listed returns the share at a cursor. The error wraps [ErrNotFound] if the
// list has none there, and is [ErrNoList] without [Options].List.
func (s *Service) Listed(ctx context.Context, cursor string) (Summary, error) {
	if !s.lists {
		return Summary{}, ErrNoList
	}
	if _, ok := parseCursor(cursor); !ok {
		return Summary{}, ErrNotFound
	}
	entries, err := s.backend.List(ctx, recentPrefix+cursor, "", 1)
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
		return Summary{}, fmt.Errorf("share: %s is not a position in the list", e.Key)
	}
	if err := json.Unmarshal(e.Value, &item); err != nil {
		return Summary{}, fmt.Errorf("share: %s: %w", e.Key, err)
	}
	item.Expires = e.Expires
	return item, nil
}

// Discard deletes the share at a cursor, whoever owns it, and its list entry.
// The error wraps [ErrNotFound] if neither exists.
func (s *Service) Discard(ctx context.Context, cursor string) error {
	item, ok := parseCursor(cursor)
	if !ok {
		return ErrNotFound
	}
	e, err := s.read(ctx, item.Kind, item.ID)
	if errors.Is(err, store.ErrUnavailable) {
		return err
	}
	parts := e.partKeys(item.ID)
	if err != nil && s.backend != nil {
		if parts, err = s.existingParts(ctx, item.ID); err != nil {
			return err
		}
	}
	e.kind, e.header.Created = item.Kind, item.Created // set even if the share is gone or damaged
	return s.discard(ctx, e, item.ID, parts)
}

// existingParts returns the keys of a log's parts if its head is unreadable.
func (s *Service) existingParts(ctx context.Context, id string) (keys []string, err error) {
	for e, err := range store.All(ctx, s.backend, partPrefix+id+"/") {
		if err != nil {
			return nil, err
		}
		keys = append(keys, e.Key)
	}
	return keys, nil
}

// summary returns the list's summary of a share.
func (e envelope) summary(id string) Summary {
	title := []rune(e.header.Title)
	return Summary{
		Kind: e.kind, ID: id, Title: string(title[:min(len(title), listedTitle)]),
		Format: e.header.Format, Language: e.header.Language, Bytes: e.bytes(), Owner: e.header.Owner,
		Burn: e.header.Burn, Encrypted: e.header.Encrypted, Created: e.header.Created, Expires: e.header.Expires,
	}
}

// entry returns the store entry that lists a share.
func (s Summary) entry() (store.Entry, error) {
	value, err := json.Marshal(s)
	return store.Entry{Key: recentPrefix + s.Cursor(), Value: value, Expires: s.Expires}, err
}
