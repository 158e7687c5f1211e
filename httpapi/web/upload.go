package web

import (
	"errors"
	"io"
	"net/http"

	"github.com/devkiln/devkiln/httpapi/web/layout"
)

// An upload is a form that may bring a file. It is read from the connection
// into memory, never to the disk.
type upload struct {
	values map[string]string
	file   string // its content
	name   string // of the file, without a folder; empty: none was chosen
}

const (
	maxUpload = 10 << 20 // bytes: the largest request of the API
	maxParts  = 16
	fileField = "file"
)

var uploadTooLarge = layout.Failure{
	Status: http.StatusRequestEntityTooLarge, Title: "That is more than fits",
	Text: "It has more than 10 MB, so nothing was shared. Go back and share the part that matters.",
}

// readUpload reads the form of a request, multipart/form-data.
func readUpload(r *http.Request) (upload, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, maxUpload)
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
			return upload{}, broken(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return upload{}, broken(err)
		}
		if err := hold(r, 2*len(value)); err != nil {
			return upload{}, err
		}
		if part.FormName() == fileField {
			sent.file, sent.name = string(value), part.FileName()
			continue
		}
		sent.values[part.FormName()] = string(value)
	}
	return upload{}, layout.Unreadable
}

// broken tells a form that is too large from one that cannot be read.
func broken(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return uploadTooLarge
	}
	return layout.Unreadable
}
