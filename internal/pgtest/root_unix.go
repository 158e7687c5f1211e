//go:build unix

package pgtest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/stretchr/testify/require"
)

// PostgreSQL refuses to run as root. A test that runs as root starts it as the
// user postgres, or else nobody.

func serviceAccount() (uid, gid int, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if err := errors.Join(uidErr, gidErr); err == nil {
			return uid, gid, nil
		}
	}
	return 0, 0, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
}

func mayDropRoot() error {
	if os.Getuid() != 0 {
		return nil
	}
	_, _, err := serviceAccount()
	return err
}

func dropRoot(command *exec.Cmd) {
	if os.Getuid() != 0 {
		return
	}
	if uid, gid, err := serviceAccount(); err == nil {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
}

// pause stops a process until it is killed or resumed.
func pause(pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) } // it may have ended already

func resume(pid int) { _ = syscall.Kill(pid, syscall.SIGCONT) }

// own gives the server's folder to the user that the server runs as.
func (s *Server) own() {
	s.t.Helper()
	if os.Getuid() != 0 {
		return
	}
	uid, gid, err := serviceAccount()
	if err == nil {
		err = filepath.WalkDir(s.folder, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, uid, gid))
		})
	}
	require.NoError(s.t, err)
}
