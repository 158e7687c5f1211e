package pgtest

import (
	"errors"
	"os/exec"
)

func mayDropRoot() error { return errors.New("servers are started on Unix only") }

func dropRoot(*exec.Cmd) {}

func pause(int) {}

func resume(int) {}

func (s *Server) own() {}
