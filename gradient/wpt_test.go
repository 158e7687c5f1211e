package gradient_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

// wptCases are expectations of web-platform-tests. Serializations are those of
// computed values; if a colour has two, the newer one.
type wptCases struct {
	Source           string
	Valid, Mixes     [][2]string
	Invalid          []string
	Gradients        [][2]string
	InvalidGradients []string
}

// accepted counts the expectations that hold, and logs the others.
type accepted struct {
	t        *testing.T
	good, of int
}

func (a *accepted) add(good bool, format string, args ...any) {
	a.of++
	if good {
		a.good++
	} else {
		a.t.Logf(format, args...)
	}
}

// require asserts that at least 99 % hold.
func (a *accepted) require() {
	a.t.Logf("%d of %d hold", a.good, a.of)
	require.GreaterOrEqual(a.t, float64(a.good), 0.99*float64(a.of))
}

func TestParseWideColor_webPlatformTests(t *testing.T) {
	all := object[wptCases](t, "wpt.json")
	serialized := accepted{t: t}
	for _, c := range all.Valid {
		got, err := gradient.ParseWideColor(c[0])
		serialized.add(err == nil && got.String() == c[1], "%s: %v %v, want %s", c[0], got, err, c[1])
	}
	serialized.require()

	mixed := accepted{t: t}
	for _, c := range all.Mixes {
		got, err := gradient.ParseWideColor(c[0])
		want, wantErr := gradient.ParseWideColor(c[1])
		require.NoError(t, wantErr, c[1])
		mixed.add(err == nil && sameColor(got, want), "%s: %v %v, want %s", c[0], got, err, c[1])
	}
	mixed.require()

	for _, in := range all.Invalid {
		_, err := gradient.ParseWideColor(in)
		assert.Error(t, err, in)
	}
}

// sameColor compares two colours up to the rounding of the expectations.
func sameColor(a, b gradient.Color) bool {
	x, y := a.In(gradient.SRGB), b.In(gradient.SRGB)
	for i := range x.Components {
		if math.Abs(x.Components[i]-y.Components[i]) > 0.01*max(1, math.Abs(y.Components[i])) {
			return false
		}
	}
	return math.Abs(x.Alpha-y.Alpha) <= 0.01
}

// The expected serializations omit positions, which CSS never does. The test
// therefore parses both: they must be the same gradient, also when read from
// CSS.
func TestParseIn_webPlatformTests(t *testing.T) {
	all := object[wptCases](t, "wpt.json")
	box := gradient.Box{Width: 300, Height: 200}
	serialized := accepted{t: t}
	for _, c := range all.Gradients {
		got, err := gradient.ParseIn(c[0], box)
		want, wantErr := gradient.ParseIn(c[1], box)
		require.NoError(t, wantErr, c[1])
		back, backErr := gradient.Parse(got.CSS())
		serialized.add(err == nil && backErr == nil && assert.ObjectsAreEqual(want, got) && assert.ObjectsAreEqual(want, back), "%s: %v %v", c[0], got.CSS(), err)
	}
	serialized.require()
	for _, in := range all.InvalidGradients {
		_, err := gradient.ParseIn(in, box)
		assert.Error(t, err, in)
	}
}
