package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/seal"
)

// maxText is the maximum size of a file or a shared log in bytes.
const maxText = 32 << 20

// source is the log that a tool examines.
type source struct {
	ID   string `json:"id,omitempty" jsonschema:"the id or link of a share"`
	File string `json:"file,omitempty" jsonschema:"or the path of a file"`
	Text string `json:"text,omitempty" jsonschema:"or the text itself"`
}

// read returns the masked text of a source.
func (k *toolset) read(ctx context.Context, from source) (string, error) {
	text, err := "", errors.New("give one of id, file and text")
	switch from {
	case source{}:
	case source{Text: from.Text}:
		text, err = readAll("text", strings.NewReader(from.Text))
	case source{File: from.File}:
		text, err = k.readFile(from.File)
	case source{ID: from.ID}:
		var found found
		found, err = k.find(ctx, from.ID)
		text = found.content
	}
	return k.masked(text), err
}

// readFile returns the text of a file below the root, with invalid UTF-8
// replaced by �.
func (k *toolset) readFile(name string) (string, error) {
	if k.Root == nil {
		return "", errors.New("file: this server reads no files; give the text, or run devkiln mcp where the file is")
	}
	if filepath.IsAbs(name) {
		root, err := filepath.Abs(k.Root.Name())
		if err != nil {
			return "", err
		}
		if name, err = filepath.Rel(root, name); err != nil {
			return "", err
		}
	}
	info, err := k.Root.Stat(name) // to open a named pipe would wait for its writer
	if err == nil && !info.Mode().IsRegular() {
		return "", errors.New("file: not a regular file")
	}
	f, err := k.Root.Open(name)
	if err != nil {
		return "", fmt.Errorf("file: %w (only files below %s can be read)", err, k.Root.Name())
	}
	defer func() { _ = f.Close() }()
	text, err := readAll("file", logs.UTF8(f))
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
	if err == nil && seal.Valid(share.content) {
		return found{}, errors.New("this share is encrypted, and this server must not see its key; devkiln shares show decrypts its whole link")
	}
	return share, err
}

func (k *toolset) fetch(ctx context.Context, reference string) (found, error) {
	kind, id, err := parseReference(reference)
	if err != nil {
		return found{}, err
	}
	if kind != share.KindSnippet {
		log, err := k.sharer.Log(ctx, id)
		if isTooLarge(err) {
			log.Content, err = k.logText(ctx, id)
		}
		if err == nil || kind == share.KindLog || !isNotFound(err) {
			return found{share.KindLog, id, log.Content, log.Title, ""}, err
		}
	}
	snippet, err := k.sharer.Snippet(ctx, id)
	return found{share.KindSnippet, id, snippet.Code, snippet.Title, snippet.Language}, err
}

// logText returns the text of a log that is too long for the JSON operation.
func (k *toolset) logText(ctx context.Context, id string) (string, error) {
	r, err := k.sharer.LogText(ctx, id)
	if err != nil {
		return "", err
	}
	text, err := readAll("id", r)
	return text, errors.Join(err, r.Close())
}

// parseReference parses an id or a link, which also gives the kind.
func parseReference(reference string) (kind share.Kind, id string, err error) {
	segments := strings.Split(strings.Trim(reference, "/ "), "/")
	for i, segment := range segments {
		segment, _, _ = strings.Cut(segment, "?")
		segment, _, _ = strings.Cut(segment, "#")
		if !share.ValidID(segment) {
			continue
		}
		if i > 0 {
			kind, _, _ = share.ParsePath("/" + segments[i-1] + "/" + segment)
		}
		return kind, segment, nil
	}
	return "", "", errors.New("id: must be the id or the link of a share")
}

func isTooLarge(err error) bool {
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Code == "too_large" || errors.Is(err, share.ErrLarge)
}

func isNotFound(err error) bool {
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Status == http.StatusNotFound || errors.Is(err, share.ErrNotFound)
}
