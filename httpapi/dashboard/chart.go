package dashboard

// A chart shows a bar for each day, with refused and failed requests stacked on
// the successful ones. Lengths are in units of the SVG.
type chart struct {
	Width, Height int // total size
	Left, Base    int // left edge and baseline of the bars
	Bars          []bar
	Lines         []gridLine
	Empty         bool
}

// A bar shows one day.
type bar struct {
	dayView
	X, Width    int
	Top         int // of the successful requests
	Height      int
	FaultTop    int // of the others, stacked above
	FaultHeight int
	Label       string // below the bar; may be empty
}

// A gridLine marks N requests.
type gridLine struct {
	Y int
	N int64
}

const (
	barStep, barWidth    = 22, 16
	chartLeft            = 52
	chartRight           = 12 // room for labels wider than the last bar
	chartTop, barsHeight = 12, 160
	labelEvery           = 7 // days
)

func newChart(days []dayView) chart {
	c := chart{
		Left: chartLeft, Base: chartTop + barsHeight,
		Width: chartLeft + barStep*len(days) + chartRight, Height: chartTop + barsHeight + 28, Empty: true,
	}
	most := int64(0)
	for _, d := range days {
		most = max(most, d.All())
	}
	c.Empty = most == 0
	top := roundUp(most)
	for i, d := range days {
		good, fault := units(d.OK, top), units(d.All()-d.OK, top)
		b := bar{dayView: d, X: chartLeft + i*barStep + (barStep-barWidth)/2, Width: barWidth, Height: good, FaultHeight: fault}
		b.Top = c.Base - good
		b.FaultTop = b.Top - fault
		if back := len(days) - 1 - i; back%labelEvery == 0 {
			b.Label = d.Day[len("2026-"):]
		}
		c.Bars = append(c.Bars, b)
	}
	for _, n := range []int64{0, top / 2, top} {
		c.Lines = append(c.Lines, gridLine{c.Base - units(n, top), n})
	}
	return c
}

// units returns the height of n requests, where top requests have the full
// height. A nonzero n is always visible.
func units(n, top int64) int {
	if n == 0 || top == 0 {
		return 0
	}
	return max(2, int(n*barsHeight/top))
}

// roundUp returns the smallest number that is at least n and of the form 2, 4
// or 10 times a power of ten.
func roundUp(n int64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, nice := range []int64{2 * step, 4 * step, 10 * step} {
			if n <= nice {
				return nice
			}
		}
	}
}
