package console

import (
	"context"
	"errors"
)

// Run is an error: Windows has no pseudo-terminals of this kind.
func Run(context.Context, string, Options) (Result, error) {
	return Result{}, errors.New("commands cannot be run here: this system has no pseudo-terminals")
}
