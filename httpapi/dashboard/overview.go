package dashboard

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/usage"
)

const (
	keysOnTop     = 5
	failuresShown = 10
	// attentionShown limits the keys that are pointed out.
	attentionShown = 10
)

// overviewView is the content of the start page.
type overviewView struct {
	page
	Today      usage.Sum
	Attention  []attention
	Operations useTable
	Chart      chart
	Busiest    useTable // keys, over 30 days
	Failures   []failureRow
	LiveKeys   int
	Shares     int
	MoreShares bool  // not all were counted
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
	days := usage.SumBy(counts, func(c usage.Count) string { return c.Day })
	names := byID(keys)
	v := overviewView{
		page: current.page("overview"), Today: days[usage.Day(now)], Chart: newChart(lastDays(now.UTC(), days)),
		Busiest: busiestKeys(counts, names), Failures: failureRows(s.failuresOf(current, names), names),
	}
	v.Attention = attentionTo(keys, counts, now)
	v.Operations = operations(slices.DeleteFunc(counts, func(c usage.Count) bool { return c.Day != usage.Day(now) }))
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

// attention is a key that an operator should look at.
type attention struct {
	ID, Name, Why string
}

// soon is how long before its end a key is pointed out.
const soon = 7 * 24 * time.Hour

// attentionTo returns the live keys of which half of today's requests failed,
// and those that expire soon.
func attentionTo(keys []apikey.Key, counts []usage.Count, now time.Time) (all []attention) {
	today := usage.SumBy(slices.DeleteFunc(slices.Clone(counts), func(c usage.Count) bool { return c.Day != usage.Day(now) }), func(c usage.Count) string { return c.Key })
	for _, k := range keys {
		used := today[k.ID]
		switch {
		case !k.Live(now):
		case used.All() > 0 && 2*used.OK <= used.All():
			all = append(all, attention{k.ID, k.Name, layout.Thousands(used.All()-used.OK) + " of " + layout.Plural(int(used.All()), "request") + " failed today"})
		case !k.Expires.IsZero() && k.Expires.Sub(now) < soon:
			all = append(all, attention{k.ID, k.Name, "expires in " + layout.Until(k.Expires, now)})
		}
	}
	return all[:min(attentionShown, len(all))]
}

// countsOf returns the recent counts that the user may see: all of them, or
// those of the user and the user's keys.
func (s *site) countsOf(ctx context.Context, current session, keys []apikey.Key) ([]usage.Count, error) {
	if current.admin {
		return s.Usage.OfDays(ctx, s.Now(), keyDays)
	}
	now := s.Now()
	all, err := s.Usage.OfKey(ctx, current.owner, now, keyDays)
	for _, k := range keys {
		if !k.Live(now) && now.Sub(k.LastUsed) > keyDays*24*time.Hour {
			continue // there may be thousands
		}
		if err != nil {
			return nil, err
		}
		var counts []usage.Count
		counts, err = s.Usage.OfKey(ctx, k.ID, now, keyDays)
		all = append(all, counts...)
	}
	return all, err
}

// busiestKeys returns the keys with the most requests.
func busiestKeys(counts []usage.Count, names map[string]apikey.Key) useTable {
	sums := usage.SumBy(counts, func(c usage.Count) string { return c.Key })
	delete(sums, "") // keys beyond each day's busiest, which are counted together
	rows := busiest(sums, keysOnTop)
	for i, row := range rows {
		rows[i].Name = ownerName(row.Name, names)
		if k, ok := names[row.Name]; ok {
			rows[i].Path = "/dashboard/keys/" + k.ID
		}
	}
	return useTable{"Key", rows}
}

// failuresOf returns the last failures that the user may see.
func (s *site) failuresOf(current session, names map[string]apikey.Key) []usage.Failure {
	failures := slices.DeleteFunc(s.Usage.Failures(), func(f usage.Failure) bool {
		_, ok := names[f.Key]
		return !ok && !current.admin
	})
	return failures[:min(failuresShown, len(failures))]
}
