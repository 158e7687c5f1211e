package bounded_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/bounded"
)

func Example() {
	m := bounded.Cache[string]{Max: 64 << 10}
	m.Put("key", "value", len("value"))
	fmt.Println(m.Get("key"))
	m.Put("key", "too long", 1000)
	fmt.Println(m.Get("key"))
	// Output:
	// value true
	//  false
}

// The cache holds what was put last under a key, and never more than Max.
func TestCache(t *testing.T) {
	const most = 100_000
	m := bounded.Cache[int]{Max: most}
	put := make(map[string]int)
	random := rand.New(rand.NewPCG(1, 2))
	kept := 0
	for i := range 50_000 {
		key := strconv.Itoa(random.IntN(2000))
		value, ok := m.Get(key)
		last, known := put[key]
		if ok {
			kept++
			require.True(t, known)
			require.Equal(t, last, value)
		}
		switch n := random.IntN(1000); {
		case n == 0:
			m.Clear()
			clear(put)
			require.Zero(t, m.Bytes())
		case n < 100:
			m.Delete(key)
			delete(put, key)
		default:
			bytes := random.IntN(2000) // values of about 1400 and more are never kept
			m.Put(key, i, bytes)
			put[key] = i
			_, ok := m.Get(key)
			require.Equal(t, m.Fits(key, bytes), ok)
		}
		require.LessOrEqual(t, m.Bytes(), most)
	}
	assert.Greater(t, kept, 1000)
	for key := range put {
		m.Delete(key)
	}
	assert.Zero(t, m.Bytes())
}

func TestCache_zeroValue(t *testing.T) {
	var m bounded.Cache[int]
	m.Put("key", 1, 0)
	_, ok := m.Get("key")
	assert.False(t, ok)
	m.Clear()
	assert.Zero(t, m.Bytes())
}

func TestCache_fills(t *testing.T) {
	m := bounded.Cache[int]{Max: 1 << 20}
	for i := range 10_000 {
		m.Put(strconv.Itoa(i), i, 1000)
		if _, ok := m.Get(strconv.Itoa(i)); !ok {
			t.Fatal("what was put last is not kept")
		}
	}
	assert.Greater(t, m.Bytes(), 1<<20-2000)
}
