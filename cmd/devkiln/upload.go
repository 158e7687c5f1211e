package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
)

// caller holds the flags for connecting to a server.
type caller struct {
	URL string `name:"url" variable:"" placeholder:"URL" help:"The server. Also $$DEVKILN_URL."`
	Key string `variable:"" secret:"" placeholder:"KEY" help:"Your key. Prefer $$DEVKILN_KEY, or $$DEVKILN_KEY_FILE with the name of a file, since other users of the machine can read a command line."`

	MaxWait time.Duration `variable:"" default:"1m" help:"The longest wait before a request is sent again, where the limit of the key is reached or the server does not respond; 0 means not to try again."`
}

// dial returns a client for the server, which reports each wait on stderr.
func (c caller) dial(p process) (*client.Client, error) {
	c, err := c.withLogin(p)
	if err != nil {
		return nil, err
	}
	if c.URL == "" || c.Key == "" {
		return nil, usageError{errors.New("a server and a key are needed: run devkiln login URL, or set DEVKILN_URL and DEVKILN_KEY, or --url and --key")}
	}
	o := client.Options{UserAgent: "devkiln/" + version(), LongestWait: c.MaxWait, OnRetry: func(r client.Retry) {
		_, _ = fmt.Fprintf(p.stderr, "Waiting %v before another try: %v\n", r.Wait, r.Err)
	}}
	if c.MaxWait <= 0 {
		o.Tries = 1
	}
	api, err := client.New(c.URL, c.Key, o)
	if err != nil {
		return nil, usageError{err}
	}
	return api, nil
}

// withLogin returns the caller with the URL that devkiln login has kept, unless
// another is given, and for that URL with its key.
func (c caller) withLogin(p process) (caller, error) {
	if c.URL != "" && c.Key != "" {
		return c, nil
	}
	kept, err := readLogin(p.loginFile)
	if c.URL == "" {
		c.URL = kept.URL
	}
	if c.Key == "" && c.URL == kept.URL {
		c.Key = kept.Key
	}
	return c, err
}

// logCmd shares a log on a server.
type logCmd struct {
	File string `arg:"" optional:"" help:"The log; - or no argument means standard input."`
	caller
	Title  string  `help:"Default: the name of the file."`
	Expiry string  `enum:"{log_expiries}" default:"24h" help:"How long to keep it: {log_expiries}."`
	Format string  `enum:"{formats}" default:"auto" help:"How to interpret it: {formats}."`
	Fit    *string `placeholder:"ends" enum:"ends" help:"What to do with a log that is too long for the server: \"ends\" leaves out its middle and says so in a line. Default: fail."`
	Mask   masking `help:"Mask passwords, keys and tokens before sending; with =secrets,addresses,users also email and IP addresses, and names of users in paths."`
	privacyFlags
	JSON bool `name:"json" help:"Print id, url and expiresAt as JSON."`
}

// maxSnippet limits the bytes read: four per character and one more, so
// that the server reports code that is too long.
const maxSnippet = 4*share.MaxSnippetCode + 1

// Run shares the log and prints its link.
func (c logCmd) Run(ctx context.Context, p process) error {
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	content, err := readLog(p, c.File)
	if err != nil {
		return err
	}
	title := titleOf(c.Title, c.File, share.MaxLogTitle)
	c.Mask.apply(p, &content, share.MaxLogContent, &title, share.MaxLogTitle)
	length := utf8.RuneCountInString(content)
	if length > share.MaxLogContent && (c.Encrypt || c.Once) {
		return usageError{fmt.Errorf("--once and --encrypt support a log of at most %d characters, and this has %d", share.MaxLogContent, length)}
	}
	fragment, err := c.apply(share.KindLog, "", &content, &title)
	if err != nil {
		return err
	}
	var made client.SharedLog
	if length > share.MaxLogContent {
		made, err = api.ShareLogText(ctx, strings.NewReader(content), client.LogTextRequest{Title: title, Expiry: c.Expiry, Format: c.Format, FitEnds: c.Fit != nil})
	} else {
		made, err = api.ShareLog(ctx, client.LogRequest{Content: content, Title: title, Expiry: c.Expiry, Format: c.Format, Burn: c.Once, Encrypted: c.Encrypt})
	}
	if err != nil {
		return refusal(err)
	}
	return shared{made.ID, api.Link(made.URL) + fragment, made.ExpiresAt, ""}.print(p, c.Expiry, c.JSON)
}

