package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// configCmd prints the effective settings of the server.
type configCmd struct {
	serve
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints every setting of the server, without secrets, or says which of
// them cannot be used.
func (c configCmd) Run(ctx context.Context, p process, command *kong.Context, storeURL string) error {
	set, err := c.settings(p.env)
	if err != nil {
		return usageError{err}
	}
	if err := checkStoreURL(storeURL); err != nil {
		return usageError{err}
	}
	if set.warning != "" {
		_, _ = fmt.Fprintln(p.stderr, set.warning)
	}
	set.Log = slog.New(slog.DiscardHandler)
	set.limitMemory(ctx)
	list, err := effectiveSettings(p.env, command, set)
	if err != nil {
		return usageError{err}
	}
	if c.JSON {
		return p.json(list)
	}
	rows := [][]string{{"SETTING", "VALUE", "SOURCE"}}
	for _, s := range list {
		rows = append(rows, []string{s.Name, cmp.Or(s.Value, "not set"), s.Source})
	}
	return p.table(rows...)
}

// effectiveSettings returns the server's settings and the source of each: a
// flag, a variable or the default. Secrets are omitted.
func effectiveSettings(env commandline.Environment, command *kong.Context, set settings) ([]dashboard.Setting, error) {
	var list []dashboard.Setting
	for _, flag := range slices.Concat(command.Model.Flags, command.Selected().Flags) {
		if commandline.VariableOf(flag) == "" {
			continue
		}
		s := dashboard.Setting{Name: flag.Name, Value: shown(flag), Source: source(env, command, flag), Help: flag.Help}
		if flag.Name == "max-memory" {
			s.Value = strconv.FormatInt(set.EffectiveMaxMemory(), 10)
		}
		list = append(list, s)
	}
	for _, secret := range []struct{ variable, name, help, shown string }{
		{commandline.APIKeysVariable, "api-keys", "Keys from the configuration, in " + commandline.APIKeysVariable + ".", fmt.Sprintf("%d, not shown", len(set.staticKeys))},
		{commandline.AdminPasswordVariable, "admin-password", "The password of this dashboard, if " + commandline.AdminPasswordVariable + " sets it.", "set, not shown"},
	} {
		s := dashboard.Setting{Name: secret.name, Help: secret.help, Source: "default"}
		value, from, err := env.Secret(secret.variable)
		if err != nil {
			return nil, err
		}
		if value != "" {
			s.Value, s.Source = secret.shown, from
		}
		list = append(list, s)
	}
	return list, nil
}

// shown returns the value of a flag without secrets.
func shown(flag *kong.Flag) string {
	value := flag.Target
	if value.Kind() == reflect.Slice {
		return joined(value, ",")
	}
	if value.IsZero() && (value.Kind() == reflect.Int64 && !flag.HasDefault || value.Kind() == reflect.Pointer) {
		return ""
	}
	if flag.Name == "store" {
		return withoutPassword(value.String())
	}
	return fmt.Sprint(value)
}

// source returns where the value of a flag comes from.
func source(env commandline.Environment, command *kong.Context, flag *kong.Flag) string {
	for _, step := range command.Path {
		if step.Flag == nil || step.Flag.Name != flag.Name {
			continue
		}
		if !step.Resolved {
			return "flag"
		}
		name := commandline.VariableOf(flag)
		if _, found := env[name]; !found {
			name += "_FILE"
		}
		return name
	}
	return "default"
}
