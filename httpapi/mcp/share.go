package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
)

// addSharers adds the tools that make and delete shares.
func (k *toolset) addSharers(s *sdk.Server) {
	add(s, "share_log", "Share a log by link. Secrets are masked first, unless the server is set up otherwise.", changingHints("Share a log", false), k.shareLog)
	add(s, "share_snippet", "Share code by link. Secrets are masked first, unless the server is set up otherwise.", changingHints("Share a snippet", false), k.shareSnippet)
	add(s, "delete_share", "Delete a share that this key has made. This cannot be undone.", changingHints("Delete a share", true), k.deleteShare)
}

type shareLogInput struct {
	File   string `json:"file,omitempty" jsonschema:"the path of the log"`
	Text   string `json:"text,omitempty" jsonschema:"or its text"`
	Title  string `json:"title,omitempty"`
	Expiry string `json:"expiry,omitempty" jsonschema:"1h, 6h, 24h (unless given), 7d, 30d or never"`
	Once   bool   `json:"once,omitempty" jsonschema:"it is deleted when it is first read"`
}

func (k *toolset) shareLog(ctx context.Context, in shareLogInput) (string, error) {
	text, err := k.read(ctx, source{File: in.File, Text: in.Text})
	if err != nil {
		return "", err
	}
	var made client.SharedLog
	if title := k.masked(in.Title); in.Once || utf8.RuneCountInString(text) <= share.MaxLogContent {
		made, err = k.sharer.ShareLog(ctx, client.LogRequest{Content: text, Title: title, Expiry: in.Expiry, Handling: client.Handling{Burn: in.Once}})
	} else {
		made, err = k.sharer.ShareLogText(ctx, strings.NewReader(text), client.LogTextRequest{Title: title, Expiry: in.Expiry})
	}
	if err != nil {
		return "", err
	}
	return k.shared(made.ID, made.URL, made.ExpiresAt), nil
}

type shareSnippetInput struct {
	File     string `json:"file,omitempty" jsonschema:"the path of the code"`
	Text     string `json:"text,omitempty" jsonschema:"or the code itself, at most 100,000 characters"`
	Language string `json:"language,omitempty" jsonschema:"its language; detected unless given"`
	Title    string `json:"title,omitempty" jsonschema:"at most 100 characters"`
	Expiry   string `json:"expiry,omitempty" jsonschema:"1h, 24h (unless given), 7d, 30d or never"`
	Once     bool   `json:"once,omitempty" jsonschema:"it is deleted when it is first read"`
}

func (k *toolset) shareSnippet(ctx context.Context, in shareSnippetInput) (string, error) {
	code, err := k.read(ctx, source{File: in.File, Text: in.Text})
	if err != nil {
		return "", err
	}
	made, err := k.sharer.ShareSnippet(ctx, client.SnippetRequest{Code: code, Language: in.Language, Title: k.masked(in.Title), Expiry: in.Expiry, Handling: client.Handling{Burn: in.Once}})
	if err != nil {
		return "", err
	}
	return k.shared(made.ID, made.URL, made.ExpiresAt), nil
}

// shared returns the text that tells where a share is.
func (k *toolset) shared(id, path string, expires *time.Time) string {
	return fmt.Sprintf("%s\nid %s, expires %s\n", k.sharer.Link(path), id, formatTime(expires))
}

type deleteInput struct {
	ID string `json:"id" jsonschema:"the id or link of a share"`
}

func (k *toolset) deleteShare(ctx context.Context, in deleteInput) (string, error) {
	kind, id, err := parseReference(in.ID)
	if err != nil {
		return "", err
	}
	urls := []string{share.KindLog.Path(id), share.KindSnippet.Path(id)}
	if kind != "" {
		urls = []string{kind.Path(id)}
	}
	deleted, err := k.sharer.DeleteShares(ctx, urls...)
	for _, ok := range deleted {
		if ok && err == nil {
			return "The share is deleted.\n", nil
		}
	}
	return "", errors.Join(errors.New("this key made no share with this id, or it has expired"), err)
}
