package httpapi

import (
	"context"

	"github.com/devkiln/devkiln/share"
)

// snippetRequest is the body of POST /api/v1/code-snippet-share.
type snippetRequest struct {
	code    string
	options share.SnippetOptions
}

// snippetCreated answers it.
type snippetCreated struct {
	Success   bool       `json:"success"`
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	FullURL   string     `json:"fullUrl"`
	Language  string     `json:"language"`
	ExpiresAt *timestamp `json:"expiresAt"`
}

// snippetResource answers GET /api/v1/code-snippet-share/{id}.
type snippetResource struct {
	snippetCreated
	Code  string `json:"code"`
	Title string `json:"title"`
}

func decodeSnippet(f *fields) snippetRequest {
	f.required("code", "language")
	return snippetRequest{f.text("code"), share.SnippetOptions{
		Language: f.text("language"),
		Title:    f.text("title"),
		Expiry:   share.Expiry(f.word("expiry")),
	}}
}

func checkSnippet(in snippetRequest) error { return in.options.Validate(in.code) }

func (s *server) createSnippet(ctx context.Context, c caller, in snippetRequest) (snippetCreated, error) {
	in.options.Owner = c.key.ID
	snippet, err := s.Shares.CreateSnippet(ctx, in.code, in.options)
	if err != nil {
		return snippetCreated{}, err
	}
	return snippetOnWire(c, snippet), nil
}

func (s *server) readSnippet(ctx context.Context, c caller) (snippetResource, error) {
	snippet, err := s.Shares.Snippet(ctx, c.request.PathValue("id"))
	if err != nil {
		return snippetResource{}, err
	}
	return snippetResource{snippetOnWire(c, snippet), snippet.Code, snippet.Title}, nil
}

func (s *server) deleteSnippet(ctx context.Context, c caller) (deleted, error) {
	return deletion(s.Shares.DeleteSnippet(ctx, c.request.PathValue("id"), c.key.ID))
}

func snippetOnWire(c caller, snippet share.Snippet) snippetCreated {
	url := "/snippets/" + snippet.ID
	return snippetCreated{true, snippet.ID, url, c.base() + url, snippet.Language, timestampOf(snippet.Expires)}
}
