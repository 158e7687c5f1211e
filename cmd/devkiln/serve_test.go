package main

import (
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGarbageIsCollectedAsGOGCSays(t *testing.T) {
	percent := func() int {
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(sample)
		return int(sample[0].Value.Uint64())
	}
	before := percent()
	t.Setenv("GOGC", "100") // Go's default, but said by somebody
	undo := collectLess()
	assert.Equal(t, before, percent())
	undo()
	assert.Equal(t, before, percent())

	t.Setenv("GOGC", "")
	undo = collectLess()
	assert.Equal(t, 200, percent())
	undo()
	assert.Equal(t, before, percent())
}
