package dashboard

import (
	"context"
	"net/http"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/usage"
)

// overviewView is the content of the first page.
type overviewView struct {
	page
	Today      usage.Sum
	Operations []operationView
	LiveKeys   int
	Shares     int
	MoreShares bool  // than were counted
	Disk       int64 // bytes
}

func (s *site) overview(r *http.Request, current session) (response, error) {
	ctx, now := r.Context(), s.Now()
	keys, err := s.keysOf(ctx, current)
	if err != nil {
		return response{}, err
	}
	counts, err := s.countsOf(ctx, current, keys)
	if err != nil {
		return response{}, err
	}
	v := overviewView{page: current.page("overview"), Operations: operations(counts)}
	for _, c := range counts {
		v.Today.Add(c)
	}
	for _, k := range keys {
		if k.Live(now) {
			v.LiveKeys++
		}
	}
	if v.Shares, v.MoreShares, err = s.liveShares(ctx, current.scope()); err != nil {
		return response{}, err
	}
	if v.Disk, err = s.Backend.Size(ctx); err != nil {
		return response{}, err
	}
	return response{view: "overview", title: "Overview", content: v}, nil
}

// countsOf returns today's counts of what somebody sees: everything, or their
// keys and what they have shared without one.
func (s *site) countsOf(ctx context.Context, current session, keys []apikey.Key) ([]usage.Count, error) {
	if current.admin {
		return s.Usage.OfDay(ctx, usage.Day(s.Now()))
	}
	ids := []string{current.owner}
	for _, k := range keys {
		ids = append(ids, k.ID)
	}
	var all []usage.Count
	for _, id := range ids {
		counts, err := s.Usage.OfKey(ctx, id, s.Now(), 1)
		if err != nil {
			return nil, err
		}
		all = append(all, counts...)
	}
	return all, nil
}
