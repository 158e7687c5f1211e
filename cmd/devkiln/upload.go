package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
	"github.com/devkiln/devkiln/share/seal"
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
	switch {
	case c.MaxWait < 0:
		return nil, usageError{errors.New("--max-wait must be 0 or more")}
	case c.URL == "":
		return nil, usageError{errors.New("a server and a key are needed: run devkiln login URL, or set DEVKILN_URL and DEVKILN_KEY, or --url and --key")}
	case c.Key == "":
		return nil, usageError{fmt.Errorf("a key of %s is needed: run devkiln login %[1]s, or set DEVKILN_KEY, or --key", c.URL)}
	}
	o := client.Options{UserAgent: "devkiln/" + version(), LongestWait: c.MaxWait, OnRetry: func(r client.Retry) {
		_, _ = fmt.Fprintf(p.stderr, "Waiting %v before another try: %v\n", r.Wait, r.Err)
	}}
	if transport, ok := http.DefaultTransport.(*http.Transport); ok {
		transport = transport.Clone()
		transport.ResponseHeaderTimeout = time.Minute
		o.HTTP = &http.Client{Transport: transport}
	}
	if c.MaxWait == 0 {
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
	if _, err := client.New(c.URL, "unknown", client.Options{}); c.URL != "" && err != nil {
		return c, usageError{err}
	}
	kept, err := readLogin(p.loginFile)
	c.URL = cmp.Or(c.URL, kept.URL)
	switch {
	case c.Key != "" || kept.Key == "":
	case strings.TrimRight(c.URL, "/") == kept.URL:
		c.Key = kept.Key
	default:
		err = usageError{fmt.Errorf("the key of devkiln login is for %s and is not sent to %s; give --key", kept.URL, c.URL)}
	}
	return c, err
}

// upload holds what the commands log and snippet have in common.
type upload struct {
	File string `arg:"" optional:"" help:"What to share; - or no argument means standard input."`
	caller
	Mask    masking `help:"Mask what is written as a password, key or token before sending, not every secret; with =secrets,addresses,users also email and IP addresses, and names of users in paths."`
	Once    bool    `help:"Delete it when it is first read."`
	Encrypt bool    `help:"Encrypt it and its title before sending. The link ends in # and the key, which the server never receives."`
	JSON    bool    `name:"json" help:"Print id, url and expiresAt, of a snippet also its language, as JSON."`

	kong.Plugins // a flag for each option of package share
}

// text is what is sent.
type text struct{ content, title, language string }

// logCmd shares a log on a server.
type logCmd struct {
	upload
	Fit *string `placeholder:"ends" enum:"ends" help:"What to do with a log that is too long for the server: \"ends\" leaves out its middle and says so in a line. Default: fail."`
}

// Run shares the log and prints its link.
func (c logCmd) Run(ctx context.Context, p process) error {
	o, err := readFlags(option.Of[share.LogOptions](), c.Plugins, checkOptions(option.Of[share.LogOptions]()))
	if err != nil {
		return usageError{err}
	}
	content, err := readText(p, c.File, limit{wholeLog.bytes, wholeLog.text, true})
	if err != nil {
		return err
	}
	if n := utf8.RuneCountInString(content); n > share.MaxLogContent && (c.Encrypt || c.Once) {
		return usageError{fmt.Errorf("--once and --encrypt support a log of at most %d characters, and this has %d", share.MaxLogContent, n)}
	}
	sent := text{content, titleOf(o.Title, c.File, share.MaxLogTitle), ""}
	c.Mask.apply(p, &sent, share.MaxLogContent, share.MaxLogTitle)
	return c.send(p, share.KindLog, sent, o.Expiry, func(api *client.Client, sent text) (shared, error) {
		made, err := api.ShareLog(ctx, client.LogRequest{
			Content: sent.content, Title: sent.title, Expiry: string(o.Expiry), Format: string(o.Format), FitEnds: c.Fit != nil, Burn: c.Once, Encrypted: c.Encrypt,
		})
		tooLong := func(f client.FieldError) bool { return f.Field == "content" && f.Code == "too_long" }
		if refused, ok := errors.AsType[*client.Error](err); ok && c.Fit == nil && (refused.Status == http.StatusRequestEntityTooLarge || slices.ContainsFunc(refused.Fields, tooLong)) {
			err = usageError{fmt.Errorf("the log is too long for the server: %s; --fit ends leaves out its middle", refused.Message)}
		}
		if err == nil {
			made.URL = api.PublicURL(ctx) + made.URL
		}
		return shared{SharedLog: made}, err
	})
}

// snippetCmd shares code on a server.
type snippetCmd struct{ upload }

// Run shares the code and prints its link.
func (c snippetCmd) Run(ctx context.Context, p process) error {
	o, err := readFlags(option.Of[share.SnippetOptions](), c.Plugins, checkOptions(option.Of[share.SnippetOptions]()))
	if err != nil {
		return usageError{err}
	}
	code, err := readText(p, c.File, characters(share.MaxSnippetCode))
	if err != nil {
		return err
	}
	sent := text{code, titleOf(o.Title, c.File, share.MaxSnippetTitle), cmp.Or(o.Language, language.Detect(code, filepath.Base(c.File)))}
	c.Mask.apply(p, &sent, share.MaxSnippetCode, share.MaxSnippetTitle)
	return c.send(p, share.KindSnippet, sent, o.Expiry, func(api *client.Client, sent text) (shared, error) {
		made, err := api.ShareSnippet(ctx, client.SnippetRequest{
			Code: sent.content, Language: sent.language, Title: sent.title, Expiry: string(o.Expiry), Burn: c.Once, Encrypted: c.Encrypt,
		})
		return shared{client.SharedLog{ID: made.ID, URL: made.FullURL, ExpiresAt: made.ExpiresAt}, made.Language}, err
	})
}

