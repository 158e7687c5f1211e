package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// environment resolves the flags of the server and of all commands from
// variables: --rate-day from DEVKILN_RATE_DAY.
func environment(getenv func(string) string) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
		if parent.Command != nil && parent.Command.Name != "serve" {
			return nil, nil
		}
		if value := getenv(variable(flag.Name)); value != "" {
			return value, nil
		}
		return nil, nil
	})
}

// variable returns the name of the variable for a flag.
func variable(flag string) string {
	return "DEVKILN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
