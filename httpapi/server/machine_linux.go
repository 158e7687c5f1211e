package server

import "syscall"

// freeBytes returns how many bytes a process may still write in a folder.
func freeBytes(folder string) (int64, error) {
	var s syscall.Statfs_t
	err := syscall.Statfs(folder, &s)
	return int64(s.Bavail) * s.Frsize, err
}

// clockSynchronized reports whether the system clock is synchronized, or true
// if that is unknown (adjtimex(2)).
func clockSynchronized() bool {
	const unsynchronized = 5 // TIME_ERROR
	state, err := syscall.Adjtimex(&syscall.Timex{})
	return err != nil || state != unsynchronized
}
