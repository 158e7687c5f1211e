// Package commandline extends kong for the command line of Devkiln: flags set
// in the environment, secrets read from files, help without irrelevant flags,
// and shell completion.
//
// It defines these tags: variable, a flag that can be set in the environment;
// secret, a flag whose value can come from a file; storeless, a command that
// needs no store.
package commandline

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/internal/nearest"
)

// variablePrefix starts the environment variables of flags.
const variablePrefix = "DEVKILN_"

// Variables without a flag. These, and those of flags tagged secret, can
// instead be set with the suffix _FILE to the name of a file that holds the
// value.
const (
	APIKeysVariable       = "DEVKILN_API_KEYS"
	AdminPasswordVariable = "DEVKILN_ADMIN_PASSWORD"
)

// injected matches the variables that Kubernetes and Docker set for a service
// or link named devkiln.
var injected = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)

// Environment holds the nonempty variables that start with DEVKILN_.
type Environment map[string]string

// NewEnvironment selects the variables for Devkiln from "NAME=value" strings.
func NewEnvironment(variables []string) Environment {
	env := make(Environment)
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, variablePrefix) && value != "" {
			env[name] = value
		}
	}
	return env
}

// Secret returns the value of a variable, or the content of the file named by
// the variable with the suffix _FILE, and the name of the variable used. It
// trims line ends.
func (env Environment) Secret(name string) (value, source string, err error) {
	file, found := env[name+"_FILE"]
	if !found {
		return env[name], name, nil
	}
	if env[name] != "" {
		return "", "", fmt.Errorf("%s and %[1]s_FILE are both set; one of them is enough", name)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", fmt.Errorf("%s_FILE: %w", name, err)
	}
	value = strings.Trim(string(text), "\r\n")
	if value == "" {
		return "", "", fmt.Errorf("%s_FILE: %s is empty", name, file)
	}
	return value, name + "_FILE", nil
}

// Resolve implements kong.Resolver. It sets a flag such as --rate-day from
// DEVKILN_RATE_DAY.
func (env Environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := VariableOf(flag)
	if name == "" {
		return nil, nil
	}
	value := env[name]
	if flag.Tag.Has("secret") {
		var err error
		if value, _, err = env.Secret(name); err != nil {
			return nil, err
		}
	}
	if value == "" {
		return nil, nil
	}
	return value, nil
}

// Validate implements kong.Resolver. It returns an error for unknown variables.
func (env Environment) Validate(app *kong.Application) error {
	known := []string{APIKeysVariable, APIKeysVariable + "_FILE", AdminPasswordVariable, AdminPasswordVariable + "_FILE"}
	for _, node := range append([]*kong.Node{app.Node}, app.Children...) {
		for _, flag := range node.Flags {
			name := VariableOf(flag)
			if name == "" {
				continue
			}
			known = append(known, name)
			if flag.Tag.Has("secret") {
				known = append(known, name+"_FILE")
			}
		}
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if slices.Contains(known, name) || injected.MatchString(name) {
			continue
		}
		errs = append(errs, errors.New("the variable "+name+" is not known"+nearest.Question(name, known)))
	}
	return errors.Join(errs...)
}

// VariableOf returns the environment variable for a flag, or "".
func VariableOf(flag *kong.Flag) string {
	if !flag.Tag.Has("variable") {
		return ""
	}
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
}
