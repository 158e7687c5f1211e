// Package threadtime measures the processor time of a thread.
package threadtime

import (
	"syscall"
	"time"
)

// Now returns the processor time of the calling thread. The goroutine must be
// locked to its thread for two results to be comparable.
func Now() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
