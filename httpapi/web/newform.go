package web

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/share/mask"
)

// newForm holds the fields of the form as filled in.
type newForm struct {
	Text, Title, Kind, Expiry, Language, Format string
	Mask, Burn, Encrypted                       bool
	FileName                                    string

	content string // of the file or, without one, the text
	field   string // that has the content
	key     string // never sent back
}

// kindAuto is the form value that leaves the kind to detection.
const kindAuto = "auto"

// emptyForm returns the form before anything is filled in.
func emptyForm() newForm {
	return newForm{Kind: kindAuto, Expiry: string(share.Expiry24h), Format: string(share.FormatAuto)}
}

// newFormOf returns the form of an upload. Browsers send CRLF line ends for text
// areas; the content of a file is kept unchanged.
func newFormOf(sent upload) newForm {
	value := func(name string) string { return strings.TrimSpace(sent.values[name]) }
	f := newForm{
		Text:  strings.ReplaceAll(sent.values["text"], "\r\n", "\n"),
		Title: value("title"), Kind: cmp.Or(value("kind"), kindAuto), Expiry: value("expiry"), Format: cmp.Or(value("format"), string(share.FormatAuto)),
		Language: value("language"), Mask: value("mask") != "", Burn: value("burn") != "", Encrypted: value("encrypted") != "",
		FileName: sent.name, field: "text", key: value("key"),
	}
	f.content = f.Text
	if f.FileName != "" {
		f.content, f.field = sent.file, fileField
	}
	return f
}

// kind returns the kind to share the content as. Detected code becomes a
// snippet if it fits into one; everything else, such as the JSON records of a
// program, becomes a log.
func (f newForm) kind() share.Kind {
	switch {
	case f.Kind != kindAuto:
		return share.Kind(f.Kind)
	case utf8.RuneCountInString(f.content) > share.MaxSnippetCode, strings.Contains(f.content, "\n") && listing.AreRecords(f.content),
		language.Detect(f.content, f.FileName) == language.Text, language.Detect("", f.FileName) == language.Text && isReport(f.content):
		return share.KindLog
	default:
		return share.KindSnippet
	}
}

// isReport reports whether a tool wrote the text about a build or a run of
// tests. It quotes code, whose language is detected. Of git, a line that begins
// with "fatal:" would do, as in code.
func isReport(text string) bool {
	report := logs.Summarize(text, logs.Options{}).Report
	return report.Passed+report.Failed > 0 || slices.ContainsFunc(report.Failures, func(f logs.Failure) bool { return f.Tool != "" && f.Tool != "git" })
}

// title returns the title of the form or, if that is empty, the file name,
// provided it is a valid title of at most longest characters.
func (f newForm) title(longest int) string {
	if f.Title != "" || !utf8.ValidString(f.FileName) || utf8.RuneCountInString(f.FileName) > longest {
		return f.masked(f.Title, longest)
	}
	return f.masked(f.FileName, longest)
}

// validate joins an error for each invalid field, but for the content of a long
// log, which is checked as it is stored.
func (f newForm) validate(by sharer) error {
	var faults invalid.Faults
	if f.Kind != kindAuto && f.Kind != string(share.KindLog) && f.Kind != string(share.KindSnippet) {
		faults.Add("kind", "not_one_of", "must be one of auto, log, snippet")
	}
	if by.token != "" && share.Expiry(f.Expiry) == share.ExpiryNever {
		faults.Add("expiry", "not_one_of", "must be 30 days at most without a key")
	}
	if f.FileName != "" && f.Text != "" {
		faults.Add(fileField, "conflict", "cannot be shared with the text above. Remove one of the two")
	}
	content := f.content
	switch {
	case f.kind() == share.KindSnippet:
		return errors.Join(faults.Err(), f.snippetOptions(by).Validate(content))
	case f.isLong():
		content = "0" // valid as text and JSON
	}
	return errors.Join(faults.Err(), f.logOptions(by).Validate(content))
}

func (f newForm) snippetOptions(by sharer) share.SnippetOptions {
	return share.SnippetOptions{
		Title: f.title(share.MaxSnippetTitle), Expiry: share.Expiry(f.Expiry), Language: cmp.Or(f.Language, language.Detect(f.content, f.FileName)),
		Owner: by.owner, MaxExpiry: by.key.MaxExpiry, Burn: f.Burn, Encrypted: f.Encrypted,
	}
}

func (f newForm) logOptions(by sharer) share.LogOptions {
	return share.LogOptions{
		Title: f.title(share.MaxLogTitle), Expiry: share.Expiry(f.Expiry), Format: share.Format(f.Format),
		Owner: by.owner, MaxExpiry: by.key.MaxExpiry, Burn: f.Burn, Encrypted: f.Encrypted,
	}
}

// isLong reports whether a log must be stored in parts.
func (f newForm) isLong() bool {
	return utf8.RuneCountInString(f.content) > share.MaxLogContent && !f.Encrypted
}

// masked masks the secrets in text if the form asks for it.
func (f newForm) masked(text string, limit int) string {
	if f.Mask && !f.Encrypted {
		text, _ = mask.Secrets(text, mask.Options{Limit: limit})
	}
	return text
}

// faults returns the invalid fields of err by the names of the form.
func (f newForm) faults(err error) (layout.Faults, error) {
	all, err := layout.FaultsOf(err)
	for i, p := range all {
		switch {
		case p.Field == "content" || p.Field == "code":
			all[i].Field = f.field
		case p.Field == "expiry" && f.Expiry == string(share.Expiry6h):
			all[i].Message = "in 6 hours is only for logs. Choose another time, or share the code as a log"
		}
	}
	return all, err
}

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

// value buffers a field. It counts twice because String copies it.
type value struct{ bytes.Buffer }

// Held implements fair.Holder.
func (v *value) Held() int64 { return 2 * int64(v.Cap()) }

// readUpload reads a multipart/form-data request. Its log may have most bytes.
func readUpload(r *http.Request, limit int64) (upload, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, limit+formBytes)
	sent := upload{values: make(map[string]string)}
	parts, err := r.MultipartReader()
	for range maxParts {
		if err != nil {
			break
		}
		err = sent.readPart(r, parts)
	}
	_, isTooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case errors.Is(err, io.EOF):
		return sent, nil
	case errors.Is(err, fair.ErrBusy):
		return upload{}, err
	case isTooLarge:
		return upload{}, layout.Failure{
			Status: http.StatusRequestEntityTooLarge, Title: "This is too large",
			Text: "It has more than " + layout.Size(int(limit)) + ", so nothing was shared. Go back and share the part that matters.",
		}
	default:
		return upload{}, layout.Unreadable
	}
}

func (u *upload) readPart(r *http.Request, parts *multipart.Reader) error {
	part, err := parts.NextPart()
	if err != nil {
		return err
	}
	var text value
	content := io.Reader(part)
	if part.FormName() == fileField {
		content = logs.UTF8(part)
	}
	if err := fair.FromContext(r.Context()).Copy(&text, content, func(write func() error) error { return write() }); err != nil {
		return err
	}
	if part.FormName() == fileField {
		u.file, u.name = text.String(), part.FileName()
	} else {
		u.values[part.FormName()] = text.String()
	}
	return nil
}
