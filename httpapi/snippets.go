package httpapi

import (
	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/share"
)

// snippetRequest is the body of POST /api/v1/code-snippet-share.
type snippetRequest struct {
	code    string
	options share.SnippetOptions
}

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

func decodeSnippet(f *fields.Set) snippetRequest {
	f.Require("code", "language")
	return snippetRequest{f.Text("code"), decodeSnippetOptions(f)}
}

// decodeSnippetOptions reads the options in the query of a plain text request.
func decodeSnippetOptions(f *fields.Set) share.SnippetOptions {
	return share.SnippetOptions{
		Language: f.Text("language"),
		Title:    f.Text("title"),
		Expiry:   share.Expiry(f.Word("expiry")),
	}
}

func (s *server) createSnippet(q *request) (response, error) {
	snippet, err := s.shareSnippet(q, q.fields, decodeSnippet(q.fields))
	if err != nil {
		return response{}, err
	}
	return encodeJSON(s.snippetOnWire(q, snippet))
}

// createPlainSnippet shares a snippet sent as plain text.
func (s *server) createPlainSnippet(q *request) (response, error) {
	code, f, err := s.decodeText(q, "language", "title", "expiry", "burn", "encrypted")
	if err != nil {
		return response{}, err
	}
	snippet, err := s.shareSnippet(q, f, snippetRequest{code, decodeSnippetOptions(f)})
	if err == nil && q.prefersJSON() {
		return encodeJSON(s.snippetOnWire(q, snippet))
	}
	return encodeLine(0, s.baseURL(q)+share.KindSnippet.Path(snippet.ID)), err
}

func (s *server) shareSnippet(q *request, f *fields.Set, in snippetRequest) (share.Snippet, error) {
	in.options.IdempotencyKey = decodeIdempotencyKey(q, f)
	in.options.Burn, in.options.Encrypted = decodePrivacy(q, f)
	if f.Faulty() {
		return share.Snippet{}, f.Check(in.options.Validate(in.code))
	}
	in.options.Owner, in.options.MaxExpiry = q.key.ShareOwner(), q.key.MaxExpiry
	snippet, err := s.Shares.CreateSnippet(q.Context(), in.code, in.options)
	q.markReplayed(snippet.Replayed)
	return snippet, err
}

func (s *server) readSnippet(q *request) (response, error) {
	snippet, err := s.Shares.Snippet(q.Context(), q.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	return encodeTagged(snippetResource{s.snippetOnWire(q, snippet), snippet.Code, snippet.Title})
}

// takeSnippet reads a snippet, and deletes it if it is read once.
func (s *server) takeSnippet(q *request) (response, error) {
	snippet, err := s.Shares.TakeSnippet(q.Context(), q.PathValue("id"))
	if err != nil {
		return response{}, err
	}
	return encodeJSON(snippetResource{s.snippetOnWire(q, snippet), snippet.Code, snippet.Title})
}

func (s *server) snippetOnWire(q *request, snippet share.Snippet) snippetCreated {
	url := share.KindSnippet.Path(snippet.ID)
	return snippetCreated{true, snippet.ID, url, s.baseURL(q) + url, snippet.Language, timestampOf(snippet.Expires)}
}
