package main

import (
	"slices"

	"github.com/alecthomas/kong"
)

const description = `Gradients, slugs, shared logs and snippets, and pictures of code: the server and its tools.

    devkiln                                   serve on 127.0.0.1:8080, data in devkiln.db
    devkiln keys create --name me             make a key
    make 2>&1 | devkiln log                   share a log on a server
    devkiln screenshot main.go                draw a picture of code, here

The flags of the server, and --store, --url and --key, can be set in the environment: --rate-day is DEVKILN_RATE_DAY. A flag wins.
DEVKILN_API_KEYS holds keys of your own, DEVKILN_ADMIN_PASSWORD the password of the dashboard. With _FILE behind its name, a variable that
holds a secret names a file that has it: DEVKILN_KEY_FILE.

Exit codes: 0 success; 1 something went wrong; 2 a flag, an argument, a variable or an input cannot be used.`

// storeless are the commands that need no store.
var storeless = map[string]bool{
	"healthcheck": true, "log": true, "snippet": true, "gradient": true, "slug": true, "screenshot": true, "completion": true, "version": true,
}

// asked are the flags of a server that say where it can be asked.
var asked = []string{"listen", "tls-cert"}

// beside reports whether a command takes a flag only because all do.
func beside(command *kong.Node, flag *kong.Flag) bool {
	switch {
	case command.Type == kong.ApplicationNode:
		return false
	case flag.Name == "version", flag.Name == "store" && storeless[command.Name]:
		return true
	}
	return command.Name == "healthcheck" && variableOf(command, flag) != "" && !slices.Contains(asked, flag.Name)
}

// printHelp leaves out flags that say nothing to a command.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if command := ctx.Selected(); command != nil {
		for _, flag := range flagsOf(command) {
			flag.Hidden = beside(command, flag)
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}

// Help implements kong.HelpProvider.
func (serve) Help() string {
	return `For example:

    devkiln --store sqlite:/var/lib/devkiln/devkiln.db --listen :8080
    devkiln serve --base-url https://kiln.example --trusted-proxies 127.0.0.1

The first start prints a key, a line to try it with, and a link to set the password of the dashboard. SIGTERM and Ctrl-C let requests in
flight finish, for at most 20 seconds; a second signal ends the process at once.`
}

// Help implements kong.HelpProvider.
func (configCmd) Help() string {
	return `It takes the flags of serve, and refuses what serve would refuse:

    DEVKILN_RATE_DAY=500 devkiln config --log-format json`
}

// Help implements kong.HelpProvider.
func (healthcheck) Help() string {
	return `It prints ok, or says what is wrong and exits with 1. For the health checks of containers:

    devkiln healthcheck --listen :8080
    devkiln healthcheck --ready`
}

// Help implements kong.HelpProvider.
func (createKey) Help() string {
	return `The key goes to standard output and what there is to know about it to standard error:

    KEY=$(devkiln keys create --name ci --expires 90d)`
}

// Help implements kong.HelpProvider.
func (setPassword) Help() string {
	return `For example:

    devkiln admin set-password
    devkiln admin set-password --generate
    devkiln admin set-password <password.txt`
}

// Help implements kong.HelpProvider.
func (checkCmd) Help() string {
	return `Damaged shares are named on standard error, and the exit code is 1. The server may be running meanwhile.`
}

// Help implements kong.HelpProvider.
func (backupCmd) Help() string {
	return `For example:

    devkiln backup "devkiln-$(date +%F).db" --store sqlite:/var/lib/devkiln/devkiln.db`
}

// Help implements kong.HelpProvider.
func (restoreCmd) Help() string {
	return `The backup is checked first. What the store was is kept beside it, with .before-restore behind its name.`
}

// Help implements kong.HelpProvider.
func (exportCmd) Help() string {
	return `For example:

    devkiln export all.jsonl
    devkiln export | gzip >all.jsonl.gz

It holds everything that people shared. Keys are in it as hashes.`
}

// Help implements kong.HelpProvider.
func (importCmd) Help() string {
	return `Entries of the store that are not in the export stay; entries of the same key are replaced.

    devkiln import all.jsonl --store postgres://kiln@db/kiln`
}

// Help implements kong.HelpProvider.
func (logCmd) Help() string {
	return `For example:

    export DEVKILN_URL=https://kiln.example DEVKILN_KEY_FILE=~/.devkiln-key
    make 2>&1 | devkiln log --title "nightly build" --expiry 7d
    devkiln log build.log`
}

// Help implements kong.HelpProvider.
func (snippetCmd) Help() string {
	return `For example:

    export DEVKILN_URL=https://kiln.example DEVKILN_KEY_FILE=~/.devkiln-key
    devkiln snippet main.go
    git diff | devkiln snippet --language diff --expiry never`
}

// Help implements kong.HelpProvider.
func (gradientCmd) Help() string {
	return `For example:

    devkiln gradient ff7e5f feb47b --angle 120
    devkiln gradient ff0000 00ff00 0000ff --type radial --positions 0,20,100`
}

// Help implements kong.HelpProvider.
func (slugCmd) Help() string {
	return `For example:

    devkiln slug 'Crème brûlée & cafés'
    devkiln slug --separator _ <titles.txt`
}

// Help implements kong.HelpProvider.
func (screenshotCmd) Help() string {
	return `For example:

    devkiln screenshot main.go
    devkiln screenshot main.go -o picture.svg --theme night-owl --lines 10-20
    git diff | devkiln screenshot - -o diff.png --language diff`
}

// Help implements kong.HelpProvider.
func (completionCmd) Help() string {
	return `bash, for this session and for all:

    source <(devkiln completion bash)
    devkiln completion bash >~/.local/share/bash-completion/completions/devkiln

zsh, behind compinit in ~/.zshrc:

    source <(devkiln completion zsh)

fish:

    devkiln completion fish >~/.config/fish/completions/devkiln.fish`
}
