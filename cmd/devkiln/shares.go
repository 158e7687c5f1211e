package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
)

// sharesCmd groups the commands for the shares of a key.
type sharesCmd struct {
	List   listShares   `cmd:"" help:"List the shares of your key, newest first."`
	Show   showShare    `cmd:"" help:"Print the content of a share, whoever made it."`
	Open   openShare    `cmd:"" help:"Open the page of a share in the browser."`
	Delete deleteShares `cmd:"" help:"Delete shares of your key."`
}

type listShares struct {
	caller
	Kind  *string `enum:"log,snippet" help:"List only logs or only snippets: log, snippet."`
	Title string  `placeholder:"TEXT" help:"List only shares with this text in their title, ignoring case."`
	Limit int     `default:"50" help:"The maximum number of shares to list; 0 means all."`
	JSON  bool    `name:"json" help:"Print an array of JSON objects."`
}

// Run prints the shares.
func (c listShares) Run(ctx context.Context, p process) error {
	if c.Limit < 0 {
		return usageError{errors.New("--limit must not be negative")}
	}
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	found, err := c.find(ctx, api)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.json(found)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "TITLE\tKIND\tBYTES\tCREATED\tEXPIRES\tLINK")
	for _, s := range found {
		expires := "never"
		if s.ExpiresAt != nil {
			expires = formatTime(*s.ExpiresAt)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\n", printable(s.Title), s.Kind, s.Bytes, formatTime(s.CreatedAt), expires, api.Link(s.URL))
	}
	return table.Flush()
}

// find fetches pages until there are enough shares.
func (c listShares) find(ctx context.Context, api *client.Client) ([]client.Share, error) {
	found, query := []client.Share{}, client.SharesQuery{Text: c.Title, Limit: share.MaxFound}
	if c.Kind != nil {
		query.Kind = *c.Kind
	}
	for {
		if c.Limit > 0 {
			query.Limit = min(c.Limit-len(found), share.MaxFound)
		}
		page, err := api.Shares(ctx, query)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Shares...)
		if page.Next == "" || c.Limit > 0 && len(found) >= c.Limit {
			return found, nil
		}
		query.After = page.Next
	}
}

type openShare struct {
	Link string `arg:"" help:"The link of a share, or its path such as /logs/4gyvm6pt90hk4r7z."`
	URL  string `name:"url" variable:"" placeholder:"URL" help:"The server. Also $$DEVKILN_URL."`
}

// Run opens the page with the system's program for links.
func (c openShare) Run(ctx context.Context, p process) error {
	kind, id, err := parseLink(c.Link)
	if err != nil {
		return err
	}
	link := c.Link
	if strings.HasPrefix(link, "/") {
		server, err := caller{URL: c.URL}.withLogin(p)
		if err != nil {
			return err
		}
		if server.URL == "" {
			return usageError{errors.New("a path needs a server: run devkiln login URL, or set DEVKILN_URL, or --url")}
		}
		link = strings.TrimRight(server.URL, "/") + kind.Path(id)
	}
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if output, err := exec.CommandContext(ctx, program[0], append(program[1:], link)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w %s", program[0], link, err, output)
	}
	return nil
}

type deleteShares struct {
	Links []string `arg:"" help:"Links of shares of your key, or their paths."`
	caller
	JSON bool `name:"json" help:"Print an array with url and deleted of each share."`
}

// Run deletes the shares. It returns an error if any was not deleted.
func (c deleteShares) Run(ctx context.Context, p process) error {
	api, err := c.dial(p)
	if err != nil {
		return err
	}
	paths := make([]string, len(c.Links))
	for i, link := range c.Links {
		kind, id, err := parseLinkOn(api, link)
		if err != nil {
			return err
		}
		paths[i] = kind.Path(id)
	}
	deleted, err := api.DeleteShares(ctx, paths...)
	if err != nil && len(deleted) == 0 {
		return err
	}
	results, missed := make([]deletion, len(deleted)), 0
	for i, done := range deleted {
		results[i] = deletion{paths[i], done}
		if !done {
			missed++
			_, _ = fmt.Fprintf(p.stderr, "%s: your key has made no such share, or it is already deleted\n", c.Links[i])
		}
	}
	err = errors.Join(err, p.print(c.JSON, results, "%d deleted\n", len(deleted)-missed))
	if err == nil && missed > 0 {
		err = fmt.Errorf("%d of %d were not deleted", missed, len(deleted))
	}
	return err
}

// deletion is the printed result of deleting a share.
type deletion struct {
	URL     string `json:"url"`
	Deleted bool   `json:"deleted"`
}

// parseLinkOn parses a link to a share on the server of api, or its path.
func parseLinkOn(api *client.Client, link string) (kind share.Kind, id string, err error) {
	kind, id, err = parseLink(link)
	asked, _ := url.Parse(api.Link("/"))
	if there, bad := url.Parse(link); err == nil && bad == nil && there.Host != "" && !strings.EqualFold(there.Host, asked.Host) {
		err = usageError{fmt.Errorf("%s is on another server than %s, which this command asks; set --url and a key of that server", link, asked.Host)}
	}
	return kind, id, err
}

// parseLink parses a link to a share on any server, or its path.
func parseLink(link string) (kind share.Kind, id string, err error) {
	u, err := url.Parse(link)
	if err == nil {
		dir, last := path.Split(u.Path)
		if kind, id, ok := share.ParsePath("/" + path.Base(dir) + "/" + last); ok {
			return kind, id, nil
		}
	}
	return "", "", usageError{fmt.Errorf("%q is not a link to a share, such as https://kiln.example/logs/4gyvm6pt90hk4r7z", link)}
}