// snippetCmd shares code on a server.
type snippetCmd struct {
	File string `arg:"" optional:"" help:"The code; - or no argument means standard input."`
	caller
	Language string  `placeholder:"NAME" help:"Default: detected from the name of the file, else from its content."`
	Title    string  `help:"Default: the name of the file."`
	Expiry   string  `enum:"{snippet_expiries}" default:"24h" help:"How long to keep it: {snippet_expiries}."`
	Mask     masking `help:"Mask passwords, keys and tokens before sending; with =secrets,addresses,users also email and IP addresses, and names of users in paths."`
	privacyFlags
	JSON bool `name:"json" help:"Print id, url, language and expiresAt as JSON."`
}

// Run shares the code and prints its link.
func (c snippetCmd) Run(ctx context.Context, p process) error {
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	code, err := readText(p, c.File, maxSnippet)
	if err != nil {
		return err
	}
	name := c.Language
	if name == "" {
		name = language.Detect(code, filepath.Base(c.File))
	}
	title := titleOf(c.Title, c.File, share.MaxSnippetTitle)
	c.Mask.apply(p, &code, share.MaxSnippetCode, &title, share.MaxSnippetTitle)
	fragment, err := c.apply(share.KindSnippet, name, &code, &title)
	if err != nil {
		return err
	}
	made, err := api.ShareSnippet(ctx, client.SnippetRequest{
		Code: code, Language: name, Title: title, Expiry: c.Expiry, Burn: c.Once, Encrypted: c.Encrypt,
	})
	if err != nil {
		return refusal(err)
	}
	return shared{made.ID, made.FullURL + fragment, made.ExpiresAt, made.Language}.print(p, c.Expiry, c.JSON)
}

// readFile reads at most longest bytes of a file, or of standard input if file
// is "-" or empty.
func readFile(p process, file string, longest int64) (string, error) {
	in := p.stdin
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }()
		in = f
	} else if isTerminal(p.stdin) {
		_, _ = fmt.Fprintln(p.stderr, "Reading from the terminal until Ctrl-D.")
	}
	var read counter
	defer watch(p.stderr, "read", read.Load)()
	text, err := io.ReadAll(io.TeeReader(io.LimitReader(logs.UTF8(in), longest), &read))
	return string(text), err
}

// readText is like readFile but replaces invalid UTF-8 and reports it.
func readText(p process, file string, longest int64) (string, error) {
	text, err := readFile(p, file, longest)
	if err == nil && !utf8.ValidString(text) {
		_, _ = fmt.Fprintln(p.stderr, "Bytes that are not UTF-8 have been replaced by �.")
	}
	return strings.ToValidUTF8(text, "�"), err
}

// titleOf returns the title or, if that is empty, the file name, provided it is
// short enough.
func titleOf(title, file string, longest int) string {
	if title != "" || file == "" || file == "-" {
		return title
	}
	name := strings.ToValidUTF8(filepath.Base(file), "�")
	if utf8.RuneCountInString(name) > longest {
		return ""
	}
	return name
}

// refusal converts the server's field errors to a usageError.
func refusal(err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok && len(e.Fields) > 0 {
		return usageError{errors.New(e.Message)}
	}
	return err
}

// shared is the printed result of sharing.
type shared struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	ExpiresAt *time.Time `json:"expiresAt"`
	Language  string     `json:"language,omitempty"`
}

// print prints a share, with a warning on stderr if it expires earlier than
// requested.
func (s shared) print(p process, asked string, asJSON bool) error {
	lives, err := share.Expiry(asked).Duration()
	if err == nil && s.ExpiresAt != nil && (lives == 0 || time.Until(*s.ExpiresAt) < lives*9/10) {
		_, _ = fmt.Fprintf(p.stderr, "It expires at %s, earlier than requested: the server limits the expiry.\n", formatTime(*s.ExpiresAt))
	}
	return p.print(asJSON, s, "%s\n", s.URL)
}
