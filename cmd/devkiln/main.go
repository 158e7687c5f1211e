// Command devkiln is Devkiln's server and its command line: serve and the commands
// beside it run a server and maintain its store, log, snippet and shares share on
// one, and gradient, slug, screenshot, analyze and compare need none. See devkiln
// --help and docs/commands.md.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/devkiln/devkiln/cmd/devkiln/internal/commandline"
	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/gradient/export"
	"github.com/devkiln/devkiln/httpapi/server"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills the process
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	os.Exit(report(err, os.Stderr))
}

// Exit codes: 0 for success, 1 for a failure, such as a file that cannot be read,
// 2 for an invalid flag, argument, variable or input.
const (
	exitFault = 1
	exitUsage = 2
)

// usageError is an error made by the caller of the command.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// report prints an error on one line and returns its exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	_, _ = fmt.Fprintf(stderr, "devkiln: %s\n", strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; "))
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFault
}

// commands is the command line. It has these tags in addition to kong's:
//
//	orderly    a signal cancels the context, so that the command can finish or
//	           undo its work; it kills other commands at once
//	storeless  the command needs no store
//	lasting    the command needs a store that outlives it
//	variable   the flag can be set in the environment
//	secret     the value is never printed and can come from a file
type commands struct {
	Store   string           `default:"sqlite:devkiln.db" variable:"" secret:"" help:"Where to store shares, keys and counts: sqlite:PATH (or file:PATH, the same), postgres://… for several servers, or memory:."`
	Version kong.VersionFlag `help:"Print the version."`

	Serve       serve       `cmd:"" orderly:"" group:"Run a server:" default:"withargs" help:"Serve the API and the pages. This is the default command."`
	Config      configCmd   `cmd:"" group:"Run a server:" help:"Print every setting of the server and where it comes from, without secrets."`
	Doctor      doctorCmd   `cmd:"" group:"Run a server:" help:"Check the address, the store, the clock, the disk, fonts, proxies and the certificate, and say what to do about problems."`
	Healthcheck healthcheck `cmd:"" storeless:"" group:"Run a server:" help:"Check whether the server with the same address is serving."`
	Keys        keys        `cmd:"" lasting:"" group:"Run a server:" help:"Create, list and revoke API keys. The server may be running."`
	Admin       admin       `cmd:"" lasting:"" group:"Run a server:" help:"Manage the password of the dashboard. The server may be running."`

	Check   checkCmd   `cmd:"" lasting:"" orderly:"" group:"Maintain its store:" help:"Check every entry of the store for damage."`
	Backup  backupCmd  `cmd:"" lasting:"" orderly:"" group:"Maintain its store:" help:"Copy a SQLite store to a file. The server may be running."`
	Restore restoreCmd `cmd:"" orderly:"" group:"Maintain its store:" help:"Replace a SQLite store with a backup. The server must be stopped."`
	Export  exportCmd  `cmd:"" lasting:"" orderly:"" group:"Maintain its store:" help:"Write all entries as JSON lines, to move them to another store."`
	Import  importCmd  `cmd:"" lasting:"" group:"Maintain its store:" help:"Add the entries of an export to the store."`

	Login   loginCmd   `cmd:"" storeless:"" group:"Share on a server:" help:"Keep the address of a server and a key, read from standard input, for the commands that share: in $$XDG_CONFIG_HOME/devkiln/config.toml or ~/.config/devkiln/config.toml."`
	Log     logCmd     `cmd:"" storeless:"" group:"Share on a server:" help:"Share a log and print its link."`
	Snippet snippetCmd `cmd:"" storeless:"" group:"Share on a server:" help:"Share code and print its link."`
	Shares  sharesCmd  `cmd:"" storeless:"" group:"Share on a server:" help:"List, read and delete what your key has shared."`

	MCP mcpCmd `cmd:"" name:"mcp" orderly:"" storeless:"" group:"Share on a server:" help:"Offer agents tools for logs and shares through the Model Context Protocol."`

	Analyze    analyzeCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Summarize what went wrong in a log."`
	Compare    compareCmd    `cmd:"" storeless:"" group:"Without a server:" help:"Show what is new and what is gone since an earlier log."`
	Gradient   gradientCmd   `cmd:"" storeless:"" group:"Without a server:" help:"Print a CSS gradient."`
	Slug       slugCmd       `cmd:"" storeless:"" group:"Without a server:" help:"Print slugs."`
	Screenshot screenshotCmd `cmd:"" storeless:"" group:"Without a server:" help:"Draw a picture of code."`

	Themes    themesCmd `cmd:"" storeless:"" group:"Without a server:" help:"List the themes of pictures, on a terminal with a sample of each."`
	Languages listCmd   `cmd:"" storeless:"" group:"Without a server:" help:"List the languages of snippets and pictures."`
	Formats   listCmd   `cmd:"" storeless:"" group:"Without a server:" help:"List the targets that gradient --format writes."`

	Completion completionCmd `cmd:"" storeless:"" group:"This program:" help:"Print the completion script of a shell."`
	Complete   completeCmd   `cmd:"" hidden:""`
	Licences   licencesCmd   `cmd:"" storeless:"" group:"This program:" help:"Print the licences of the program and its components."`
	About      versionCmd    `cmd:"" storeless:"" name:"version" group:"This program:" help:"Print the version."`
}

