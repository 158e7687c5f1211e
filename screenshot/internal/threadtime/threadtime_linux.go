// Package threadtime tells how long a thread has computed.
package threadtime

import (
	"syscall"
	"time"
)

// Now returns the processor time of the calling thread, which has to be locked to
// its goroutine for two of them to be compared.
func Now() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
