package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/memory"
)

const mb = 1 << 20

func TestLease_isRefusedBeyondItsCallersPart(t *testing.T) {
	b := memory.New(300 * mb)
	first, second := b.Lease("a"), b.Lease("a")
	require.NoError(t, first.Grow(60*mb))
	require.NoError(t, second.Grow(40*mb))
	require.ErrorIs(t, second.Grow(1), memory.ErrFull)
	require.NoError(t, b.Lease("b").Grow(100*mb), "another caller has a part of its own")
	require.NoError(t, first.Resize(50*mb))
	require.NoError(t, second.Grow(10*mb))
	first.Release()
	second.Release()
	assert.Equal(t, int64(100*mb), b.Held())
}

func TestLease_leavesTheReserveToSmallOnes(t *testing.T) {
	b := memory.New(240 * mb)
	for _, caller := range []string{"a", "b", "c"} {
		require.NoError(t, b.Lease(caller).Grow(70*mb))
	}
	require.ErrorIs(t, b.Lease("d").Grow(mb), memory.ErrFull)
	small := b.Lease("d")
	require.NoError(t, small.Grow(256<<10))
	require.ErrorIs(t, small.Grow(1), memory.ErrFull, "it is small no longer")
}

func TestLease_ofTheOnlyRequestOfACallerMayBeLarge(t *testing.T) {
	b := memory.New(300 * mb)
	l := b.Lease("a")
	require.NoError(t, l.Grow(200*mb))
	require.ErrorIs(t, b.Lease("a").Grow(1), memory.ErrFull)
	require.NoError(t, l.Resize(250*mb))
	require.ErrorIs(t, l.Resize(280*mb), memory.ErrFull)
	require.NoError(t, l.Resize(mb))
	assert.Equal(t, int64(mb), b.Held())
}

func TestFromContext_withoutALeaseBoundsNothing(t *testing.T) {
	l := memory.FromContext(t.Context())
	require.NoError(t, l.Grow(1<<60))
	require.NoError(t, l.Resize(1))
	l.Release()
	b := memory.New(3)
	require.ErrorIs(t, memory.FromContext(memory.NewContext(t.Context(), b.Lease("a"))).Grow(4), memory.ErrFull)
}
