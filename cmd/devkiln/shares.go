package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/seal"
)

// sharesCmd groups the commands for the shares of a key.
type sharesCmd struct {
	List   listShares   `cmd:"" help:"List the shares of your key, newest first."`
	Show   showShare    `cmd:"" help:"Print the content of a share, whoever made it."`
	Delete deleteShares `cmd:"" help:"Delete shares of your key."`
}

type listShares struct {
	caller
	Kind  *string `enum:"log,snippet" help:"List only logs or only snippets: log, snippet."`
	Title string  `placeholder:"TEXT" help:"List only shares with this text in their title, ignoring case."`
	Limit int     `default:"50" help:"The maximum number of shares to list, at most ${max_found}."`
	JSON  bool    `name:"json" help:"Print an array of JSON objects."`
}

// Run prints the shares.
func (c listShares) Run(ctx context.Context, p process) error {
	if c.Limit < 1 || c.Limit > share.MaxFound {
		return usageError{fmt.Errorf("--limit must be 1 to %d", share.MaxFound)}
	}
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	query := client.SharesQuery{Text: c.Title, Limit: c.Limit}
	if c.Kind != nil {
		query.Kind = *c.Kind
	}
	page, err := api.Shares(ctx, query)
	if err != nil {
		return refusal(err)
	}
	rows := [][]string{{"TITLE", "KIND", "BYTES", "CREATED", "EXPIRES", "LINK"}}
	base := api.PublicURL(ctx)
	for i, s := range page.Shares {
		page.Shares[i].URL = base + s.URL
		expires := "never"
		if s.ExpiresAt != nil {
			expires = formatTime(*s.ExpiresAt)
		}
		rows = append(rows, []string{oneLine(s.Title), s.Kind, strconv.Itoa(s.Bytes), formatTime(s.CreatedAt), expires, base + s.URL})
	}
	if c.JSON {
		return p.json(page.Shares)
	}
	return p.table(rows...)
}

type deleteShares struct {
	Links []string `arg:"" help:"Links of shares of your key, or their paths."`
	caller
}

// Run deletes the shares. It returns an error if any was not deleted.
func (c deleteShares) Run(ctx context.Context, p process) error {
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	paths := make([]string, len(c.Links))
	for i, link := range c.Links {
		kind, id, err := parseLink(ctx, api, link)
		if err != nil {
			return err
		}
		paths[i] = kind.Path(id)
	}
	deleted, err := api.DeleteShares(ctx, paths...)
	if err != nil && len(deleted) == 0 {
		return err
	}
	missed := 0
	for i, done := range deleted {
		if !done {
			missed++
			_, _ = fmt.Fprintf(p.stderr, "%s: your key has made no such share, or it is already deleted\n", c.Links[i])
		}
	}
	_, _ = fmt.Fprintf(p.stdout, "%d deleted\n", len(deleted)-missed)
	if err == nil && missed > 0 {
		err = fmt.Errorf("%d of %d were not deleted", missed, len(deleted))
	}
	return err
}

// parseLink parses a link to a share on the server of api, or its path.
func parseLink(ctx context.Context, api *client.Client, link string) (kind share.Kind, id string, err error) {
	u, err := url.Parse(link)
	ok := err == nil
	if ok {
		dir, last := path.Split(u.Path)
		kind, id, ok = share.ParsePath("/" + path.Base(dir) + "/" + last)
	}
	if !ok {
		return "", "", usageError{fmt.Errorf("%q is not a link to a share, such as https://kiln.example/logs/4gyvm6pt90hk4r7z", link)}
	}
	if !api.Owns(ctx, link) {
		err = usageError{fmt.Errorf("%s is on another server than %s, which this command asks; set --url and a key of that server", link, api.Link(""))}
	}
	return kind, id, err
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
	kind, id, err := parseLink(ctx, api, c.Link)
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
	return p.print("%s", content)
}

// visible returns a text without escape sequences, and with � in place of
// characters that are invisible.
func visible(text string) string {
	return terminal.Visible(strings.ReplaceAll(terminal.Text(text), "\r\n", "\n"))
}

// read returns the share, decrypted if necessary, and its content. With an error
// of decryption the content is what the server stores.
func (c showShare) read(ctx context.Context, api *client.Client, kind share.Kind, id string) (read any, content string, err error) {
	getLog, getSnippet := api.Log, api.Snippet
	if c.Once {
		getLog, getSnippet = api.TakeLog, api.TakeSnippet
	}
	if kind == share.KindLog {
		log, err := getLog(ctx, id)
		if err != nil {
			return nil, "", err
		}
		opened, err := c.decrypt(kind, seal.Share{Title: log.Title, Content: log.Content})
		log.Content, log.Title = opened.Content, opened.Title
		return log, log.Content, err
	}
	snippet, err := getSnippet(ctx, id)
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
