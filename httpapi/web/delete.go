package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/share"
)

// Whoever shares without a key owns the share nevertheless: the page after
// sharing has a link that deletes it. The token in that link is not stored; the
// owner of the share is its hash.

// visitorOwner returns the owner of what a visitor shares with a token.
func visitorOwner(token string) string {
	sum := sha256.Sum256([]byte(token))
	return PublicOwner + "/" + hex.EncodeToString(sum[:16])
}

// askDelete shows a button that deletes a share. It does not reveal whether the
// share exists.
func (s *site) askDelete(r *http.Request) (*layout.Response, error) {
	a, err := s.Render("delete", layout.Page{Title: "Delete this share?", Private: true, Content: r.URL.Query().Get("token")})
	if err != nil {
		return nil, err
	}
	return a.NameOrigin(), nil
}

// deleted tells that a share was deleted.
var deleted = layout.Failure{
	Status: http.StatusOK, Title: "The share is deleted",
	Text: "Its link stopped working, and nothing of it is kept.",
}

// deleteShare returns the handler that deletes shares of a kind.
func (s *site) deleteShare(kind share.Kind) handler {
	return func(r *http.Request) (*layout.Response, error) {
		if s.foreign(r) != nil {
			return nil, layout.Foreign
		}
		if err := s.Shares.Delete(r.Context(), kind, r.PathValue("id"), visitorOwner(r.URL.Query().Get("token"))); err != nil {
			return nil, err
		}
		return nil, deleted
	}
}
