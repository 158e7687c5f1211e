// Package client calls the HTTP API of a Devkiln server. Start with [New]:
//
//	c, err := client.New("https://devkiln.example", key, client.Options{})
//	…
//	log, err := c.ShareLog(ctx, client.LogRequest{Content: text, Expiry: "7d"})
//	…
//	fmt.Println(c.Link(log.URL))
//
// A request that the server temporarily refuses, with 429 or 503, is repeated
// after the time that the response states, see [Options]. So is a request
// without a response because the connection broke or a proxy lost the server
// (502, 504). Shares are created with an Idempotency-Key, so that each is
// created once; requests that delete, including the reading of a share that is
// read once, are not repeated in that case. Other refusals return an [*Error]
// with the server's code and the invalid fields:
//
//	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Code == "validation_failed" {
//		for _, f := range refused.Fields { … }
//	}
//
// It sends text as it is: package share/mask masks secrets before, and share/seal
// encrypts.
//
// The package imports only the standard library.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Options configures a [Client]. The zero value is ready to use.
type Options struct {
	// HTTP sends the requests. Nil means http.DefaultClient. Use the context to
	// limit the time of a call. A redirect is an *Error unless CheckRedirect is
	// set, since it would send the key to another address.
	HTTP *http.Client
	// Tries is the maximum number of times that a request is sent while it gets
	// no response, or 429, 502, 503, 504, or 409 because an earlier try is
	// still in progress. Zero means 4; 1 disables repetition.
	Tries int
	// LongestWait is the longest wait between two tries. If the server asks for
	// more, its response is returned as an error immediately. Zero means a
	// minute, the longest wait that the limit per minute can require.
	LongestWait time.Duration
	// OnRetry, if not nil, is called before each wait for another try. It may
	// be called from several goroutines.
	OnRetry func(Retry)
	// UserAgent is the User-Agent of requests. Empty means "devkiln-client".
	UserAgent string
}

// Retry describes a wait after which a request is sent again.
type Retry struct {
	Try  int           // number of the next try, from 2
	Wait time.Duration // how long until then
	Err  error         // why the last try failed: an *Error, or the error of the connection
}

// Client calls one server with one key. It is safe for concurrent use. Make one
// with [New]; the zero Client does not work.
type Client struct {
	base    *url.URL
	key     string
	options Options
	public  atomic.Pointer[string] // what PublicURL returns; nil until the server has said it
}

// New returns a Client for the server at a URL, which may have a path. It sends
// no request.
func New(serverURL, key string, o Options) (*Client, error) {
	base, err := url.Parse(serverURL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("server URL %q must be http:// or https:// with a host, and nothing after the path", serverURL)
	}
	if key == "" || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, errors.New("the key must be printable ASCII without spaces and line ends, and not empty")
	}
	sender := *cmp.Or(o.HTTP, http.DefaultClient)
	if sender.CheckRedirect == nil {
		sender.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	o.HTTP = &sender
	o.Tries = cmp.Or(o.Tries, 4)
	o.LongestWait = cmp.Or(o.LongestWait, time.Minute)
	o.UserAgent = cmp.Or(o.UserAgent, "devkiln-client")
	return &Client{base: base, key: key, options: o}, nil
}

// Link returns the full URL for a path from a response, such as the URL of a
// log, at the address that c calls. See [Client.PublicURL] for that of others.
func (c *Client) Link(path string) string {
	return strings.TrimRight(c.base.String(), "/") + path
}

