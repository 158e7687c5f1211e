package dashboard

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/store"
)

// activityView is the content of the activity page.
type activityView struct {
	page
	Attention []attention
	Failures  []failures
	Events    []audit.Event
}

// eventLabels maps kinds of events to labels.
var eventLabels = map[audit.Kind]string{
	audit.SignedIn: "Signed in", audit.SignInRefused: "Wrong password", audit.PasswordSet: "Set the password",
	audit.KeyCreated: "Made a key", audit.KeyRevoked: "Revoked a key", audit.Deleted: "Deleted",
}

func (s *site) activity(r *http.Request, current session) (*layout.Response, error) {
	failed := s.Usage.Failures()
	v := activityView{page: current.page("activity"), Failures: grouped(failed)}
	keys, err := s.Keys.List(r.Context())
	if err != nil {
		return nil, err
	}
	counts, err := s.Usage.OfDays(r.Context(), "", s.Now(), 1)
	if err != nil {
		return nil, err
	}
	v.Names, v.Attention = byID(keys), attentionTo(keys, counts, failed, s.Now())
	if v.Events, err = s.trail.Latest(r.Context(), 200); err != nil {
		return nil, err
	}
	return s.show(http.StatusOK, "activity", "Activity", v)
}

// ownerName returns the display name of an owner or of a key ID.
func ownerName(owner string, names map[string]apikey.Key) string {
	if k, ok := names[owner]; ok {
		return k.Name
	}
	switch name, ok := apikey.UserOf(owner); {
	case ok:
		return name
	case owner == adminOwner:
		return "Dashboard"
	case strings.HasPrefix(owner, "public/"):
		return "A visitor"
	}
	return owner
}

// ownerPath returns the path of what an owner or a key ID names, or "".
func ownerPath(owner string, names map[string]apikey.Key) string {
	if _, ok := names[owner]; ok {
		return "/dashboard/keys/" + owner
	}
	if _, ok := apikey.UserOf(owner); ok {
		return "/dashboard/shares?" + url.Values{"owner": {owner}}.Encode()
	}
	return ""
}

// record adds an event to the audit trail. A failure is only logged, because
// the action is already done.
func (s *site) record(r *http.Request, kind audit.Kind, who, what string) {
	err := s.trail.Add(r.Context(), audit.Event{At: s.Now(), Kind: kind, Actor: who, Object: what, From: origin.ClientAddr(r, s.TrustedProxies)})
	if err != nil {
		s.Log.WarnContext(r.Context(), "an event is missing in the audit trail", "kind", kind, "error", err)
	}
}

// visitAgain limits the events of visits by proxy users: one per user and
// address within the life of a session.
var visitAgain = store.Limits{Window: sessionLife, PerWindow: 1}

const visitPrefix = "visit/" // + owner + "/" + address

func (s *site) recordVisit(r *http.Request, owner string) error {
	visit := visitPrefix + owner + "/" + origin.LimitKey(origin.ClientAddr(r, s.TrustedProxies))
	first, err := store.Take(r.Context(), s.Backend, visit, s.Now(), visitAgain)
	if err == nil && first.Taken {
		s.record(r, audit.SignedIn, owner, "")
	}
	return err
}