// process is the environment of a command.
type process struct {
	env            commandline.Environment
	loginFile      string // of devkiln login; "" if there is no place for one
	stdin          io.Reader
	stdout, stderr io.Writer
}

// json prints a value as one line of JSON.
func (p process) json(value any) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// table prints rows of cells, in columns.
func (p process) table(rows ...[]string) error {
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.DiscardEmptyColumns)
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// print formats args.
func (p process) print(format string, args ...any) error {
	return p.output(false, nil, format, args...)
}

// output prints a value as JSON or formats args as text.
func (p process) output(asJSON bool, value any, format string, args ...any) error {
	if asJSON {
		return p.json(value)
	}
	_, err := fmt.Fprintf(p.stdout, format, args...)
	return err
}

// open opens a file, or standard input if file is "-" or empty.
func (p process) open(file string) (io.ReadCloser, error) {
	if file == "" || file == "-" {
		if isTerminal(p.stdin) {
			_, _ = fmt.Fprintln(p.stderr, "Reading from the terminal until Ctrl-D.")
		}
		return io.NopCloser(p.stdin), nil
	}
	return os.Open(file)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// typed returns the line that is typed at the terminal behind a prompt, without
// showing it. Ctrl-C ends it too: nothing echoes from before the prompt on.
func (p process) typed(prompt string) (string, error) {
	terminal, _ := p.stdin.(*os.File)
	state, err := term.MakeRaw(int(terminal.Fd()))
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(int(terminal.Fd()), state) }()
	line, err := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{terminal, p.stderr}, "").ReadPassword(prompt)
	if errors.Is(err, io.EOF) {
		err = context.Canceled
	}
	return line, err
}

// run runs the program with the environment variables. It returns when the
// command is done or ctx ends.
func run(ctx context.Context, args []string, variables []string, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	defer func() {
		if v := recover(); v != nil && v != any(exit{}) {
			panic(v)
		}
	}()
	env := commandline.NewEnvironment(variables)
	c := newCommands()
	parser, err := newParser(c, env, stdout, stderr)
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	command, err := parser.Parse(args)
	defer func() {
		if _, isUsage := errors.AsType[usageError](err); isUsage {
			explained := env.Explain(err.Error(), args, func(flag string) (string, bool) { return valueOf(command, flag) })
			if explained != err.Error() {
				err = usageError{errors.New(explained)}
			}
		}
	}()
	if err != nil {
		return usageError{parserMessage(err)}
	}
	isStore := func(step *kong.Path) bool { return step.Flag != nil && step.Flag.Name == "store" && !step.Resolved }
	if c.Store == "memory:" && commandline.Has(command.Selected(), "lasting") {
		return usageError{errors.New("--store memory: is empty and ends with this process; name the store of a server (one in memory takes keys and its password from DEVKILN_API_KEYS and DEVKILN_ADMIN_PASSWORD)")}
	}
	if commandline.Has(command.Selected(), "storeless") && slices.ContainsFunc(command.Path, isStore) {
		return usageError{fmt.Errorf("%s has no store: leave out --store", command.Selected().FullPath())}
	}
	if !command.Selected().Tag.Has("orderly") {
		signal.Reset(os.Interrupt, syscall.SIGTERM)
	}
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(process{env, loginFile(variables), stdin, stdout, stderr}, c.Store)
	return command.Run()
}

// exit is the panic value with which kong ends after --help and --version.
type exit struct{}

func newParser(c *commands, env commandline.Environment, stdout, stderr io.Writer) (*kong.Kong, error) {
	parser, err := kong.New(c,
		kong.Name("devkiln"),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { panic(exit{}) }),
		limits(),
		kong.Resolvers(env),
		kong.WithHyphenPrefixedParameters(true), // --angle -45
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Help(commandline.PrintHelp),
	)
	if err != nil {
		return nil, err
	}
	parser.Model.HelpFlag.Help = "Show this help, or that of a command."
	document(parser.Model.Node)
	commandline.CheckValues(parser.Model.Node)
	return parser, nil
}

// helpTexts are the long descriptions of commands, by command name.
//
//go:embed help
var helpTexts embed.FS

// document sets the descriptions of a command and its subcommands.
func document(command *kong.Node) {
	text, _ := helpTexts.ReadFile("help/" + strings.ReplaceAll(command.FullPath(), " ", "-") + ".txt")
	command.Detail = strings.TrimSpace(string(text))
	for _, child := range command.Children {
		document(child)
	}
}

// limits are the limits of the packages in flags and their help.
func limits() kong.Vars {
	return kong.Vars{
		"version":        about(),
		"export_formats": strings.Join(export.FormatNames(), ", "),
		"rate_minute":    strconv.Itoa(server.DefaultRateMinute),
		"rate_day":       strconv.Itoa(server.DefaultRateDay),
		"min_colors":     strconv.Itoa(gradient.MinColors),
		"max_colors":     strconv.Itoa(gradient.MaxColors),
		"max_found":      strconv.Itoa(share.MaxFound),
		"max_scale":      strconv.Itoa(screenshot.MaxScale),
	}
}
