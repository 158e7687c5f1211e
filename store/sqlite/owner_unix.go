//go:build unix

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

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
