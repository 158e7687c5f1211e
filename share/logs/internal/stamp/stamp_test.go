package stamp_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// TestParse reads testdata/stamps.tsv.
func TestParse(t *testing.T) {
	data, err := os.ReadFile("testdata/stamps.tsv")
	require.NoError(t, err)
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		require.Len(t, cells, 2, row)
		text, rest, _ := strings.Cut(cells[1], "»")
		var s stamp.Stamp
		n := stamp.Parse([]byte(text+rest), &s)
		if cells[0] == "-" {
			assert.Zero(t, n, row)
			assert.False(t, s.OK, row)
			continue
		}
		assert.Equal(t, text, (text + rest)[:n], row)
		assert.True(t, s.OK, row)
		assert.Equal(t, cells[0], s.Time(nil, time.Time{}).Format(time.RFC3339Nano), row)
		s.Shift(3)
		assert.Equal(t, [...]int32{3, int32(3 + n)}, [...]int32{s.Start, s.End}, row)
	}
}

func TestParseCompact(t *testing.T) {
	for text, want := range map[string]string{
		"0501 10:00:00.123456 7 a.go:1]": "0000-05-01T10:00:00.123456Z", "240501 10:00:00.5 7": "2024-05-01T10:00:00.5Z", "20240501 10:00:00 7": "2024-05-01T10:00:00Z",
		"1301 10:00:00.1 7": "", "0501-10:00:00": "", "050110:00:00.1": "", "": "",
	} {
		var s stamp.Stamp
		n := stamp.ParseCompact([]byte(text), &s)
		assert.Equal(t, want != "", n > 0, text)
		if want != "" {
			assert.Equal(t, want, s.Time(nil, time.Time{}).Format(time.RFC3339Nano), text)
		}
	}
}

// A year that a stamp does not state is the latest that is not after now, and
// unclear dates are not after now either.
func TestStamp_Time_now(t *testing.T) {
	now := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"Mar  1 10:00:00": "2024-03-01", "Mar  2 10:00:00": "2024-03-02", "Mar  3 10:00:00": "2023-03-03", "Dec 31 10:00:00": "2023-12-31",
		"Feb 29 10:00:00": "2024-02-29", "25-12-23 10:00:00": "2023-12-25", "10:00:00 x": "0000-01-01",
	} {
		var s stamp.Stamp
		require.Positive(t, stamp.Parse([]byte(text), &s), text)
		assert.Equal(t, want, s.Time(nil, now).Format(time.DateOnly), text)
	}
	var s stamp.Stamp
	stamp.Parse([]byte("2024-05-01 10:00:00"), &s)
	assert.Equal(t, 8, s.Time(time.FixedZone("", 2*3600), now).Hour())
}

func TestStamp_Inherit(t *testing.T) {
	var dated, clock stamp.Stamp
	stamp.Parse([]byte("2024-05-31T23:59:00+02:00"), &dated)
	stamp.Parse([]byte("23:59:30 x"), &clock)
	clock.Inherit(&dated)
	assert.Equal(t, "2024-05-31T21:59:30Z", clock.Time(nil, time.Time{}).Format(time.RFC3339))
	stamp.Parse([]byte("00:01:00 x"), &clock)
	clock.Inherit(&dated)
	assert.Equal(t, "2024-05-31T22:01:00Z", clock.Time(nil, time.Time{}).Format(time.RFC3339), "the clock has wrapped around")
	clock.Inherit(&stamp.Stamp{})
	assert.Equal(t, 3, clock.Fullness())
}

func TestStamp_Fullness(t *testing.T) {
	for text, want := range map[string]int{"": 0, "10:00:00 x": 1, "May  1 10:00:00": 2, "2024-05-01 10:00:00": 3, "1714557600": 3} {
		var s stamp.Stamp
		stamp.Parse([]byte(text), &s)
		assert.Equal(t, want, s.Fullness(), text)
		assert.Equal(t, want > 1, s.HasDate(), text)
	}
}
