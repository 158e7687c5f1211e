package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// inForce lists the settings of serve and where each comes from, with secrets
// masked.
func inForce(command *kong.Context, getenv func(string) string, set settings) []dashboard.Setting {
	var all []dashboard.Setting
	for _, flag := range command.Flags() {
		if flag.Name == "help" {
			continue
		}
		all = append(all, dashboard.Setting{
			Name: "--" + flag.Name, Value: shown(flag), Source: source(command, flag, getenv), Help: flag.Help,
		})
	}
	slices.SortStableFunc(all, func(a, b dashboard.Setting) int { return strings.Compare(a.Name, b.Name) })
	return append(all,
		dashboard.Setting{
			Name: "DEVKILN_API_KEYS", Value: countKeys(len(set.static)), Source: variableOrDefault("DEVKILN_API_KEYS", getenv),
			Help: "API keys that the configuration brings, comma-separated.",
		},
		dashboard.Setting{
			Name: "DEVKILN_ADMIN_PASSWORD", Value: setOrNot(set.adminPassword != ""), Source: passwordSource(getenv),
			Help: "The admin password, if the configuration brings it; DEVKILN_ADMIN_PASSWORD_FILE names a file that holds it.",
		})
}

// source tells where the value of a flag comes from.
func source(command *kong.Context, flag *kong.Flag, getenv func(string) string) string {
	for _, p := range command.Path {
		if p.Flag == flag && !p.Resolved {
			return "flag"
		}
	}
	return variableOrDefault(variable(flag.Name), getenv)
}

func variableOrDefault(name string, getenv func(string) string) string {
	if getenv(name) != "" {
		return "variable " + name
	}
	return "default"
}

func passwordSource(getenv func(string) string) string {
	if getenv("DEVKILN_ADMIN_PASSWORD_FILE") != "" {
		return "variable DEVKILN_ADMIN_PASSWORD_FILE"
	}
	return variableOrDefault("DEVKILN_ADMIN_PASSWORD", getenv)
}

// shown writes the value of a flag, without passwords.
func shown(flag *kong.Flag) string {
	switch value := flag.Target.Interface().(type) {
	case []string:
		return strings.Join(value, ", ")
	case string:
		if flag.Name == "store" {
			return withoutPassword(value)
		}
		return value
	default:
		return fmt.Sprint(value)
	}
}

func countKeys(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d, not shown", n)
}

func setOrNot(set bool) string {
	if set {
		return "set, not shown"
	}
	return ""
}
