package shape_test

import (
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs/internal/shape"
)

var loghub = flag.String("loghub", "", "directory of logpai/loghub, whose *_2k.log_structured.csv are read at any depth")

// TestGrouper_accuracy measures grouping accuracy on the labelled logs of
// logpai/loghub (Zhu et al., "Tools and Benchmarks for Automated Log Parsing",
// ICSE 2019): the proportion of messages whose group equals that of their
// template. The logs are not included; clone the repository and give its path.
func TestGrouper_accuracy(t *testing.T) {
	if *loghub == "" {
		t.Skip("-loghub names no directory")
	}
	var paths []string
	for _, pattern := range []string{"*_2k.log_structured.csv", "*/*_2k.log_structured.csv"} {
		found, err := filepath.Glob(filepath.Join(*loghub, pattern))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	require.NotEmpty(t, paths)
	sum := 0.0
	for _, path := range paths {
		accuracy := groupingAccuracy(t, path)
		t.Logf("%.3f %s", accuracy, filepath.Base(path))
		sum += accuracy
	}
	mean := sum / float64(len(paths))
	t.Logf("%.3f in the mean of %d", mean, len(paths))
	require.GreaterOrEqual(t, mean, 0.87)
}

func groupingAccuracy(t *testing.T, path string) float64 {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	content, event := slices.Index(rows[0], "Content"), slices.Index(rows[0], "EventId")
	require.GreaterOrEqual(t, min(content, event), 0)
	rows = rows[1:]
	var grouper shape.Grouper
	labelled, grouped := map[string][]int{}, map[int][]int{}
	for i, row := range rows {
		labelled[row[event]] = append(labelled[row[event]], i)
		group := grouper.Add(row[content])
		grouped[group] = append(grouped[group], i)
	}
	right := 0
	for _, lines := range grouped {
		if slices.Equal(lines, labelled[rows[lines[0]][event]]) {
			right += len(lines)
		}
	}
	return float64(right) / float64(len(rows))
}
