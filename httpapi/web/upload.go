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

// An upload is a form that may include a file. It is read into memory and never
// written to disk.
type upload struct {
	values map[string]string
	file   string // content of the file
	name   string // file name without a directory; empty if no file was chosen
}

const (
	maxParts  = 16
	fileField = "file"
	// formBytes limits the bytes of a form in addition to those of a log.
	formBytes = 1 << 20
)

// uploadTooLarge returns the failure for a form that exceeds the limit of a
// log, in bytes.
func uploadTooLarge(most int64) layout.Failure {
	return layout.Failure{
		Status: http.StatusRequestEntityTooLarge, Title: "That is more than fits",
		Text: "It has more than " + layout.Size(int(most)) + ", so nothing was shared. Go back and share the part that matters.",
	}
}

// value buffers a field. It counts twice because String copies it.
type value struct{ bytes.Buffer }

// Held implements memory.Holder.
func (v *value) Held() int64 { return 2 * int64(v.Cap()) }

// readUpload reads a multipart/form-data request. Its log may have most bytes.
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

// broken converts a read error: too large, out of memory or unreadable.
func broken(err error, most int64) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return uploadTooLarge(most)
	}
	if errors.Is(err, memory.ErrFull) {
		return err
	}
	return layout.Unreadable
}
