package share_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/store"
)

// Each log has its own statistics, cached or not.
func TestStats_manyLogs(t *testing.T) {
	s, _ := newService(store.NewMemory())
	ids := make([]string, 100)
	for i := range ids {
		log, err := s.CreateLog(t.Context(), strings.Repeat("a\n", 1+i*i), share.LogOptions{})
		require.NoError(t, err)
		ids[i] = log.ID
	}
	for range 2 {
		for i, id := range ids {
			log, err := s.Log(t.Context(), id)
			require.NoError(t, err)
			require.Contains(t, string(s.Stats(log)), fmt.Sprintf(`"lines":%d,`, 1+i*i))
			require.Equal(t, new(share.Service).Stats(log), s.Stats(log))
		}
	}
}
