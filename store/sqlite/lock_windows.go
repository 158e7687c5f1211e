package sqlite

import (
	"errors"
	"os"
	"syscall"
)

var errLocked = errors.New("another server has this file open")

const errorSharingViolation = syscall.Errno(32)

// lockFile takes the server's lock: a file opened without sharing. The system
// releases it when the process ends for any reason.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE,
		0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errorSharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

func unlockFile(f *os.File) error { return f.Close() }

// lockPartial does nothing: Windows does not remove an open file.
func lockPartial(*os.File) error { return nil }

// removeUnlocked removes a file unless a process has it open.
func removeUnlocked(path string) (removed bool, err error) {
	err = os.Remove(path)
	if errors.Is(err, errorSharingViolation) {
		return false, nil
	}
	return err == nil, err
}

// giveAway does nothing: files inherit the rights of their folder.
func giveAway(string) error { return nil }

// checkNames does nothing: hard links are rare on Windows.
func checkNames(os.FileInfo) error { return nil }

// syncFolder does nothing: the file system journals file names itself.
func syncFolder(string) error { return nil }
