//go:build !linux

package highlight

import "time"

var started = time.Now()

// processorTime stands for the time that the calling thread has computed, which
// this system does not tell.
func processorTime() time.Duration { return time.Since(started) }
