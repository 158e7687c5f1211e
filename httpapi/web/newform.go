package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
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

// kindAuto is the form value that leaves the kind to detection.
const kindAuto = "auto"

// newForm holds the fields of the form as filled in.
type newForm struct {
	Text, Title, Kind, Expiry, Language, Format, Stats string
	Mask, Burn, Encrypted                              bool
	file                                               *string // content of an uploaded file; nil if there is none
	FileName                                           string
	key                                                string // never sent back
}

// emptyForm returns the form before anything is filled in.
func emptyForm() newForm {
	return newForm{Kind: kindAuto, Expiry: string(share.Expiry24h), Format: string(share.FormatAuto)}
}

// readNew converts an upload to a form. Browsers send CRLF line ends for text
// areas; the content of a file is kept unchanged.
func readNew(sent upload) newForm {
	f := newForm{
		Text:  strings.ReplaceAll(sent.values["text"], "\r\n", "\n"),
		Title: strings.TrimSpace(sent.values["title"]), Kind: cmp.Or(sent.values["kind"], kindAuto), Expiry: sent.values["expiry"],
		Format: cmp.Or(sent.values["format"], string(share.FormatAuto)), Stats: strings.TrimSpace(sent.values["stats"]),
		Language: strings.TrimSpace(sent.values["language"]), Mask: sent.values["mask"] != "",
		Burn: sent.values["burn"] != "", Encrypted: sent.values["encrypted"] != "", key: strings.TrimSpace(sent.values["key"]),
	}
	if sent.name != "" {
		f.file, f.FileName = &sent.file, sent.name
	}
	return f
}

// content returns the content to share and the field that holds it.
func (f newForm) content() (content, field string) {
	if f.file != nil {
		return *f.file, fileField
	}
	return f.Text, "text"
}

// kind returns the kind to share the content as. Detected code becomes a
// snippet if it fits into one; everything else, such as the JSON records of a
// program, becomes a log.
func (f newForm) kind() share.Kind {
	content, _ := f.content()
	switch {
	case f.Kind != kindAuto:
		return share.Kind(f.Kind)
	case utf8.RuneCountInString(content) > share.MaxSnippetCode, strings.Contains(content, "\n") && listing.AreRecords(content),
		language.Detect(content, f.FileName) == language.Text:
		return share.KindLog
	default:
		return share.KindSnippet
	}
}

// titled returns the title of the form or, if that is empty, the file name,
// provided it is a valid title of at most longest characters.
func (f newForm) titled(longest int) string {
	if f.Title != "" || !utf8.ValidString(f.FileName) || utf8.RuneCountInString(f.FileName) > longest {
		return f.Title
	}
	return f.FileName
}

// operation returns the API operation that corresponds to the form.
func (f newForm) operation() string {
	if f.kind() == share.KindSnippet {
		return "code-snippet-share"
	}
	return "log-share"
}

// validate joins an error for each invalid field, but for the content of a long
// log, which is checked as it is stored.
func (f newForm) validate(by sharer) error {
	var problems invalid.Inputs
	if f.Kind != kindAuto && f.Kind != string(share.KindLog) && f.Kind != string(share.KindSnippet) {
		problems.Add("kind", "not_one_of", "must be one of auto, log, snippet")
	}
	if by.token != "" && share.Expiry(f.Expiry) == share.ExpiryNever {
		problems.Add("expiry", "not_one_of", "must be 30 days at most without a key")
	}
	content, _ := f.content()
	switch {
	case f.kind() == share.KindSnippet:
		return errors.Join(problems.Err(), f.snippetOptions(by).Validate(content))
	case f.isLong():
		content = "0" // valid as text and JSON
	}
	return errors.Join(problems.Err(), f.logOptions(by).Validate(content))
}

func (f newForm) snippetOptions(by sharer) share.SnippetOptions {
	content, _ := f.content()
	return share.SnippetOptions{
		Title: f.masked(f.titled(share.MaxSnippetTitle), share.MaxSnippetTitle), Expiry: share.Expiry(f.Expiry),
		Language: cmp.Or(f.Language, language.Detect(content, f.FileName)), Owner: by.owner, MaxExpiry: by.key.MaxExpiry, Burn: f.Burn, Encrypted: f.Encrypted,
	}
}

func (f newForm) logOptions(by sharer) share.LogOptions {
	o := share.LogOptions{
		Title: f.masked(f.titled(share.MaxLogTitle), share.MaxLogTitle), Expiry: share.Expiry(f.Expiry), Format: share.Format(f.Format),
		Owner: by.owner, MaxExpiry: by.key.MaxExpiry, Burn: f.Burn, Encrypted: f.Encrypted,
	}
	if f.Stats != "" {
		o.Stats = json.RawMessage(f.Stats)
	}
	return o
}

// isLong reports whether a log must be stored in parts.
func (f newForm) isLong() bool {
	content, _ := f.content()
	return utf8.RuneCountInString(content) > share.MaxLogContent && !f.Encrypted
}

// masked masks the secrets in text if the form asks for it.
func (f newForm) masked(text string, limit int) string {
	if f.Mask && !f.Encrypted {
		text, _ = mask.Secrets(text, mask.Options{Limit: limit})
	}
	return text
}

// shareFields maps field names of package share to fields of the form and to
// their names in messages.
var shareFields = map[string]struct{ field, name string }{
	"content": {"text", "The text"}, "code": {"text", "The text"}, "title": {"title", "The title"}, "expiry": {"expiry", "The time"},
	"format": {"format", "The format"}, "stats": {"stats", "The statistics"}, "kind": {"kind", "The kind"},
}

// problems returns a message for each field that err is about.
func (f newForm) problems(err error) map[string]string {
	all := make(map[string]string)
	problems, _ := invalid.Of(err)
	for _, bad := range problems {
		known := shareFields[bad.Field]
		if _, in := f.content(); known.field == "text" && in == fileField {
			known.field, known.name = fileField, "The file"
		}
		all[known.field] = known.name + " " + bad.Message + "."
		if bad.Field == "expiry" && f.Expiry == string(share.Expiry6h) {
			all[known.field] = "Only a log can expire in 6 hours. Choose another time, or share the code as a log."
		}
	}
	return all
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

// uploadTooLarge returns the failure for a form that exceeds the limit of a
// log, in bytes.
func uploadTooLarge(most int64) layout.Failure {
	return layout.Failure{
		Status: http.StatusRequestEntityTooLarge, Title: "This is too large",
		Text: "It has more than " + layout.Size(int(most)) + ", so nothing was shared. Go back and share the part that matters.",
	}
}

// value buffers a field. It counts twice because String copies it.
type value struct{ bytes.Buffer }

// Held implements fair.Holder.
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
		if err := fair.FromContext(r.Context()).Copy(&text, content); err != nil {
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
	if errors.Is(err, fair.ErrBusy) {
		return err
	}
	return layout.Unreadable
}
