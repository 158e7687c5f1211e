package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

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
	kind, id, err := parseLink(api, c.Link)
	if err != nil {
		return err
	}
	read, content, err := c.read(ctx, api, kind, id)
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Code == "read_once" {
		return errors.New("this share is read once, and reading deletes it: add --once")
	}
	switch {
	case err != nil:
		if c.Once { // it is deleted, and this is all there is
			_, _ = io.WriteString(p.stdout, content)
		}
		return err
	case c.JSON:
		return p.json(read)
	case isTerminal(p.stdout): // which would obey escape sequences
		content = visible(content)
	}
	_, err = io.WriteString(p.stdout, content)
	return err
}

// visible returns a text without escape sequences, and with � in place of
// characters that are invisible.
func visible(text string) string {
	return terminal.Visible(strings.ReplaceAll(terminal.Text(text), "\r\n", "\n"))
}

// read returns the share, decrypted if necessary, and its content. With an error
// of decryption the content is what the server stores.
func (c showShare) read(ctx context.Context, api *client.Client, kind share.Kind, id string) (read any, content string, err error) {
	if kind == share.KindLog {
		get := api.Log
		if c.Once {
			get = api.TakeLog
		}
		log, err := get(ctx, id)
		if err != nil {
			return nil, "", err
		}
		opened, err := c.decrypt(kind, seal.Share{Title: log.Title, Content: log.Content})
		log.Content, log.Title = opened.Content, opened.Title
		return log, log.Content, err
	}
	get := api.Snippet
	if c.Once {
		get = api.TakeSnippet
	}
	snippet, err := get(ctx, id)
	if err != nil {
		return nil, "", err
	}
	opened, err := c.decrypt(kind, seal.Share{Title: snippet.Title, Language: snippet.Language, Content: snippet.Code})
	snippet.Code, snippet.Title, snippet.Language = opened.Content, opened.Title, opened.Language
	return snippet, snippet.Code, err
}

// decrypt decrypts a share, if it is encrypted, with the key in the link.
func (c showShare) decrypt(kind share.Kind, read seal.Share) (seal.Share, error) {
	if !seal.Valid(read.Content) {
		return read, nil
	}
	_, key, _ := strings.Cut(c.Link, "#")
	if key == "" {
		return read, errors.New("this share is encrypted: give its whole link, including # and the key")
	}
	opened, err := seal.Open(string(kind), read.Content, key)
	if err != nil {
		return read, errors.New("the key after # does not decrypt this share, or the share is damaged")
	}
	return opened, nil
}
