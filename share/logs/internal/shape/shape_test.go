package shape_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

// TestGrouper_shapes reads testdata/shapes.tsv. All messages go through one
// Grouper, which must keep different shapes apart.
func TestGrouper_shapes(t *testing.T) {
	data, err := os.ReadFile("testdata/shapes.tsv")
	require.NoError(t, err)
	var g shape.Grouper
	seen := map[int]string{}
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "# ") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		group := g.Add(cells[1])
		require.NotContains(t, seen, group, cells[1])
		seen[group] = cells[0]
		for _, message := range cells[2:] {
			assert.Equal(t, group, g.Add(message), message)
		}
	}
	for group, want := range seen {
		got, _ := g.Shape(group)
		assert.Equal(t, want, got)
	}
}

// Any number of shapes takes a bounded number of groups and bytes.
func TestGrouper_bounded(t *testing.T) {
	var g shape.Grouper
	var before, after runtime.MemStats
	letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8", "i", "9", "j")
	runtime.GC()
	runtime.ReadMemStats(&before)
	last := 0
	for i := range 100_000 {
		last = max(last, g.Add(letters.Replace(fmt.Sprintf("%d word %d ends", i, i*7))))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.LessOrEqual(t, last, 4096)
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(8<<20))
	assert.Zero(t, g.Add("a shape like no other"))
}
