package share

import (
	"context"
	"errors"
	"time"

	"github.com/devkiln/devkiln/internal/language"
)

// Limits of a snippet.
const (
	MaxSnippetCode  = 100_000 // code points of code
	MaxSnippetTitle = 100     // code points of a title
)

// SnippetOptions configures how a snippet is stored. The zero value detects the
// language and stores the snippet for 24 hours. To mask the secrets of one
// snippet, pass the code that Secrets of package share/mask returns.
type SnippetOptions struct {
	// Language is a language's name or alias in any case, such as "go", "C++"
	// or "js". For "auto", the empty string and unknown names, the language is
	// detected from the code.
	Language string
	Title    string // at most [MaxSnippetTitle] code points
	Expiry   Expiry // 1h, 24h (the default), 7d, 30d or never
	Owner    string // who may delete the snippet; free text, such as the id of an API key
	Burn     bool   // the snippet is read once, by [Service.TakeSnippet]

	// Encrypted says that the code was returned by [seal.Seal]: its language is
	// "text", whatever Language says, and nothing is masked. Title must be
	// empty.
	Encrypted bool

	// MaxExpiry shortens any longer expiry, including never, like
	// Options.MaxExpiry does for all shares. Zero means no additional maximum;
	// it must not be negative.
	MaxExpiry time.Duration

	// IdempotencyKey, if not empty, ensures that the snippet is made once per
	// owner: a repeated request within 24 hours returns the snippet as it
	// was made, even if it has since been deleted. It has at most
	// 255 printable ASCII characters, and requires a
	// [store.Backend].
	IdempotencyKey string
}

// Snippet is a shared piece of code.
type Snippet struct {
	Info

	Code     string
	Language string // in lower case; as given if known, else detected; "text" if nothing fits
}

// Validate returns nil if a snippet with this code and these options can be
// made. It otherwise joins an error for each invalid input: code, title,
// expiry, maxExpiry or Idempotency-Key.
func (o SnippetOptions) Validate(code string) error {
	return errors.Join(
		checkContent("code", code, MaxSnippetCode, o.Encrypted),
		checkText("title", o.Title, titleLimit(MaxSnippetTitle, o.Encrypted)),
		checkExpiry(o.Expiry, snippetExpiries),
		checkMaxExpiry(o.MaxExpiry),
		checkIdempotencyKey(o.IdempotencyKey),
	)
}

// CreateSnippet stores a snippet and returns it as it reads back. If an input
// is invalid, it stores nothing and returns the error of
// [SnippetOptions.Validate]. With an IdempotencyKey it may return
// [ErrKeyReused] or [ErrInFlight]. Any other error is the store's.
func (s *Service) CreateSnippet(ctx context.Context, code string, o SnippetOptions) (Snippet, error) {
	if err := o.Validate(code); err != nil {
		return Snippet{}, err
	}
	e := envelope{kind: KindSnippet, content: code, header: header{Language: language.Text, Info: Info{Owner: o.Owner, Burn: o.Burn, Encrypted: o.Encrypted}}}
	s.date(&e.header, o.Expiry, o.MaxExpiry)
	r := newReceipt(e.header.Info, o.IdempotencyKey, string(KindSnippet), code, o.Language, o.Title, string(o.Expiry))
	if !o.Encrypted {
		e.header.Language = language.Resolve(o.Language, code, "")
		e.content = s.mask(false, code, MaxSnippetCode, &e.header.Masked)
		e.header.Title = s.mask(false, o.Title, MaxSnippetTitle, &e.header.Masked)
	}
	id, err := s.create(ctx, &e, r)
	if err != nil {
		return Snippet{}, err
	}
	return e.snippet(id), nil
}

// Snippet returns the snippet with this id. The error wraps [ErrNotFound] if it
// does not exist or has expired, and [ErrReadOnce] if it burns; the Snippet
// returned in the last case has no code and no title.
func (s *Service) Snippet(ctx context.Context, id string) (Snippet, error) {
	e, err := s.peek(ctx, KindSnippet, id)
	return e.snippet(id), err
}

func (e envelope) snippet(id string) Snippet {
	e.header.ID = id
	return Snippet{e.header.Info, e.content, e.header.Language}
}
