package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// partialSuffix is the suffix of the file to which a backup is written, before
// its random number.
const partialSuffix = ".devkiln-partial-"

// staleAfter is longer than a backup in progress pauses between two writes.
const staleAfter = time.Hour

// RemovePartial removes the partial files in a folder that killed backups and
// restores have left, an hour after they were last written, and returns their
// paths.
func RemovePartial(folder string) (removed []string, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, reason(err)
	}
	var errs []error
	for _, file := range files {
		info, err := file.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.Contains(file.Name(), partialSuffix) || time.Since(info.ModTime()) < staleAfter {
			continue
		}
		path := filepath.Join(folder, file.Name())
		if err := os.Remove(path); err != nil {
			errs = append(errs, err)
			continue
		}
		removed = append(removed, path)
	}
	return removed, errors.Join(errs...)
}
