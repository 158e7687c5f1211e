package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
)

// configCmd prints what the server would be set to.
type configCmd struct {
	serve
	JSON bool `name:"json" help:"Print JSON."`
}

// setting is one effective value and where it comes from.
type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"` // flag, default, or the name of a variable
}

// Run prints every setting of the server, without secrets, or says which of
// them cannot be used.
func (c configCmd) Run(p process, command *kong.Context, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if text := doubt(set.certificate, time.Now()); text != "" {
		_, _ = fmt.Fprintln(p.stderr, text)
	}
	list, err := effective(p.env, command, set)
	if err != nil {
		return usageError{err}
	}
	return c.print(p, list)
}

// effective returns the settings of a server, without secrets.
func effective(env environment, command *kong.Context, set settings) ([]setting, error) {
	var list []setting
	for _, flag := range slices.Concat(command.Model.Flags, command.Selected().Flags) {
		if variableOf(command.Selected(), flag) == "" {
			continue
		}
		list = append(list, setting{flag.Name, shown(flag), source(env, command, flag)})
	}
	keys := setting{"api-keys", "none", "default"}
	if n := len(set.static); n > 0 {
		_, from, err := env.secret(apiKeysVariable)
		if err != nil {
			return nil, err
		}
		keys.Value, keys.Source = fmt.Sprintf("%d, not shown", n), from
	}
	password := setting{"admin-password", "none", "default"}
	if set.adminPassword != "" {
		_, from, err := env.secret(adminPasswordVariable)
		if err != nil {
			return nil, err
		}
		password.Value, password.Source = "set, not shown", from
	}
	return append(list, keys, password), nil
}

func (c configCmd) print(p process, list []setting) error {
	if c.JSON {
		return p.json(list)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "SETTING\tVALUE\tSOURCE")
	for _, s := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", s.Name, s.Value, s.Source)
	}
	return table.Flush()
}

// shown is the value of a flag as it may be shown.
func shown(flag *kong.Flag) string {
	value := flag.Target
	if value.Kind() == reflect.Slice {
		parts := make([]string, value.Len())
		for i := range parts {
			parts[i] = fmt.Sprint(value.Index(i))
		}
		return strings.Join(parts, ",")
	}
	if flag.Name == "store" {
		return withoutPassword(value.String())
	}
	return fmt.Sprint(value)
}

// source says where the value of a flag comes from.
func source(env environment, command *kong.Context, flag *kong.Flag) string {
	for _, step := range command.Path {
		if step.Flag == nil || step.Flag.Name != flag.Name {
			continue
		}
		if !step.Resolved {
			return "flag"
		}
		name := variableOf(command.Selected(), flag)
		if _, found := env[name]; !found {
			name += "_FILE"
		}
		return name
	}
	return "default"
}
