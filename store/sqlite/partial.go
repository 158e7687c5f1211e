package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// A backup is written to a partial file, which is locked for as long as the
// process lives. So what a killed process has left can be told from what
// another is writing.

// partialSuffix is the suffix of a partial file before its random number.
const partialSuffix = ".devkiln-partial-"

var partialName = regexp.MustCompile(regexp.QuoteMeta(partialSuffix) + `\d+(-journal)?$`)

// lockDelay is more than passes between the creation of a partial file and its
// lock.
const lockDelay = 10 * time.Second

// createPartial creates a partial file for a backup at path.
func createPartial(path string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partialSuffix+"*")
	if err != nil {
		return nil, err
	}
	if err := lockPartial(f); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// RemovePartial removes the partial files in a folder that killed backups and
// restores have left, at least ten seconds after they were last written, and
// returns their paths.
func RemovePartial(folder string) (removed []string, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, reason(err)
	}
	var errs []error
	for _, file := range files {
		info, err := file.Info()
		if err != nil || !info.Mode().IsRegular() || !partialName.MatchString(file.Name()) || time.Since(info.ModTime()) < lockDelay {
			continue
		}
		path := filepath.Join(folder, file.Name())
		switch stale, err := removeUnlocked(path); {
		case err != nil:
			errs = append(errs, err)
		case stale:
			removed = append(removed, path)
		}
	}
	return removed, errors.Join(errs...)
}
