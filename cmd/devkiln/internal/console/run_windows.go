package console

import (
	"context"
	"errors"
)

// Run returns an error because Windows has no such pseudo-terminals.
func Run(context.Context, string, Options) (Result, error) {
	return Result{}, errors.New("commands cannot be run here: this system has no pseudo-terminals")
}
