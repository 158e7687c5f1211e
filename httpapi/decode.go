package httpapi

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/share/logs"
)

// decodeJSON reads the fields of a JSON body. The order of the checks is part
// of the contract: media type, size, JSON, then fields.
func (s *server) decodeJSON(q *request) error {
	if err := checkMediaType(q.Header.Get("Content-Type")); err != nil {
		return err
	}
	text, err := s.readBody(q)
	if err != nil {
		return err
	}
	if err := q.lease.Grow(int64(len(text))); err != nil { // for its strings
		return err
	}
	q.fields, err = fields.Parse(text)
	return err
}

// Content can be shared as plain text, for shells:
//
//	app 2>&1 | curl --data-binary @- -H "X-API-Key: $KEY" https://kiln.example/logs
//
// The body is the content, whatever its Content-Type is (curl sends that of a
// form). The other fields are in the query. The response is the link or a
// failure as a line of text, unless the client prefers JSON.

// prefersJSON reports whether the client prefers JSON to plain text.
func (q *request) prefersJSON() bool {
	return negotiate.Preferred(q.Header.Values("Accept"), "text/plain", "application/json") == "application/json"
}

// decodeText reads a plain text body, and the named fields from the query.
func (s *server) decodeText(q *request, names ...string) (text string, f *fields.Set, err error) {
	body, err := s.readBody(q)
	if err != nil {
		return "", nil, err
	}
	if err := q.lease.Grow(int64(len(body))); err != nil { // for its string
		return "", nil, err
	}
	if !utf8.Valid(body) { // it may be UTF-16
		if err := q.lease.Grow(2 * int64(len(body))); err != nil {
			return "", nil, err
		}
		sent := body
		if body, err = io.ReadAll(logs.UTF8(bytes.NewReader(sent))); err == nil && !utf8.Valid(body) {
			err = invalidText(fields.InvalidUTF8(sent))
		}
		if err != nil {
			return "", nil, err
		}
	}
	f, err = fields.FromQuery(q.URL.RawQuery, names...)
	return string(body), f, err
}

// decodePrivacy reads burn and encrypted from a query, which may have other
// parameters, and the Idempotency-Key of a request that creates a share.
func (s *server) decodePrivacy(q *request, f *fields.Set) (burn, encrypted bool, idempotencyKey string) {
	query := q.URL.Query()
	set := func(name string) bool {
		if query.Has(name) && query.Get(name) != "1" {
			f.Reject(name, "not_one_of", "must be 1; leave it out otherwise")
		}
		return query.Has(name)
	}
	idempotencyKey = decodeIdempotencyKey(q, f)
	if !s.Shares.Idempotent() {
		idempotencyKey = ""
	}
	return set("burn"), set("encrypted"), idempotencyKey
}

// A share is created once for an Idempotency-Key, as package share describes
// (draft-ietf-httpapi-idempotency-key-header-07). Failures are not remembered,
// so a retry may succeed.

const (
	idempotencyKey = "Idempotency-Key"
	replayed       = "Idempotent-Replayed"
)

// decodeIdempotencyKey returns the key of a request, or "" if it has none. It
// accepts a string of structured fields (RFC 9651), as the draft requires, or
// the same without quotes, as most clients send it.
func decodeIdempotencyKey(q *request, f *fields.Set) string {
	values := q.Header.Values(idempotencyKey)
	if len(values) == 0 {
		return ""
	}
	key, ok := parseKey(strings.TrimSpace(values[0]))
	if !ok || len(values) > 1 {
		f.Reject(idempotencyKey, "invalid_format", `must be one string of structured fields, such as "8e03978e-40d5-43e8-bc93-6894a57f9324"`)
	}
	return key
}

// The forms of an Idempotency-Key.
var (
	quotedKey = regexp.MustCompile(`^"((?:[^"\\]|\\["\\])+)"$`)
	bareKey   = regexp.MustCompile(`^[^"\\,; \t]+$`)
)

func parseKey(value string) (key string, ok bool) {
	if quoted := quotedKey.FindStringSubmatch(value); quoted != nil {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1]), true
	}
	return value, bareKey.MatchString(value)
}
