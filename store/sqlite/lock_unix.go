//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

var errLocked = errors.New("another server has this file open")

// lockFile takes the server's lock, which the system releases when the process
// ends for any reason. The lock file stays: if it were removed, two servers
// could lock two files of the same name.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, reason(err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	if err == nil {
		err = giveAway(path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// lockPartial locks a partial file until it is closed.
func lockPartial(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// removeUnlocked removes a file unless a process has locked it.
func removeUnlocked(path string) (removed bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = lockPartial(f)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err == nil {
		err = os.Remove(path)
	}
	return err == nil, err
}

// giveAway gives a file that root has created to the owner of its folder, if it
// may: a server that runs as that user could not open it otherwise. SQLite does
// the same for its log.
func giveAway(path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return reason(err)
	}
	s, ok := folder.Sys().(*syscall.Stat_t)
	if !ok || s.Uid == 0 || os.Geteuid() != 0 {
		return nil
	}
	if err := os.Chown(path, int(s.Uid), int(s.Gid)); !errors.Is(err, os.ErrPermission) {
		return reason(err)
	}
	return nil
}

// unlockFile releases the lock. Closing the file does not suffice: while this
// process starts another, the child briefly holds the file open too.
func unlockFile(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// checkNames refuses a file with several hard links. SQLite names the log after
// the database, and two logs damage it.
func checkNames(info os.FileInfo) error {
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Nlink > 1 {
		return fmt.Errorf("has %d hard links, and a server may have it open by another: remove all but one", s.Nlink)
	}
	return nil
}

// syncFolder makes the file names in a folder durable.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return reason(err)
	}
	return errors.Join(f.Sync(), f.Close())
}
