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
	log := &sdk.Tool{Name: "share_log", Description: "Share a log by link. Secrets are masked first, unless the server is set up otherwise.", Annotations: changingHints("Share a log", false)}
	optionTool(s, log, share.LogParameters, k.shareLog)
	snippet := &sdk.Tool{Name: "share_snippet", Description: "Share code by link. Secrets are masked first, unless the server is set up otherwise.", Annotations: changingHints("Share a snippet", false)}
	optionTool(s, snippet, share.SnippetParameters, k.shareSnippet)
	add(s, "delete_share", "Delete a share that this key has made. This cannot be undone.", changingHints("Delete a share", true), k.deleteShare)
}

// shareInput are the arguments of a tool that shares, besides the options of the
// share.
type shareInput struct {
	File string `json:"file,omitempty" jsonschema:"the path of the text to share"`
	Text string `json:"text,omitempty" jsonschema:"or the text itself"`
	Once bool   `json:"once,omitempty" jsonschema:"it is deleted when it is first read"`
}

func (k *toolset) shareLog(ctx context.Context, in shareInput, o share.LogOptions) (sdk.Content, shareOutput, error) {
	text, err := k.read(ctx, source{File: in.File, Text: in.Text})
	if err != nil {
		return nil, shareOutput{}, err
	}
	var made client.SharedLog
	if title := k.masked(o.Title); in.Once || utf8.RuneCountInString(text) <= share.MaxLogContent {
		made, err = k.sharer.ShareLog(ctx, client.LogRequest{Content: text, Title: title, Expiry: string(o.Expiry), Format: string(o.Format), Burn: in.Once})
	} else {
		made, err = k.sharer.ShareLogText(ctx, strings.NewReader(text), client.LogTextRequest{Title: title, Expiry: string(o.Expiry), Format: string(o.Format)})
	}
	if err != nil {
		return nil, shareOutput{}, err
	}
	return k.shared(made.ID, made.URL, made.ExpiresAt)
}

func (k *toolset) shareSnippet(ctx context.Context, in shareInput, o share.SnippetOptions) (sdk.Content, shareOutput, error) {
	code, err := k.read(ctx, source{File: in.File, Text: in.Text})
	if err != nil {
		return nil, shareOutput{}, err
	}
	made, err := k.sharer.ShareSnippet(ctx, client.SnippetRequest{Code: code, Language: o.Language, Title: k.masked(o.Title), Expiry: string(o.Expiry), Burn: in.Once})
	if err != nil {
		return nil, shareOutput{}, err
	}
	return k.shared(made.ID, made.URL, made.ExpiresAt)
}

// shareOutput is the result of a tool that shares as data.
type shareOutput struct {
	URL       string     `json:"url"`
	ID        string     `json:"id"`
	ExpiresAt *time.Time `json:"expiresAt"` // null if it never expires
}

// shared tells where a share is.
func (k *toolset) shared(id, path string, expires *time.Time) (sdk.Content, shareOutput, error) {
	link := k.sharer.Link(path)
	text := fmt.Sprintf("%s\nid %s, expires %s\n", link, id, formatTime(expires))
	return &sdk.TextContent{Text: text}, shareOutput{link, id, expires}, nil
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
