package httpapi

import (
	"context"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
)

// snippetCreated is the response to a snippetRequest.
type snippetCreated struct {
	Success   bool       `json:"success"`
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	FullURL   string     `json:"fullUrl"`
	Language  string     `json:"language"`
	ExpiresAt *timestamp `json:"expiresAt"`
}

// snippetResource is the response to GET /api/v1/code-snippet-share/{id}.
type snippetResource struct {
	snippetCreated
	Code  string `json:"code"`
	Title string `json:"title"`
}

func (s *server) createSnippet(q *request) (response, error) {
	q.fields.Require("code", "language")
	return s.shareSnippet(q, q.fields, q.fields.Text("code"))
}

// createPlainSnippet shares a snippet sent as plain text.
func (s *server) createPlainSnippet(q *request) (response, error) {
	code, f, err := s.decodeText(q, "language", "title", "expiry", "burn", "encrypted")
	if err != nil {
		return response{}, err
	}
	return s.shareSnippet(q, f, code)
}

func (s *server) shareSnippet(q *request, f *fields.Set, code string) (response, error) {
	o := share.SnippetOptions{Language: f.Text("language"), Title: f.Text("title"), Expiry: share.Expiry(f.Word("expiry"))}
	o.Burn, o.Encrypted, o.IdempotencyKey = s.decodePrivacy(q, f)
	o.Owner, o.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	if f.Faulty() {
		return response{}, f.Check(o.Validate(code))
	}
	snippet, err := s.Shares.CreateSnippet(q.Context(), code, o)
	return s.created(q, share.KindSnippet.Path(snippet.ID), snippet.Replayed, s.snippetOnWire(q, snippet), err)
}

// readSnippet is readLog for a snippet.
func readSnippet(read func(*share.Service, context.Context, string) (share.Snippet, error)) operation {
	return func(s *server, q *request) (response, error) {
		snippet, err := read(s.Shares, q.Context(), q.PathValue("id"))
		if err != nil {
			return response{}, err
		}
		return encodeTagged(q, snippetResource{s.snippetOnWire(q, snippet), snippet.Code, snippet.Title})
	}
}

func (s *server) snippetOnWire(q *request, snippet share.Snippet) snippetCreated {
	url := share.KindSnippet.Path(snippet.ID)
	return snippetCreated{true, snippet.ID, url, s.baseURL(q) + url, snippet.Language, timestampOf(snippet.Expires)}
}