// PublicURL returns the base URL of the links of the server, without a slash at
// its end: the one that the server states in its limits, or otherwise the one
// that c calls. It asks the server once, for at most 5 seconds.
func (c *Client) PublicURL(ctx context.Context) string {
	if known := c.public.Load(); known != nil {
		return *known
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var limits Limits
	response, err := c.once(ctx, limitsRequest, nil)
	if err != nil || json.Unmarshal(response, &limits) != nil {
		return c.Link("")
	}
	base := cmp.Or(strings.TrimRight(limits.BaseURL, "/"), c.Link(""))
	c.public.Store(&base)
	return base
}

// Owns reports whether a link is one of this server, at the address that c calls
// or at its public URL, or names no server.
func (c *Client) Owns(ctx context.Context, link string) bool {
	if first, rest, ok := strings.Cut(link, "/"); ok && strings.ContainsAny(first, ".:") && !strings.HasPrefix(rest, "/") {
		link = "//" + link // kiln.example/logs/4gyvm6pt90hk4r7z
	}
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || strings.EqualFold(u.Host, c.base.Host) {
		return err == nil
	}
	public, err := url.Parse(c.PublicURL(ctx))
	return err == nil && strings.EqualFold(u.Host, public.Host)
}

// Error is a response other than success.
type Error struct {
	Status     int           // HTTP status
	Code       string        // for programs, such as "validation_failed"; "" if the response is not the API's
	Message    string        // for people
	Fields     []FieldError  // all invalid fields, with validation_failed
	RequestID  string        // id of the request in the server's log
	RetryAfter time.Duration // zero if the response states none
}

// FieldError describes what is wrong with one field.
type FieldError struct {
	Field   string `json:"field"`   // such as "colors[2]"
	Code    string `json:"code"`    // such as "out_of_range"
	Message string `json:"message"` // for people, without the field
}

// Error returns the status, the message and the request id.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s (%d %s", e.Message, e.Status, http.StatusText(e.Status))
	if e.RequestID != "" {
		text += ", request " + e.RequestID
	}
	return text + ")"
}

// Bounds on the bytes read of a response.
const (
	maxResponse = 256 << 20 // pictures can be large
	maxFailure  = 1 << 20
)

// exchange is one API call.
type exchange struct {
	method, path  string
	accept        string // "" means JSON
	in            any    // JSON body; nil means none, or text
	text          string // plain text body
	notIdempotent bool   // must not be sent again once it may have arrived
	key           string // the Idempotency-Key; "" means none
}

// call sends a request and decodes its response.
func call[T any](ctx context.Context, c *Client, x exchange) (out T, err error) {
	response, err := c.send(ctx, x)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(response, &out); err != nil {
		return out, fmt.Errorf("the response of %s does not match the API: %w", x.path, err)
	}
	return out, nil
}

// send sends a request, and again where that may help. It returns the body of
// the response.
func (c *Client) send(ctx context.Context, x exchange) ([]byte, error) {
	body := []byte(x.text)
	if x.in != nil {
		var err error
		if body, err = json.Marshal(x.in); err != nil {
			return nil, err
		}
	}
	for try := 1; ; try++ {
		content, err := c.once(ctx, x, body)
		wait, again := c.retry(x, err)
		if !again || try >= c.options.Tries {
			return content, err
		}
		if c.options.OnRetry != nil {
			c.options.OnRetry(Retry{try + 1, wait, err})
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		}
	}
}

// retry reports whether an error may be temporary, and how long to wait.
func (c *Client) retry(x exchange, err error) (time.Duration, bool) {
	const unasked = time.Second
	if broken, ok := errors.AsType[connectionError](err); ok {
		return unasked, broken.temporary && (broken.isUnsent() || !x.notIdempotent) && unasked <= c.options.LongestWait
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		return 0, false
	}
	again := false
	switch refused.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		again = true
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		again = !x.notIdempotent
	case http.StatusConflict:
		again = refused.Code == "request_in_flight"
	}
	wait := cmp.Or(refused.RetryAfter, unasked)
	return wait, again && wait <= c.options.LongestWait
}

// connectionError is the error of a request without a complete response.
type connectionError struct {
	error

	server    string
	temporary bool
}

// Error returns what is wrong with the connection, after the server, and what to
// do about it if that is known.
func (e connectionError) Error() string {
	var (
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
		lookup    *net.DNSError
		request   *url.Error
		op        *net.OpError
	)
	cause := e.error
	switch err := e.error; {
	case errors.As(err, &name):
		return e.server + ": " + strings.TrimPrefix(name.Error(), "x509: ") + ": call it by a name that is in its certificate"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return e.server + " has a certificate that has expired or is not yet valid: renew it, or set the clock of this machine"
	case errors.As(err, &authority):
		return e.server + " has a certificate that this machine does not trust: install that of its authority, or on Linux name its file in SSL_CERT_FILE"
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return e.server + ": no such host: check the name"
	case errors.Is(err, syscall.ECONNREFUSED):
		return e.server + " refuses connections: check that the server runs and that this is its address"
	case errors.Is(err, http.ErrSchemeMismatch):
		return e.server + " does not use TLS: write http:// instead of https://"
	case errors.As(err, &request) && request.Timeout() && !e.isUnsent():
		return e.server + " accepts connections but has not responded in time"
	case errors.As(err, &op):
		cause = op.Err // without the address
	case request != nil:
		cause = request.Err
	}
	return e.server + ": " + cause.Error()
}

