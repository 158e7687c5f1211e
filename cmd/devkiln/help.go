package main

import "github.com/alecthomas/kong"

const description = `Gradients, slugs, shared logs and snippets, and pictures of code: the server and its tools.

    devkiln                                   serve on 127.0.0.1:8080, data in devkiln.db
    devkiln keys create --name me             make a key
    make 2>&1 | devkiln log                   share a log on a server
    devkiln screenshot main.go                draw a picture of code, here

The flags of the server, and --store, --url and --key, can be set in the environment: --rate-day is DEVKILN_RATE_DAY. A flag wins.
DEVKILN_API_KEYS holds keys of your own, DEVKILN_ADMIN_PASSWORD the password of the dashboard. With _FILE behind its name, a variable that
holds a secret names a file that has it: DEVKILN_KEY_FILE.

Exit codes: 0 success; 1 something went wrong; 2 a flag, an argument, a variable or an input cannot be used.`

// unneeded reports whether a command takes a flag only because all do: the store
// where it is tagged storeless, and those settings of the server that say
// nothing of where it can be reached, for a command tagged address.
func unneeded(command *kong.Node, flag *kong.Flag) bool {
	switch {
	case command.Type == kong.ApplicationNode:
		return false
	case flag.Name == "version", flag.Name == "store" && command.Tag.Has("storeless"):
		return true
	}
	return command.Tag.Has("address") && flag.Tag.Has("variable") && !flag.Tag.Has("address")
}

// printHelp leaves out flags that say nothing to a command.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if command := ctx.Selected(); command != nil {
		for _, flag := range flagsOf(command) {
			flag.Hidden = unneeded(command, flag)
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}
