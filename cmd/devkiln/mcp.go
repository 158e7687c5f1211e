package main

import (
	"context"
	"fmt"
	"os"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/mcp"
)

// mcpCmd serves MCP on standard input and output.
type mcpCmd struct {
	caller
	ReadOnly bool   `help:"Omit the tools that create or delete shares."`
	Unmasked bool   `help:"Do not mask passwords, keys and tokens in what tools share and return."`
	Root     string `type:"existingdir" default:"." placeholder:"DIR" help:"The directory whose files tools may read. Default: the current directory."`
	fontFlags
}

// Run serves until standard input ends.
func (c mcpCmd) Run(ctx context.Context, p process) error {
	named, err := c.withLogin(p)
	var api *client.Client // nil if no server is named
	if err == nil && named.URL+named.Key != "" {
		api, err = named.dial(p)
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		return usageError{err}
	}
	defer func() { _ = root.Close() }()
	fonts, err := c.load(p.stderr)
	if err != nil {
		return usageError{err}
	}
	server := mcp.New(api, mcp.Options{ReadOnly: c.ReadOnly, Unmasked: c.Unmasked, Root: root, Fonts: fonts})
	if isTerminal(p.stdin) {
		_, _ = fmt.Fprintln(p.stderr, "Waiting for an agent to speak the Model Context Protocol. Ctrl-D ends it.")
	}
	return server.Run(ctx, p.stdin, p.stdout)
}