func (e connectionError) Unwrap() error { return e.error }

// isUnsent reports whether the connection could not be established.
func (e connectionError) isUnsent() bool {
	op, ok := errors.AsType[*net.OpError](e.error)
	return ok && op.Op == "dial"
}

// once sends a request once.
func (c *Client) once(ctx context.Context, x exchange, body []byte) ([]byte, error) {
	request, err := c.request(ctx, x, body)
	if err != nil {
		return nil, err
	}
	response, err := c.options.HTTP.Do(request)
	if err != nil {
		return nil, c.incompleteResponse(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, errorOf(request.Method, response)
	}
	accept, got := request.Header.Get("Accept"), response.Header.Get("Content-Type")
	if mediaType, _, err := mime.ParseMediaType(got); err != nil || mediaType != accept {
		return nil, &Error{Status: response.StatusCode, Message: fmt.Sprintf("the response is %q, not %s: this is not a Devkiln server", got, accept)}
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if len(content) > maxResponse {
		return nil, fmt.Errorf("the response has more than %d bytes", maxResponse)
	}
	return content, c.incompleteResponse(ctx, err)
}

// request returns the request of an exchange.
func (c *Client) request(ctx context.Context, x exchange, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, x.method, c.Link(x.path), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-Key", c.key)
	request.Header.Set("Accept", cmp.Or(x.accept, "application/json"))
	request.Header.Set("User-Agent", c.options.UserAgent)
	switch {
	case x.in != nil:
		request.Header.Set("Content-Type", "application/json")
	case x.text != "":
		request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if x.key != "" {
		request.Header.Set("Idempotency-Key", strconv.Quote(x.key))
	}
	return request, nil
}

// incompleteResponse returns the error of a request without a complete response,
// if err is one. If the context is done or the certificate is invalid, another try
// does not help.
func (c *Client) incompleteResponse(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	_, bad := errors.AsType[*tls.CertificateVerificationError](err)
	return connectionError{err, c.base.Scheme + "://" + c.base.Host, !bad && ctx.Err() == nil}
}

// withoutTLS matches what net/http and nginx say of a request without TLS.
var withoutTLS = regexp.MustCompile("HTTP request (to an HTTPS server|was sent to HTTPS port)")

// errorOf reads a response to this method that is not a success.
func errorOf(method string, response *http.Response) error {
	e := &Error{Status: response.StatusCode, Message: "the server refused without a reason", RequestID: response.Header.Get("X-Request-Id")}
	after := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(after, 10, 31); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(after); err == nil {
		e.RetryAfter = max(0, time.Until(at))
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxFailure))
	if err != nil {
		return errors.Join(e, err)
	}
	var failure struct {
		Error struct {
			Code, Message string
			Details       []FieldError
		}
	}
	switch {
	case json.Unmarshal(text, &failure) == nil && failure.Error.Code != "":
		e.Code, e.Message, e.Fields = failure.Error.Code, failure.Error.Message, failure.Error.Details
	case e.Status == http.StatusNotFound && method == http.MethodPost && e.RequestID != "":
		e.Message = "the server has no Devkiln at this path; check its URL"
	// net/http refuses a request without TLS in a line without header fields, nginx in a page.
	case e.Status == http.StatusBadRequest && withoutTLS.Match(text):
		e.Message = "the server uses TLS: write https:// instead of http://"
	case len(response.Header) == 0, strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") && e.RequestID != "":
		e.Message = strings.TrimSpace(string(text))
	case response.Header.Get("Location") != "":
		e.Message = fmt.Sprintf("the server redirects to %q; call that server instead", response.Header.Get("Location"))
	}
	return e
}
