package main

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
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
	if c.JSON {
		return p.json(page.Shares)
	}
	rows := [][]string{{"TITLE", "KIND", "BYTES", "CREATED", "EXPIRES", "LINK"}}
	for _, s := range page.Shares {
		expires := "never"
		if s.ExpiresAt != nil {
			expires = formatTime(*s.ExpiresAt)
		}
		rows = append(rows, []string{oneLine(s.Title), s.Kind, strconv.Itoa(s.Bytes), formatTime(s.CreatedAt), expires, api.Link(s.URL)})
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
		kind, id, err := parseLink(api, link)
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
func parseLink(api *client.Client, link string) (kind share.Kind, id string, err error) {
	u, err := url.Parse(link)
	ok := err == nil
	if ok {
		dir, last := path.Split(u.Path)
		kind, id, ok = share.ParsePath("/" + path.Base(dir) + "/" + last)
	}
	if !ok {
		return "", "", usageError{fmt.Errorf("%q is not a link to a share, such as https://kiln.example/logs/4gyvm6pt90hk4r7z", link)}
	}
	asked, err := url.Parse(api.Link("/"))
	if err == nil && u.Host != "" && !strings.EqualFold(u.Host, asked.Host) {
		err = usageError{fmt.Errorf("%s is on another server than %s, which this command asks; set --url and a key of that server", link, asked.Host)}
	}
	return kind, id, err
}
