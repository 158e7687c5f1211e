package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

// privacyFlags holds the flags for private shares.
type privacyFlags struct {
	Once    bool `help:"Delete it when it is first read."`
	Encrypt bool `help:"Encrypt it and its title before sending. The link ends in # and the key, which the server never receives."`
}

// apply encrypts content and title if requested, and returns the key as a URL
// fragment.
func (h privacyFlags) apply(kind share.Kind, language string, content, title *string) (fragment string, err error) {
	if !h.Encrypt || *content == "" {
		return "", nil // the server refuses empty content
	}
	sealed, key, err := seal.Seal(seal.Share{Kind: string(kind), Title: *title, Language: language, Content: *content})
	*content, *title = sealed, ""
	return "#" + key, err
}

type showShare struct {
	Link string `arg:"" help:"The link of a share, or its path such as /logs/4gyvm6pt90hk4r7z. An encrypted share requires the # and the key at its end."`
	caller
	Once bool `help:"Read a share that can be read once, which deletes it."`
	JSON bool `name:"json" help:"Print the share as JSON, as the API returns it: content or code, title, url, expiresAt and others."`
}

// Run prints the share or its content, decrypted if necessary.
func (c showShare) Run(ctx context.Context, p process) error {
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	kind, id, err := parseLinkOn(api, c.Link)
	if err != nil {
		return err
	}
	read, content, err := c.read(ctx, api, kind, id)
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Code == "too_large" && !c.JSON {
		return printText(ctx, p, api, id)
	}
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Code == "read_once" {
		return errors.New("this share is read once, and reading deletes it: add --once")
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return p.json(read)
	}
	return printContent(p.stdout, strings.NewReader(content))
}

// printContent copies the content of a share to w: byte for byte unless w is a
// terminal, which would obey its escape sequences.
func printContent(w io.Writer, content io.Reader) error {
	if isTerminal(w) {
		return printVisible(w, content)
	}
	_, err := io.Copy(w, content)
	return err
}

// printVisible copies text without escape sequences, and with � in place of
// characters that are invisible.
func printVisible(w io.Writer, text io.Reader) error {
	lines := bufio.NewReader(text)
	for {
		line, err := lines.ReadString('\n')
		line = strings.ReplaceAll(terminal.Text(line), "\r\n", "\n")
		if _, err := io.WriteString(w, terminal.Visible(line)); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// printText prints a log of any size.
func printText(ctx context.Context, p process, api *client.Client, id string) error {
	text, err := api.LogText(ctx, id)
	if err != nil {
		return err
	}
	return errors.Join(printContent(p.stdout, text), text.Close())
}

// read returns the share, decrypted if necessary, and its content.
func (c showShare) read(ctx context.Context, api *client.Client, kind share.Kind, id string) (read any, content string, err error) {
	if kind == share.KindLog {
		get := api.Log
		if c.Once {
			get = api.TakeLog
		}
		log, err := get(ctx, id)
		if err == nil {
			err = c.decrypt(kind, &log.Content, &log.Title, new(string))
		}
		return log, log.Content, err
	}
	get := api.Snippet
	if c.Once {
		get = api.TakeSnippet
	}
	snippet, err := get(ctx, id)
	if err == nil {
		err = c.decrypt(kind, &snippet.Code, &snippet.Title, &snippet.Language)
	}
	return snippet, snippet.Code, err
}

// decrypt decrypts encrypted content with the key in the link, and sets what was
// encrypted with it.
func (c showShare) decrypt(kind share.Kind, content, title, language *string) error {
	if !seal.Valid(*content) {
		return nil
	}
	u, err := url.Parse(c.Link)
	if err != nil || u.Fragment == "" {
		return errors.New("this share is encrypted: give its whole link, including # and the key")
	}
	opened, err := seal.Open(string(kind), *content, u.Fragment)
	if err != nil {
		return errors.New("the key after # does not decrypt this share, or the share is damaged")
	}
	*content, *title, *language = opened.Content, opened.Title, opened.Language
	return nil
}
