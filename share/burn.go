package share

import (
	"context"
	"errors"
)

// A share that burns is read once: [Service.TakeLog] or [Service.TakeSnippet]
// deletes it durably before returning it. Of any number of readers, in any
// number of processes, the one whose deletion succeeds gets the content. A
// crash between the deletion and the response loses the content, but never
// returns it twice.

// ErrReadOnce is wrapped by the error for reading a share that burns other than
// by [Service.TakeLog] or [Service.TakeSnippet].
var ErrReadOnce = errors.New("share: this share is read once, and reading deletes it")

// TakeLog is like [Service.Log], but also reads a log that burns, and deletes
// it.
func (s *Service) TakeLog(ctx context.Context, id string) (Log, error) {
	e, err := s.take(ctx, KindLog, id)
	return e.log(id), err
}

// TakeSnippet is like [Service.Snippet], but also reads a snippet that burns,
// and deletes it.
func (s *Service) TakeSnippet(ctx context.Context, id string) (Snippet, error) {
	e, err := s.take(ctx, KindSnippet, id)
	return e.snippet(id), err
}

// take reads a share and deletes it if it burns.
func (s *Service) take(ctx context.Context, kind Kind, id string) (envelope, error) {
	e, err := s.read(ctx, kind, id)
	if err == nil && e.header.Burn {
		err = s.discard(ctx, e, id, e.partKeys(id))
	}
	if err != nil {
		return envelope{}, err
	}
	return e, nil
}

// peek reads a share. For one that burns it returns ErrReadOnce, and neither
// content nor title.
func (s *Service) peek(ctx context.Context, kind Kind, id string) (envelope, error) {
	e, err := s.read(ctx, kind, id)
	if err == nil && e.header.Burn {
		e.content, e.header.Title, e.header.Stats, e.header.Masked = "", "", nil, nil
		return e, ErrReadOnce
	}
	return e, err
}
