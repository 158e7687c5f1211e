package dashboard

import (
	"math"
	"net/http"
	"time"

	"github.com/devkiln/devkiln/httpapi/apikey"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/usage"
)

// keyDays is the number of days that the page of a key shows.
const keyDays = 30

// keyPageView is the content of the page of one key.
type keyPageView struct {
	page
	Key        keyView
	Revocable  bool
	Total      usage.Sum
	Chart      chart
	Operations useTable
	Days       []dayView // with requests, latest first
}

// useTable is the use of operations or keys, busiest first.
type useTable struct {
	Head  string // of the first column
	Rows  []useRow
	Names map[string]apikey.Key // of rows that are keys
}

// useRow is the use of an operation or a key.
type useRow struct {
	Name string // of an operation, or the ID of a key
	usage.Sum
}

// dayView is the use of a day.
type dayView struct {
	Day string
	usage.Sum
}

func (s *site) keyPage(r *http.Request, current session) (*layout.Response, error) {
	k, err := s.findKey(r, current)
	if err != nil {
		return nil, err
	}
	now := s.Now().UTC()
	counts, err := s.Usage.OfDays(r.Context(), k.ID, now, keyDays)
	if err != nil {
		return nil, err
	}
	days := usage.SumBy(counts, func(c usage.Count) string { return c.Day })
	v := keyPageView{
		page: current.page("keys"), Key: s.keyView(k, days[usage.Day(now)].Taken()), Revocable: !k.Static && k.Live(now),
		Operations: operations(counts), Chart: newChart(lastDays(now, days)),
	}
	v.Total = usage.SumBy(counts, func(usage.Count) string { return "" })[""]
	for _, d := range v.Chart.Days {
		if d.All() > 0 {
			v.Days = append([]dayView{d}, v.Days...)
		}
	}
	return s.show(http.StatusOK, "key-page", k.Name, v)
}

// lastDays returns the last keyDays days, oldest first, including days without
// requests.
func lastDays(now time.Time, sums map[string]usage.Sum) []dayView {
	days := make([]dayView, keyDays)
	for i := range days {
		name := usage.Day(now.AddDate(0, 0, i-keyDays+1))
		days[i] = dayView{name, sums[name]}
	}
	return days
}

// operations sums counts by operation.
func operations(counts []usage.Count) useTable {
	return useTable{Head: "Operation", Rows: busiest(usage.SumBy(counts, func(c usage.Count) string { return c.Operation }), math.MaxInt)}
}

// busiest returns the rows with the most requests, up to the limit most.
func busiest(sums map[string]usage.Sum, limit int) []useRow {
	var rows []useRow
	for _, name := range usage.Busiest(sums) {
		rows = append(rows, useRow{name, sums[name]})
	}
	return rows[:min(limit, len(rows))]
}

// A chart shows a bar for each day, with refused and failed requests stacked on
// the successful ones. A unit of its SVG is a day wide and a request high.
type chart struct {
	Days []dayView
	Top  int64 // requests at the top; 0 if there are none
}

func newChart(days []dayView) chart {
	highest := int64(0)
	for _, d := range days {
		highest = max(highest, d.All())
	}
	return chart{days, roundUp(highest)}
}

// roundUp returns the smallest number that is at least n and of the form 2, 4
// or 10 times a power of ten, and 0 for 0.
func roundUp(n int64) int64 {
	for step := int64(1); n > 0; step *= 10 {
		for _, nice := range []int64{2 * step, 4 * step, 10 * step} {
			if n <= nice {
				return nice
			}
		}
	}
	return 0
}
