package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/seal"
)

// maxText is the maximum size of a file or a shared log in bytes.
const maxText = 32 << 20

// source is the text that a tool examines, draws or shares.
type source struct {
	ID   string `json:"id,omitempty" jsonschema:"the id or link of a share. Give exactly one of id, file and text"`
	File string `json:"file,omitempty" jsonschema:"the path of a file of text, below the folder that devkiln mcp was started in"`
	Text string `json:"text,omitempty" jsonschema:"the text itself"`
}

// read returns the masked text of a source.
func (k *toolset) read(ctx context.Context, from source) (string, error) {
	opened, err := k.open(ctx, from)
	return opened.content, err
}

// open returns the masked share that a source names, or of a file or a text only
// the content.
func (k *toolset) open(ctx context.Context, from source) (share found, err error) {
	err = fmt.Errorf("give exactly one of %s, and not an empty one", k.known([]string{"id", "file", "text"}))
	switch from {
	case source{}:
	case source{Text: from.Text}:
		share.content, err = readAll("text", strings.NewReader(from.Text))
	case source{File: from.File}:
		share.content, err = k.readFile(from.File)
	case source{ID: from.ID}:
		share, err = k.find(ctx, from.ID)
	}
	share.content, share.title = k.masked(share.content), k.masked(share.title)
	return share, err
}

// readFile returns the text of a file below the root, with invalid UTF-8
// replaced by �.
func (k *toolset) readFile(name string) (string, error) {
	if k.Root == nil {
		return "", errors.New("file: this server reads no files; give the text, or run devkiln mcp where the file is")
	}
	below := name
	root, err := filepath.Abs(k.Root.Name())
	if err == nil && filepath.IsAbs(name) {
		below, err = filepath.Rel(root, name)
	}
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("file: %q is not below %s, the folder that tools may read; devkiln mcp --root names another", name, root)
	}
	info, err := k.Root.Stat(below) // to open a named pipe would wait for its writer
	if err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("file: %q is not a regular file", name)
	}
	f, err := k.Root.Open(below)
	if err != nil {
		return "", fmt.Errorf("file: %q in %s: %w", name, root, errors.Unwrap(err)) // without openat
	}
	defer func() { _ = f.Close() }()
	text, err := readAll("file", logs.UTF8(f))
	if err == nil && terminal.IsBinary(text) {
		err = fmt.Errorf("file: %q is not text", name)
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError)), err
}

// readAll reads the text of an argument to its end.
func readAll(argument string, r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("%s: has more than %d bytes", argument, maxText)
	}
	return string(text), err
}

// found is a share that find returns.
type found struct {
	kind           share.Kind
	id             string
	content, title string
	language       string // language of a snippet
}

// find returns the share with an id or a link, if its content is text.
func (k *toolset) find(ctx context.Context, reference string) (found, error) {
	share, err := k.fetch(ctx, reference)
	switch {
	case isRefused(err, "read_once"):
		return found{}, errors.New("this share is read once, which deletes it, by a person: devkiln shares show --once prints it")
	case err == nil && seal.Valid(share.content):
		return found{}, errors.New("this share is encrypted, and this server must not see its key; devkiln shares show decrypts its whole link")
	}
	return share, err
}

func (k *toolset) fetch(ctx context.Context, reference string) (found, error) {
	api, err := k.server()
	if err != nil {
		return found{}, err
	}
	kind, id, err := parseReference(ctx, api, reference)
	if err != nil {
		return found{}, err
	}
	if kind != share.KindSnippet {
		log, err := api.Log(ctx, id)
		if err == nil || kind == share.KindLog || !isRefused(err, "not_found") {
			return found{share.KindLog, id, log.Content, log.Title, ""}, err
		}
	}
	snippet, err := api.Snippet(ctx, id)
	return found{share.KindSnippet, id, snippet.Code, snippet.Title, snippet.Language}, err
}

// parseReference parses an id or a link on the server of api, which also gives
// the kind.
func parseReference(ctx context.Context, api *client.Client, reference string) (kind share.Kind, id string, err error) {
	if !api.Owns(ctx, reference) {
		return "", "", fmt.Errorf("id: %s is on another server than %s, which these tools ask", reference, api.Link(""))
	}
	parts := strings.FieldsFunc(reference, func(c rune) bool { return strings.ContainsRune("/?# ", c) })
	for i, part := range parts {
		if share.ValidID(part) {
			kind, _, _ = share.ParsePath("/" + parts[max(i-1, 0)] + "/" + part)
			return kind, part, nil
		}
	}
	return "", "", errors.New("id: must be the id or the link of a share")
}

// isRefused reports whether err is a response of the server with this code.
func isRefused(err error, code string) bool {
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Code == code
}
