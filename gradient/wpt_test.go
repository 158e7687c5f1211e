package gradient_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/gradient"
)

// wptCases are expectations of web-platform-tests. Serializations are those of
// computed values; if a colour has two, the newer one.
type wptCases struct {
	Source           string
	Valid            [][2]string
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

func TestParseColor_webPlatformTests(t *testing.T) {
	all := object[wptCases](t, "wpt.json")
	serialized := accepted{t: t}
	for _, c := range all.Valid {
		got, err := gradient.ParseColor(c[0])
		serialized.add(err == nil && got.String() == c[1], "%s: %v %v, want %s", c[0], got, err, c[1])
	}
	serialized.require()

	for _, in := range all.Invalid {
		_, err := gradient.ParseColor(in)
		assert.Error(t, err, in)
	}
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
