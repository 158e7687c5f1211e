//go:build !linux

package sqlite

import "errors"

// disk is not supported here.
func disk(string) (free, size int64, err error) { return 0, 0, errors.ErrUnsupported }
