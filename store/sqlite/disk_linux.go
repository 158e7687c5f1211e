package sqlite

import "syscall"

// disk returns how many bytes a process may still write to the file system of a
// folder, and the size of that file system.
func disk(folder string) (free, size int64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	unit := uint64(s.Frsize)
	return int64(s.Bavail * unit), int64(s.Blocks * unit), nil
}
