//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

var errLocked = errors.New("another server has this file open")

// lockFile takes the server's lock, which the system gives back when the
// process ends, however it ends. The file that carries it stays: removing it
// would let two servers lock two files of one name.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, reason(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// unlockFile gives the lock back. To close the file alone would not do: while this
// process starts another, that holds the file open too, for a moment.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// checkNames refuses a file that has more than one name: SQLite names the log
// after the database, and what two logs hold damages it.
func checkNames(info os.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink > 1 {
		return fmt.Errorf("has %d names (hard links), of which a server may have another open: remove all but one", s.Nlink)
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return reason(err)
	}
	return errors.Join(f.Sync(), f.Close())
}
