package dashboard

import (
	"net/http"
	"strings"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/store"
)

// eventsShown is the number of audit events that the page shows.
const eventsShown = 200

// activityView is the content of the activity page.
type activityView struct {
	page
	Failures []failureRow
	Events   []eventView
}

// failureRow is a failed request.
type failureRow struct {
	usage.Failure
	Name string // of the key
}

// eventView is an audit event.
type eventView struct {
	audit.Event
	Did  string
	Name string // of the actor
	On   string // object of the event
}

// eventLabels maps kinds of events to labels.
var eventLabels = map[audit.Kind]string{
	audit.SignedIn: "Signed in", audit.SignInRefused: "Wrong password", audit.PasswordSet: "Set the password",
	audit.KeyCreated: "Made a key", audit.KeyRevoked: "Revoked a key", audit.Deleted: "Deleted",
}

func (s *site) activity(r *http.Request, current session) (response, error) {
	names, err := s.keyNames(r.Context())
	if err != nil {
		return response{}, err
	}
	events, err := s.trail.Latest(r.Context(), eventsShown)
	if err != nil {
		return response{}, err
	}
	v := activityView{page: current.page("activity"), Failures: failureRows(s.Usage.Failures(), names)}
	for _, e := range events {
		shown := eventView{Event: e, Did: eventLabels[e.Kind], Name: ownerName(e.Actor, names), On: e.Object}
		switch k, ok := names[e.Object]; {
		case ok:
			shown.On = k.Name
		case e.Kind == audit.Deleted:
			shown.On = strings.ReplaceAll(e.Object, " ", ", ")
		}
		v.Events = append(v.Events, shown)
	}
	return response{view: "activity", title: "Activity", content: v}, nil
}

// failureRows adds the names of the keys to failures.
func failureRows(failures []usage.Failure, names map[string]apikey.Key) []failureRow {
	var rows []failureRow
	for _, f := range failures {
		rows = append(rows, failureRow{f, ownerName(f.Key, names)})
	}
	return rows
}

// ownerName returns the display name of an owner or of a key ID.
func ownerName(owner string, names map[string]apikey.Key) string {
	if k, ok := names[owner]; ok {
		return k.Name
	}
	if name, ok := apikey.UserOf(owner); ok {
		return name
	}
	if owner == Owner {
		return "Dashboard"
	}
	return owner
}

// record adds an event to the audit trail. A failure is only logged, because
// the action is already done.
func (s *site) record(r *http.Request, kind audit.Kind, who, what string) {
	err := s.trail.Add(r.Context(), audit.Event{At: s.Now(), Kind: kind, Actor: who, Object: what, From: s.ClientAddr(r)})
	if err != nil {
		s.Log.WarnContext(r.Context(), "an event is missing in the audit trail", "kind", kind, "error", err)
	}
}

// visitAgain limits the events of visits by proxy users: one per user and
// address within the idle time of a session.
var visitAgain = store.Limits{Window: sessionIdle, PerWindow: 1}

const visitPrefix = "visit/" // + owner + "/" + address

func (s *site) recordVisit(r *http.Request, owner string) error {
	visit := visitPrefix + owner + "/" + origin.LimitKey(s.ClientAddr(r))
	first, err := s.Backend.Take(r.Context(), visit, s.Now(), visitAgain)
	if err == nil && first.Taken {
		s.record(r, audit.SignedIn, owner, "")
	}
	return err
}
