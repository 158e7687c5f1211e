package dashboard

import (
	"net/http"

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

func (s *site) overview(r *http.Request, _ session) (response, error) {
	ctx, now := r.Context(), s.Now()
	counts, err := s.Usage.OfDay(ctx, usage.Day(now))
	if err != nil {
		return response{}, err
	}
	v := overviewView{page: page{"overview"}, Operations: operations(counts)}
	for _, c := range counts {
		v.Today.Add(c)
	}
	keys, err := s.Keys.List(ctx)
	if err != nil {
		return response{}, err
	}
	for _, k := range keys {
		if k.Live(now) {
			v.LiveKeys++
		}
	}
	if v.Shares, v.MoreShares, err = s.liveShares(ctx); err != nil {
		return response{}, err
	}
	if v.Disk, err = s.Backend.Size(ctx); err != nil {
		return response{}, err
	}
	return response{view: "overview", title: "Overview", content: v}, nil
}
