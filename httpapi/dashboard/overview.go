package dashboard

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/usage"
	"github.com/devkiln/devkiln/share"
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
	Failures   []failures
	LiveKeys   int
	Shares     int
	MoreShares bool  // not all were counted
	Disk       int64 // bytes
}

func (s *site) overview(r *http.Request, current session) (*layout.Response, error) {
	ctx, now := r.Context(), s.Now()
	keys, err := s.keysOf(ctx, current)
	if err != nil {
		return nil, err
	}
	counts, err := s.countsOf(ctx, current, keys)
	if err != nil {
		return nil, err
	}
	days := usage.SumBy(counts, func(c usage.Count) string { return c.Day })
	names := byID(keys)
	v := overviewView{
		page: current.page("overview"), Today: days[usage.Day(now)], Chart: newChart(lastDays(now.UTC(), days)),
		Failures: s.failuresOf(current, names),
	}
	v.Names = names
	v.Busiest = useTable{"Key", busiest(usage.SumBy(counts, func(c usage.Count) string { return c.Key }), keysOnTop), names}
	v.Attention = attentionTo(keys, counts, s.Usage.Failures(), now)
	v.Operations = operations(slices.DeleteFunc(counts, func(c usage.Count) bool { return c.Day != usage.Day(now) }))
	v.LiveKeys = len(slices.DeleteFunc(keys, func(k apikey.Key) bool { return !k.Live(now) }))
	shares, err := s.Shares.Find(ctx, share.Query{Owner: current.scope(), Limit: share.MaxFound})
	if err != nil {
		return nil, err
	}
	v.Shares, v.MoreShares = len(shares.Shares), shares.Next != ""
	if v.Disk, err = s.Backend.Size(ctx); err != nil {
		return nil, err
	}
	return s.show(http.StatusOK, "overview", "Overview", v)
}

// attention is a key that an operator should look at.
type attention struct {
	ID, Name, Why string
}

// soon is how long before its end a key is pointed out.
const soon = 7 * 24 * time.Hour

// attentionTo returns the live keys of which half of today's requests failed, or
// a tenth and at least ten, and those that expire soon.
func attentionTo(keys []apikey.Key, counts []usage.Count, failed []usage.Failure, now time.Time) (all []attention) {
	today := usage.SumBy(slices.DeleteFunc(slices.Clone(counts), func(c usage.Count) bool { return c.Day != usage.Day(now) }), func(c usage.Count) string { return c.Key })
	for _, k := range keys {
		used := today[k.ID]
		switch {
		case !k.Live(now):
		case used.All() > 0 && 2*used.OK <= used.All(), used.All()-used.OK >= 10 && 10*used.OK <= 9*used.All():
			why := layout.Thousands(used.All()-used.OK) + " of " + layout.Plural(int(used.All()), "request") + " failed today"
			if i := slices.IndexFunc(failed, func(f usage.Failure) bool { return f.Key == k.ID && usage.Day(f.At) == usage.Day(now) }); i >= 0 {
				why += ", last at " + failed[i].At.UTC().Format("15:04") + " UTC: " + failed[i].Code
			}
			all = append(all, attention{k.ID, k.Name, why})
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
		return s.Usage.OfDays(ctx, "", s.Now(), keyDays)
	}
	now := s.Now()
	all, err := s.Usage.OfDays(ctx, current.owner, now, keyDays)
	for _, k := range keys {
		if err == nil && (k.Live(now) || now.Sub(k.LastUsed) <= keyDays*24*time.Hour) { // of others there may be thousands
			var counts []usage.Count
			counts, err = s.Usage.OfDays(ctx, k.ID, now, keyDays)
			all = append(all, counts...)
		}
	}
	return all, err
}

// failures are equal failures that follow each other: the last of them.
type failures struct {
	usage.Failure
	Count int
}

// grouped returns failures in groups of equal neighbours.
func grouped(all []usage.Failure) (groups []failures) {
	for i, f := range all {
		if i == 0 || all[i-1] != (usage.Failure{At: all[i-1].At, RequestID: all[i-1].RequestID, Key: f.Key, Operation: f.Operation, Status: f.Status, Code: f.Code, Field: f.Field}) {
			groups = append(groups, failures{Failure: f})
		}
		groups[len(groups)-1].Count++
	}
	return groups
}

// failuresOf returns the last failures that the user may see.
func (s *site) failuresOf(current session, names map[string]apikey.Key) []failures {
	all := grouped(slices.DeleteFunc(s.Usage.Failures(), func(f usage.Failure) bool {
		_, ok := names[f.Key]
		return !ok && !current.admin
	}))
	return all[:min(failuresShown, len(all))]
}
