package main

import (
	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// inForce lists the settings of a server for its dashboard, as devkiln config
// prints them.
func inForce(env environment, command *kong.Context, set settings) ([]dashboard.Setting, error) {
	list, err := effective(env, command, set)
	if err != nil {
		return nil, err
	}
	help := map[string]string{
		"api-keys":       "Keys that the configuration brings, in " + apiKeysVariable + ".",
		"admin-password": "The password of this dashboard, if " + adminPasswordVariable + " brings it.",
	}
	for _, flag := range command.Flags() {
		help[flag.Name] = flag.Help
	}
	all := make([]dashboard.Setting, len(list))
	for i, s := range list {
		all[i] = dashboard.Setting{Name: s.Name, Value: s.Value, Source: s.Source, Help: help[s.Name]}
	}
	return all, nil
}
