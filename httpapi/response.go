package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
)

// A response is a successful response. It is complete in memory before the
// first byte is sent, so that an error cannot truncate one with the status 200.
type response struct {
	status    int // zero means 200
	mediaType string
	data      []byte
	etag      string // including quotes; "" means none
	sent      bool   // by the operation itself
}

const (
	jsonType = "application/json; charset=utf-8"
	textType = "text/plain; charset=utf-8"
)

// encodeJSON returns a JSON response.
func encodeJSON(v any) (response, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return response{mediaType: jsonType, data: text.Bytes()}, err
}

// encodeLine returns a response with one line of text.
func encodeLine(status int, line string) response {
	return response{status: status, mediaType: textType, data: []byte(line + "\n")}
}

// write sends a response.
func (res response) write(q *request) {
	h := q.recorder.Header()
	if res.mediaType != "" {
		h.Set("Content-Type", res.mediaType)
	}
	if res.etag != "" {
		h.Set("ETag", res.etag)
	}
	if negotiate.IsCurrent(q.Header, res.etag) {
		h.Del("Content-Type")
		q.recorder.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(res.data)))
	if res.status != 0 {
		q.recorder.WriteHeader(res.status)
	}
	_, _ = q.recorder.Write(res.data)
}

// etagOf returns a strong entity tag for data.
func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// encodeTagged is encodeJSON for what a client may cache and revalidate, which is
// any resource that it has got with GET.
func encodeTagged(q *request, v any) (response, error) {
	res, err := encodeJSON(v)
	if q.Method != http.MethodPost {
		res.etag = etagOf(res.data)
	}
	return res, err
}

// announceLimits sets the two header fields of
// draft-ietf-httpapi-ratelimit-headers. Only this function knows their form,
// because the draft may change.
func announceLimits(h http.Header, d ratelimit.Decision) {
	var policy, state []string
	announce := func(name string, q ratelimit.Quota, window int) {
		if q.Limit > 0 {
			policy = append(policy, fmt.Sprintf(`"%s";q=%d;w=%d`, name, q.Limit, window))
			state = append(state, fmt.Sprintf(`"%s";r=%d;t=%d`, name, max(q.Remaining, 0), seconds(q.Reset)))
		}
	}
	announce("minute", d.Minute, 60)
	announce("day", d.Day, 86400)
	if len(policy) > 0 {
		h.Set("RateLimit-Policy", strings.Join(policy, ","))
		h.Set("RateLimit", strings.Join(state, ","))
	}
}
