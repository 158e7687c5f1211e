// Command devkiln serves Devkiln's API and looks after its store.
//
// See devkiln --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/screenshot"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	os.Exit(report(err, os.Stderr))
}

// Exit codes: 0 is success, 1 is something that went wrong, 2 is a flag, an
// argument, a variable or an input that cannot be used.
const (
	exitFault = 1
	exitUsage = 2
)

// usageError is an error of whoever typed the command.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// report prints an error in one line and returns the exit code for it.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(stderr, "devkiln: %v\n", err)
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFault
}

// commands is the command line.
type commands struct {
	Store string `default:"sqlite:devkiln.db" help:"Where shares, keys and counts are kept: sqlite:PATH (or file:PATH, the same), postgres://… for several servers, or memory:."`

	Serve       serve       `cmd:"" default:"withargs" help:"Serve the API. This is the default command."`
	Keys        keys        `cmd:""                    help:"Create, list and revoke API keys. The server may be running meanwhile."`
	Admin       admin       `cmd:""                    help:"Look after the password of the dashboard. The server may be running meanwhile."`
	Config      configCmd   `cmd:""                    help:"Print every setting of the server and where it comes from, without secrets."`
	Healthcheck healthcheck `cmd:""                    help:"Ask the server with the same flags and variables whether it serves."`

	Log     logCmd     `cmd:"" group:"With a server:" help:"Share a log and print its link: app 2>&1 | devkiln log."`
	Snippet snippetCmd `cmd:"" group:"With a server:" help:"Share code and print its link."`

	Gradient   gradientCmd   `cmd:"" group:"Without a server:" help:"Print a CSS gradient."`
	Slug       slugCmd       `cmd:"" group:"Without a server:" help:"Print slugs."`
	Screenshot screenshotCmd `cmd:"" group:"Without a server:" help:"Draw a picture of code."`

	Check   checkCmd   `cmd:"" group:"The store:" help:"Look at every entry and say whether the store is sound."`
	Backup  backupCmd  `cmd:"" group:"The store:" help:"Copy a SQLite store into a file. The server may be running meanwhile."`
	Restore restoreCmd `cmd:"" group:"The store:" help:"Replace a SQLite store by a backup. The server must be stopped."`
	Export  exportCmd  `cmd:"" group:"The store:" help:"Write every entry as JSON lines, to move to another store."`
	Import  importCmd  `cmd:"" group:"The store:" help:"Put the entries of an export into the store."`

	Completion completionCmd `cmd:""           help:"Print the completion script of a shell."`
	Complete   completeCmd   `cmd:"" hidden:""`
	Version    versionCmd    `cmd:""           help:"Print the version."`
}

// process is what a command sees of the process that it runs in.
type process struct {
	env            environment
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run is the whole program, of which variables is the environment. It returns when the command is done or ctx ends.
func run(ctx context.Context, args []string, variables []string, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	defer func() {
		if code, ok := recover().(exit); ok && code != 0 {
			err = usageError{errors.New("see devkiln --help")}
		}
	}()
	env := newEnvironment(variables)
	var c commands
	parser, err := kong.New(&c,
		kong.Name("devkiln"),
		kong.Description("Gradients, slugs, shared logs and snippets, and pictures of code: the server and its tools.\n\n"+
			"The flags of the server, --store, --url and --key can be set in the environment: --rate-day is DEVKILN_RATE_DAY. A flag wins. "+
			"DEVKILN_API_KEYS holds keys of your own. It, DEVKILN_STORE and DEVKILN_KEY can be in a file: DEVKILN_KEY_FILE names it.\n\n"+
			"Exit codes: 0 success; 1 something went wrong; 2 a flag, an argument, a variable or an input cannot be used."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Vars{"themes": strings.Join(screenshot.Themes(), ", ")},
		kong.Resolvers(env),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return usageError{err}
	}
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(process{env, stdin, stdout, stderr}, c.Store)
	return command.Run()
}

// exit is how kong leaves after --help.
type exit int
