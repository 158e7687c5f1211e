package main

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

const variablePrefix = "DEVKILN_"

// Variables that are no flags. Each of them, and --store and --key, can be
// named with _FILE behind it: then it holds the name of a file with the value,
// as secrets are handed to containers.
const (
	apiKeysVariable       = "DEVKILN_API_KEYS"
	adminPasswordVariable = "DEVKILN_ADMIN_PASSWORD"
)

// injected are the variables that Kubernetes and Docker set for a service or a
// link that is called devkiln. They are not ours.
var injected = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)

// environment is the variables of the process that start with DEVKILN_ and are
// not empty.
type environment map[string]string

func newEnvironment(variables []string) environment {
	env := make(environment)
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, variablePrefix) && value != "" {
			env[name] = value
		}
	}
	return env
}

// secret returns the value of a variable, or of the file that it names with
// _FILE behind its name, and the variable that it came from. Line ends around
// the value are not part of it.
func (env environment) secret(name string) (value, source string, err error) {
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

// Resolve implements kong.Resolver: it takes flags from variables, --rate-day
// from DEVKILN_RATE_DAY.
func (env environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := variableOf(flag)
	if name == "" {
		return nil, nil
	}
	value := env[name]
	if flag.Tag.Has("secret") {
		var err error
		if value, _, err = env.secret(name); err != nil {
			return nil, err
		}
	}
	if value == "" {
		return nil, nil
	}
	return value, nil
}

// Validate implements kong.Resolver: a variable that nothing reads is an error.
func (env environment) Validate(app *kong.Application) error {
	known := []string{apiKeysVariable, apiKeysVariable + "_FILE", adminPasswordVariable, adminPasswordVariable + "_FILE"}
	for _, node := range append([]*kong.Node{app.Node}, app.Children...) {
		for _, flag := range node.Flags {
			name := variableOf(flag)
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
		text := "the variable " + name + " is not known"
		if near := nearest.Name(name, known); near != "" {
			text += "; did you mean " + near + "?"
		}
		errs = append(errs, errors.New(text))
	}
	if len(errs) > 0 {
		return oneLine(errors.Join(errs...))
	}
	return nil
}

// variableOf returns the variable that a flag is read from, "" if there is none.
func variableOf(flag *kong.Flag) string {
	if !flag.Tag.Has("variable") {
		return ""
	}
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
}
