package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/devkiln/devkiln/httpapi/internal/memory"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/share/logs"
)

// An upload is a form that may bring a file. It is read from the connection
// into memory, never to the disk.
type upload struct {
	values map[string]string
	file   string // its content
	name   string // of the file, without a folder; empty: none was chosen
}

const (
	maxParts  = 16
	fileField = "file"
	// formBytes is how much a form may have beside a log.
	formBytes = 1 << 20
)

// uploadTooLarge is the failure of a form that brings more than a log of so many
// bytes.
func uploadTooLarge(most int64) layout.Failure {
	return layout.Failure{
		Status: http.StatusRequestEntityTooLarge, Title: "That is more than fits",
		Text: "It has more than " + layout.Size(int(most)) + ", so nothing was shared. Go back and share the part that matters.",
	}
}

// value is a field that is being read. It holds twice its size: it becomes a string.
type value struct{ bytes.Buffer }

// Held implements memory.Holder.
func (v *value) Held() int64 { return 2 * int64(v.Cap()) }

// readUpload reads the form of a request, multipart/form-data, with a log of at
// most so many bytes.
func readUpload(r *http.Request, most int64) (upload, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, most+formBytes)
	parts, err := r.MultipartReader()
	if err != nil {
		return upload{}, layout.Unreadable
	}
	sent := upload{values: make(map[string]string)}
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return sent, nil
		}
		if err != nil {
			return upload{}, broken(err, most)
		}
		var text value
		content := io.Reader(part)
		if part.FormName() == fileField {
			content = logs.UTF8(part)
		}
		if err := memory.FromContext(r.Context()).Copy(&text, content); err != nil {
			return upload{}, broken(err, most)
		}
		if part.FormName() == fileField {
			sent.file, sent.name = text.String(), part.FileName()
			continue
		}
		sent.values[part.FormName()] = text.String()
	}
	return upload{}, layout.Unreadable
}

// broken tells a form that is too large from one that cannot be read.
func broken(err error, most int64) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return uploadTooLarge(most)
	}
	if errors.Is(err, memory.ErrFull) {
		return err
	}
	return layout.Unreadable
}
