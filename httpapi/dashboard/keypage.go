package dashboard

import (
	"math"
	"net/http"
	"time"

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
	Head string // of the first column
	Rows []useRow
}

// useRow is the use of an operation or a key.
type useRow struct {
	Name string
	Path string // of its page; may be empty
	usage.Sum
	Share int // percent of the busiest
}

// dayView is the use of a day.
type dayView struct {
	Day string
	usage.Sum
}

func (s *site) keyPage(r *http.Request, current session) (response, error) {
	k, err := s.findKey(r, current)
	if err != nil {
		return response{}, err
	}
	now := s.Now().UTC()
	counts, err := s.Usage.OfKey(r.Context(), k.ID, now, keyDays)
	if err != nil {
		return response{}, err
	}
	days := usage.SumBy(counts, func(c usage.Count) string { return c.Day })
	v := keyPageView{
		page: current.page("keys"), Key: s.keyView(k, days[usage.Day(now)].Taken()), Revocable: !k.Static && k.Live(now),
		Operations: operations(counts), Chart: newChart(lastDays(now, days)),
	}
	for _, d := range v.Chart.Bars {
		for _, c := range counts {
			if c.Day == d.Day {
				v.Total.Add(c)
			}
		}
		if d.All() > 0 {
			v.Days = append([]dayView{d.dayView}, v.Days...)
		}
	}
	return response{view: "key-page", title: k.Name, content: v}, nil
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
	return useTable{"Operation", busiest(usage.SumBy(counts, func(c usage.Count) string { return c.Operation }), math.MaxInt)}
}

// busiest returns the rows with the most requests, up to the limit most.
func busiest(sums map[string]usage.Sum, most int) []useRow {
	var rows []useRow
	for _, name := range usage.Busiest(sums) {
		v := useRow{Name: name, Sum: sums[name], Share: 100}
		if len(rows) > 0 {
			v.Share = int(100 * v.All() / rows[0].All())
		}
		rows = append(rows, v)
	}
	return rows[:min(most, len(rows))]
}
