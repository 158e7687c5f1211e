//go:build !linux

// Package threadtime measures the processor time of a thread.
package threadtime

import "time"

var started = time.Now()

// Now returns the elapsed time, since this system does not report the processor
// time of a thread.
func Now() time.Duration { return time.Since(started) }