// send encrypts a text if requested, posts it, and prints where it is.
func (u upload) send(p process, kind share.Kind, sent text, expiry share.Expiry, post func(*client.Client, text) (shared, error)) error {
	api, err := u.dial(p)
	if err != nil {
		return err
	}
	fragment := ""
	if u.Encrypt {
		sealed, key, err := seal.Seal(seal.Share{Kind: string(kind), Title: sent.title, Language: sent.language, Content: sent.content})
		if err != nil {
			return err
		}
		sent.content, sent.title, fragment = sealed, "", "#"+key
	}
	made, err := post(api, sent)
	if err != nil {
		return refusal(err)
	}
	made.URL += fragment
	lives, err := expiry.Duration()
	if err == nil && made.ExpiresAt != nil && (lives == 0 || time.Until(*made.ExpiresAt) < lives*9/10) {
		_, _ = fmt.Fprintf(p.stderr, "It expires at %s, earlier than requested: the server limits the expiry.\n", formatTime(*made.ExpiresAt))
	}
	return p.output(u.JSON, made, "%s\n", made.URL)
}

// limit is what a command accepts: at most bytes, which the message states as
// text, and no empty file if filled is set.
type limit struct {
	bytes  int
	text   string
	filled bool
}

// characters returns the limit of the longest text of n characters; who reads it
// counts them.
func characters(n int) limit { return limit{4 * n, fmt.Sprint(n, " characters"), true} }

// readFile reads a file, or standard input if file is "-" or empty. It refuses
// binary files.
func readFile(p process, file string, most limit) (string, error) {
	in, err := p.open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(logs.UTF8(in), int64(most.bytes)+1))
	name := file
	if file == "" || file == "-" {
		name = "standard input"
	}
	switch {
	case err != nil:
		return "", err
	case len(text) == 0 && most.filled:
		return "", usageError{fmt.Errorf("%s is empty", name)}
	case terminal.IsBinary(string(text)):
		return "", usageError{fmt.Errorf("%s is not text", name)}
	case len(text) > most.bytes:
		return "", usageError{fmt.Errorf("%s has more than %s", name, most.text)}
	}
	return string(text), nil
}

// readText is like readFile but replaces invalid UTF-8 and reports it.
func readText(p process, file string, most limit) (string, error) {
	text, err := readFile(p, file, most)
	if err == nil && !utf8.ValidString(text) {
		_, _ = fmt.Fprintln(p.stderr, "Bytes that are not UTF-8 have been replaced by �.")
	}
	return strings.ToValidUTF8(text, "�"), err
}

// titleOf returns the title or, if that is empty, the file name, provided it is
// short enough.
func titleOf(title, file string, longest int) string {
	name := strings.ToValidUTF8(filepath.Base(file), "�")
	if title != "" || file == "" || file == "-" || utf8.RuneCountInString(name) > longest {
		return title
	}
	return name
}

// refusal converts the server's field errors to a usageError.
func refusal(err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok && len(e.Fields) > 0 {
		return usageError{errors.New(strings.Replace(e.Message, "format: is json, but content", `--format "json": the log`, 1))}
	}
	return err
}

// shared is the printed result of sharing.
type shared struct {
	client.SharedLog

	Language string `json:"language,omitempty"`
}

// masking is the flag --mask: secrets alone, or a list of what to mask.
type masking struct {
	on, secrets      bool // secrets are always masked
	addresses, users bool
}

// IsBool reports that the flag may stand without a value.
func (m *masking) IsBool() bool { return true }

// Decode reads the value of the flag.
func (m *masking) Decode(c *kong.DecodeContext) error {
	*m = masking{on: true}
	if c.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	words := map[string]*bool{"secrets": &m.secrets, "addresses": &m.addresses, "users": &m.users}
	for word := range strings.SplitSeq(fmt.Sprint(c.Scan.Pop().Value), ",") {
		if words[word] == nil {
			return fmt.Errorf("%q must be a list of secrets, addresses and users", word)
		}
		*words[word] = true
	}
	return nil
}

// apply masks a text and its title if the flag is set, and reports on stderr what
// was masked, even if nothing was. A text that is too long stays so; the server
// refuses it.
func (m masking) apply(p process, t *text, limit, titleLimit int) {
	if !m.on {
		return
	}
	o := mask.Options{Limit: limit, Addresses: m.addresses, Users: m.users}
	content, found := mask.Secrets(t.content, o)
	o.Limit = titleLimit
	title, more := mask.Secrets(t.title, o)
	t.content, t.title, found = content, title, found.Plus(more)
	if found.Total() == 0 {
		_, _ = fmt.Fprintln(p.stderr, "No secrets were found to mask.")
		return
	}
	_, _ = fmt.Fprintf(p.stderr, "Masked before sending: %s.\n", found)
}
