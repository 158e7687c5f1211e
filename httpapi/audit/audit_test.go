package audit_test

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/audit"
	"github.com/devkiln/devkiln/store"
)

// A flood of one kind of event evicts only the oldest events of that kind.
func TestTrail_aKindPushesOutItself(t *testing.T) {
	trail, now := audit.New(store.NewMemory()), time.Now()
	first := audit.Event{At: now, Kind: audit.KeyCreated, Actor: "user:carol", Object: "0123456789ab", From: "192.0.2.1"}
	require.NoError(t, trail.Add(t.Context(), first))
	for i := range audit.MaxPerKind + 5 {
		require.NoError(t, trail.Add(t.Context(), audit.Event{At: now.Add(time.Duration(i+1) * time.Second), Kind: audit.SignInRefused, From: strconv.Itoa(i)}))
	}
	events, err := trail.Latest(t.Context(), 10*audit.MaxPerKind)
	require.NoError(t, err)
	require.Len(t, events, audit.MaxPerKind+1)
	assert.Equal(t, "1004", events[0].From, "the last is first")
	assert.Equal(t, "5", events[audit.MaxPerKind-1].From)
	last := events[audit.MaxPerKind]
	assert.True(t, last.At.Equal(first.At))
	last.At = first.At
	assert.Equal(t, first, last)
	events, err = trail.Latest(t.Context(), 2)
	require.NoError(t, err)
	assert.Len(t, events, 2)
}

func TestTrail_keptFor90Days(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trail := audit.New(store.NewMemory())
		require.NoError(t, trail.Add(t.Context(), audit.Event{At: time.Now(), Kind: audit.SignedIn}))
		for _, want := range []int{1, 0} {
			<-time.After(audit.Retention - time.Millisecond)
			events, err := trail.Latest(t.Context(), 10)
			require.NoError(t, err)
			assert.Len(t, events, want)
		}
	})
}

func TestTrail_ofNobody(t *testing.T) {
	var trail *audit.Trail
	assert.NoError(t, trail.Add(t.Context(), audit.Event{}))
}
