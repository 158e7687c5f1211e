package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
)

// shareInput are the arguments of a tool that shares, besides the options of the
// share.
type shareInput struct {
	source

	Once bool `json:"once,omitempty" jsonschema:"it is deleted when it is first read"`
}

func (k *toolset) shareLog(ctx context.Context, in shareInput, o share.LogOptions) (shareOutput, error) {
	api, text, err := k.readToShare(ctx, in)
	if err != nil {
		return shareOutput{}, err
	}
	base := api.PublicURL(ctx)
	made, err := api.ShareLog(ctx, client.LogRequest{Content: text, Title: k.masked(o.Title), Expiry: string(o.Expiry), Format: string(o.Format), Burn: in.Once})
	return shareOutput{base + made.URL, made.ID, made.ExpiresAt}, err
}

func (k *toolset) shareSnippet(ctx context.Context, in shareInput, o share.SnippetOptions) (shareOutput, error) {
	api, code, err := k.readToShare(ctx, in)
	if err != nil {
		return shareOutput{}, err
	}
	base := api.PublicURL(ctx)
	made, err := api.ShareSnippet(ctx, client.SnippetRequest{Code: code, Language: o.Language, Title: k.masked(o.Title), Expiry: string(o.Expiry), Burn: in.Once})
	return shareOutput{base + made.URL, made.ID, made.ExpiresAt}, err
}

func (k *toolset) readToShare(ctx context.Context, in shareInput) (*client.Client, string, error) {
	api, err := k.server()
	if err != nil {
		return nil, "", err
	}
	text, err := k.read(ctx, in.source)
	return api, text, err
}

// shareOutput is the result of a tool that shares as data.
type shareOutput struct {
	URL       string     `json:"url"`
	ID        string     `json:"id"`
	ExpiresAt *time.Time `json:"expiresAt"` // null if it never expires
}

func (o shareOutput) content() sdk.Content {
	return &sdk.TextContent{Text: fmt.Sprintf("%s\nid %s, expires %s\n", o.URL, o.ID, formatTime(o.ExpiresAt))}
}

type deleteInput struct {
	ID string `json:"id" jsonschema:"the id or link of a share"`
}

// deleteOutput is the result of delete_share: the id of what is deleted.
type deleteOutput struct {
	Deleted string `json:"deleted"`
}

func (deleteOutput) content() sdk.Content { return &sdk.TextContent{Text: "The share is deleted.\n"} }

func (k *toolset) deleteShare(ctx context.Context, in deleteInput) (out deleteOutput, err error) {
	api, err := k.server()
	if err != nil {
		return out, err
	}
	kind, id, err := parseReference(ctx, api, in.ID)
	if err != nil {
		return out, err
	}
	urls := []string{share.KindLog.Path(id), share.KindSnippet.Path(id)}
	if kind != "" {
		urls = []string{kind.Path(id)}
	}
	deleted, err := api.DeleteShares(ctx, urls...)
	if err == nil && slices.Contains(deleted, true) {
		return deleteOutput{id}, nil
	}
	return out, errors.Join(errors.New("this key made no share with this id, or it has expired"), err)
}
