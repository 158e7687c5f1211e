package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// GradientRequest asks for a gradient. Only Colors is required.
type GradientRequest struct {
	Colors    []string  `json:"colors"`              // 2 to 10, as #RRGGBB
	Type      string    `json:"type,omitempty"`      // "linear", the default, or "radial"
	Angle     *float64  `json:"angle,omitempty"`     // degrees; nil means 90
	Positions []float64 `json:"positions,omitempty"` // percent, one for each colour; nil spreads them evenly
}

// Gradient is a gradient in CSS.
type Gradient struct {
	CSS             string   `json:"css"`             // a value
	CSSWithPrefixes string   `json:"cssWithPrefixes"` // declarations, one a line
	Colors          []string `json:"colors"`          // in lower case
	Type            string   `json:"type"`
}

// Gradient builds a CSS gradient.
func (c *Client) Gradient(ctx context.Context, in GradientRequest) (Gradient, error) {
	return call[Gradient](ctx, c, exchange{method: http.MethodPost, path: "/api/v1/gradient-generator", in: in})
}

// SlugRequest asks for a slug. Only Text is required.
type SlugRequest struct {
	Text      string  `json:"text"`
	Separator *string `json:"separator,omitempty"` // nil means "-"
	Lowercase *bool   `json:"lowercase,omitempty"` // nil means true
}

// Slug turns text into a slug. It is empty if the text has nothing in it that
// can be part of one.
func (c *Client) Slug(ctx context.Context, in SlugRequest) (string, error) {
	out, err := call[struct{ Result string }](ctx, c, exchange{method: http.MethodPost, path: "/api/v1/slug-generator", in: in})
	return out.Result, err
}

// LogRequest asks for a log to be shared. Only Content is required.
type LogRequest struct {
	Content string          `json:"content"`          // 1 to 500,000 characters
	Title   string          `json:"title,omitempty"`  // at most 1,000 characters
	Expiry  string          `json:"expiry,omitempty"` // 1h, 6h, 24h (the default), 7d, 30d or never
	Format  string          `json:"format,omitempty"` // auto (the default), json or text
	Stats   json.RawMessage `json:"stats,omitempty"`  // an object of at most 64 KiB; nil: they are computed

	// IdempotencyKey names this request: within 24 hours the server makes one log
	// for it, and responds to further requests with that one. "" is a random key
	// for each call.
	IdempotencyKey string `json:"-"`

	Handling `json:"-"`
}

// SharedLog is what is known of a log that was just shared.
type SharedLog struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`       // the path of its page; see [Client.Link]
	ExpiresAt *time.Time `json:"expiresAt"` // nil for never
}

// Log is a log that was shared.
type Log struct {
	SharedLog
	Content string          `json:"content"`
	Title   string          `json:"title"`
	Format  string          `json:"format"` // json or text
	Stats   json.RawMessage `json:"stats"`  // as sent, or as computed
}

// Handling says how a share is treated. The zero value is as ever.
type Handling struct {
	// Burn has it read once, by [Client.TakeLog] or [Client.TakeSnippet], or by a
	// button on its page.
	Burn bool
	// Encrypted says that the content is what package share/seal has made of it.
	// Title, Format and Stats must be empty.
	Encrypted bool
}

// query returns a path with the parameters of a share.
func (h Handling) query(path string) string {
	set := map[bool]string{true: "1"}
	return withQuery(path, map[string]string{"burn": set[h.Burn], "encrypted": set[h.Encrypted]})
}

// withQuery returns a path with the parameters that are not empty.
func withQuery(path string, parameters map[string]string) string {
	query := make(url.Values)
	for name, value := range parameters {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

const logs, snippets = "/api/v1/log-share", "/api/v1/code-snippet-share"

// ShareLog shares a log.
func (c *Client) ShareLog(ctx context.Context, in LogRequest) (SharedLog, error) {
	return call[SharedLog](ctx, c, exchange{method: http.MethodPost, path: in.query(logs), in: in, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// Log reads a log back. One that does not exist or has expired is an [*Error]
// with the status 404, one that is read once one with the code "read_once".
func (c *Client) Log(ctx context.Context, id string) (Log, error) {
	return call[Log](ctx, c, exchange{method: http.MethodGet, path: logs + "/" + url.PathEscape(id)})
}

// TakeLog is Log, and reads a log that is read once, which deletes it. It is not
// repeated when the response is lost: then the log may be, too.
func (c *Client) TakeLog(ctx context.Context, id string) (Log, error) {
	return call[Log](ctx, c, exchange{method: http.MethodPost, path: logs + "/" + url.PathEscape(id) + "/read", unrepeatable: true})
}

// LogTextRequest says how to share a log that is sent as text.
type LogTextRequest struct {
	Title  string // at most 1,000 characters
	Expiry string // 1h, 6h, 24h (the default), 7d, 30d or never
	Format string // auto (the default), json or text
	// FitEnds has the server leave out the middle of a log that is too long for it,
	// and say so there. Otherwise it refuses such a log.
	FitEnds bool

	IdempotencyKey string // see [LogRequest]
}

// ShareLogText shares a log of any size that the server takes, 32 MiB unless it is
// set up otherwise, and sends it as it is read. It is sent again only if text is
// an io.Seeker, from its start.
func (c *Client) ShareLogText(ctx context.Context, text io.Reader, in LogTextRequest) (SharedLog, error) {
	fit := map[bool]string{true: "ends"}[in.FitEnds]
	path := withQuery("/logs", map[string]string{"title": in.Title, "expiry": in.Expiry, "format": in.Format, "fit": fit})
	return call[SharedLog](ctx, c, exchange{method: http.MethodPost, path: path, text: text, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// LogText returns the text of a log of any size, for the caller to close. Log
// refuses one of more than 500,000 characters with the code "too_large".
func (c *Client) LogText(ctx context.Context, id string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Link("/logs/"+url.PathEscape(id)+"/raw"), http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", c.UserAgent)
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		defer func() { _ = response.Body.Close() }()
		return nil, refusal(response)
	}
	return response.Body, nil
}

// DeleteLog deletes a log that this client's key made. Any other is an [*Error]
// with the status 404.
func (c *Client) DeleteLog(ctx context.Context, id string) error {
	return c.remove(ctx, logs, id)
}

// LogSummary says what went wrong in a log.
type LogSummary struct {
	Analysis struct {
		Format         string `json:"format"`
		Lines          int    `json:"lines"`
		Entries        int    `json:"entries"` // messages; a stack trace is part of one
		Fatal          int    `json:"fatal"`   // entries of each level
		Errors         int    `json:"errors"`
		Warnings       int    `json:"warnings"`
		Info           int    `json:"info"`
		Debug          int    `json:"debug"`
		Trace          int    `json:"trace"`
		Other          int    `json:"other"`
		FirstErrorLine int    `json:"firstErrorLine"` // 0 if there is none
	} `json:"analysis"`
	FirstError LogExcerpt `json:"firstError"` // its Line is 0 if there is none
	LastError  LogExcerpt `json:"lastError"`
	Verdict    LogExcerpt `json:"verdict"` // the last entry that says how it ended
	Groups     []LogGroup `json:"groups"`  // the worst level first
}

// LogExcerpt is an entry of a log with the lines around it.
type LogExcerpt struct {
	Line   int      `json:"line"` // from 1
	Level  string   `json:"level"`
	Text   string   `json:"text"`
	Before []string `json:"before"`
	After  []string `json:"after"`

	Exception     string `json:"exception"`     // what was thrown, if a line below names it
	ExceptionLine int    `json:"exceptionLine"` // its line; 0 if there is none
}

// LogGroup is the entries of a log whose messages have one level and one shape.
type LogGroup struct {
	Level string `json:"level"`
	Shape string `json:"shape"` // the message, with * for what varies
	Text  string `json:"text"`  // the first message of this shape
	Count int    `json:"count"`
	First int    `json:"first"` // the line of the first entry
	Last  int    `json:"last"`
}

// AnalyzeLog says what went wrong in a log of at most 10,485,760 bytes of UTF-8.
// The server stores nothing of it.
func (c *Client) AnalyzeLog(ctx context.Context, log string) (LogSummary, error) {
	return call[LogSummary](ctx, c, exchange{method: http.MethodPost, path: "/analyze", text: strings.NewReader(log)})
}

// SnippetRequest asks for a snippet to be shared. Code and Language are
// required.
type SnippetRequest struct {
	Code     string `json:"code"`             // 1 to 100,000 characters
	Language string `json:"language"`         // a name or alias; "auto" or "" is detected
	Title    string `json:"title,omitempty"`  // at most 100 characters
	Expiry   string `json:"expiry,omitempty"` // 1h, 24h (the default), 7d, 30d or never

	// IdempotencyKey names this request: within 24 hours the server makes one snippet
	// for it, and responds to further requests with that one. "" is a random key
	// for each call.
	IdempotencyKey string `json:"-"`

	Handling `json:"-"`
}

// SharedSnippet is what is known of a snippet that was just shared.
type SharedSnippet struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`      // the path of its page
	FullURL   string     `json:"fullUrl"`  // the whole URL of its page
	Language  string     `json:"language"` // as sent, or as detected
	ExpiresAt *time.Time `json:"expiresAt"`
}

// Snippet is a snippet that was shared.
type Snippet struct {
	SharedSnippet
	Code  string `json:"code"`
	Title string `json:"title"`
}

// ShareSnippet shares a snippet.
func (c *Client) ShareSnippet(ctx context.Context, in SnippetRequest) (SharedSnippet, error) {
	return call[SharedSnippet](ctx, c, exchange{method: http.MethodPost, path: in.query(snippets), in: in, key: cmp.Or(in.IdempotencyKey, rand.Text())})
}

// Snippet reads a snippet back. One that does not exist or has expired is an
// [*Error] with the status 404, one that is read once one with the code
// "read_once".
func (c *Client) Snippet(ctx context.Context, id string) (Snippet, error) {
	return call[Snippet](ctx, c, exchange{method: http.MethodGet, path: snippets + "/" + url.PathEscape(id)})
}

// TakeSnippet is Snippet, and reads a snippet that is read once, as
// [Client.TakeLog] does.
func (c *Client) TakeSnippet(ctx context.Context, id string) (Snippet, error) {
	return call[Snippet](ctx, c, exchange{method: http.MethodPost, path: snippets + "/" + url.PathEscape(id) + "/read", unrepeatable: true})
}

// DeleteSnippet deletes a snippet that this client's key made. Any other is an
// [*Error] with the status 404.
func (c *Client) DeleteSnippet(ctx context.Context, id string) error {
	return c.remove(ctx, snippets, id)
}

func (c *Client) remove(ctx context.Context, kind, id string) error {
	_, err := call[struct{}](ctx, c, exchange{method: http.MethodDelete, path: kind + "/" + url.PathEscape(id), unrepeatable: true})
	return err
}

// SharesQuery says which shares [Client.Shares] lists. The zero value asks for
// the 50 that were made last.
type SharesQuery struct {
	Kind  string // log or snippet; "" for both
	Text  string // is part of the title, in upper or lower case
	After string // SharesPage.Next of the page before; "" for the first
	Limit int    // the most shares of the page, 1 to 1,000; 0 means 50
}

// SharesPage is a part of the list of shares. It may hold fewer than its limit,
// or none, and have a Next all the same.
type SharesPage struct {
	Shares []Share `json:"shares"` // those made last first
	Next   string  `json:"next"`   // "": this is the last page
}

// Share is a log or a snippet without its content.
type Share struct {
	Kind      string     `json:"kind"` // log or snippet
	ID        string     `json:"id"`
	URL       string     `json:"url"`                // the path of its page
	Title     string     `json:"title"`              // its first 200 characters
	Format    string     `json:"format,omitempty"`   // of a log
	Language  string     `json:"language,omitempty"` // of a snippet
	Bytes     int        `json:"bytes"`              // of its content
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt"` // nil for never
}

const shares = "/api/v1/shares"

// Shares lists what this client's key has shared.
func (c *Client) Shares(ctx context.Context, q SharesQuery) (SharesPage, error) {
	parameters := map[string]string{"kind": q.Kind, "q": q.Text, "after": q.After}
	if q.Limit != 0 {
		parameters["limit"] = strconv.Itoa(q.Limit)
	}
	return call[SharesPage](ctx, c, exchange{method: http.MethodGet, path: withQuery(shares, parameters)})
}

// DeleteShares deletes the shares of this client's key whose pages have these
// paths, at most 100. It reports of each whether it has deleted it.
func (c *Client) DeleteShares(ctx context.Context, urls ...string) ([]bool, error) {
	in := struct {
		URLs []string `json:"urls"`
	}{urls}
	out, err := call[struct{ Results []struct{ Deleted bool } }](ctx, c, exchange{method: http.MethodPost, path: shares + "/delete", in: in})
	deleted := make([]bool, len(out.Results))
	for i, result := range out.Results {
		deleted[i] = result.Deleted
	}
	return deleted, err
}

// ScreenshotRequest asks for a picture of code or its configuration. Only Code
// is required; nil and "" mean the server's defaults.
type ScreenshotRequest struct {
	Code           string   `json:"code"` // 1 to 50,000 characters
	Language       string   `json:"language,omitempty"`
	Theme          string   `json:"theme,omitempty"`        // dracula (the default), monokai, github-dark, night-owl, synthwave or ocean
	Background     string   `json:"background,omitempty"`   // a colour or gradient of CSS
	Padding        *float64 `json:"padding,omitempty"`      // 0 to 256 CSS pixels; nil means 64
	FontSize       *float64 `json:"fontSize,omitempty"`     // 6 to 72 CSS pixels; nil means 14
	BorderRadius   *float64 `json:"borderRadius,omitempty"` // 0 to 64 CSS pixels; nil means 12
	LineNumbers    *bool    `json:"lineNumbers,omitempty"`  // nil means true
	WindowControls *bool    `json:"windowControls,omitempty"`
	WindowTitle    string   `json:"windowTitle,omitempty"` // at most 200 characters
	Shadow         *bool    `json:"shadow,omitempty"`

	// Extras are what pictures have beyond the fields, by the names of the
	// document: highlight=3,7-9, lines=10-20, wrap=80. They are no part of the
	// configuration that comes back, but of its URL.
	Extras url.Values `json:"-"`
}

// Screenshot is a configuration and the page that draws it.
type Screenshot struct {
	Config ScreenshotConfig `json:"config"`
	WebURL string           `json:"webUrl"`
}

// ScreenshotConfig is a request with everything filled in.
type ScreenshotConfig struct {
	Code           string  `json:"code"`
	Language       string  `json:"language"`
	Theme          string  `json:"theme"`
	Background     string  `json:"background"`
	Padding        float64 `json:"padding"`
	FontSize       float64 `json:"fontSize"`
	LineNumbers    bool    `json:"lineNumbers"`
	WindowControls bool    `json:"windowControls"`
	WindowTitle    string  `json:"windowTitle"`
	BorderRadius   float64 `json:"borderRadius"`
	Shadow         bool    `json:"shadow"`
}

const screenshots = "/api/v1/code-screenshot"

// Screenshot completes the configuration of a picture.
func (c *Client) Screenshot(ctx context.Context, in ScreenshotRequest) (Screenshot, error) {
	return call[Screenshot](ctx, c, exchange{method: http.MethodPost, path: in.path(0), in: in})
}

// PNG draws a picture at a scale of 1 to 4 pixels per CSS pixel; 0 means 2.
func (c *Client) PNG(ctx context.Context, in ScreenshotRequest, scale float64) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(scale), accept: "image/png", in: in})
}

// WebP draws a picture as a lossless WebP, about half as large as the PNG and at
// most 2,097,152 pixels.
func (c *Client) WebP(ctx context.Context, in ScreenshotRequest, scale float64) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(scale), accept: "image/webp", in: in})
}

// SVG draws a picture as an SVG document.
func (c *Client) SVG(ctx context.Context, in ScreenshotRequest) ([]byte, error) {
	return c.send(ctx, exchange{method: http.MethodPost, path: in.path(0), accept: "image/svg+xml", in: in})
}

// path returns the path with the query of a request; a scale of 0 is not in it.
func (r ScreenshotRequest) path(scale float64) string {
	query := maps.Clone(r.Extras)
	if scale != 0 {
		if query == nil {
			query = make(url.Values)
		}
		query.Set("scale", strconv.FormatFloat(scale, 'g', -1, 64))
	}
	if len(query) == 0 {
		return screenshots
	}
	return screenshots + "?" + query.Encode()
}

// Limits is what requests may hold on a server. Lengths are in characters.
type Limits struct {
	BodyBytes int `json:"bodyBytes"`
	Rates     struct {
		Minute int `json:"minute"` // requests in any 60 seconds; 0: no limit
		Day    int `json:"day"`    // requests on a UTC day; 0: no limit
	} `json:"rates"`
	Gradient struct {
		Colors Extent   `json:"colors"`
		Types  []string `json:"types"`
	} `json:"gradient"`
	Log struct {
		Content    int      `json:"content"`
		TextBytes  int64    `json:"textBytes"` // of a log that is sent as text, see Client.ShareLogText
		Title      int      `json:"title"`
		StatsBytes int      `json:"statsBytes"`
		Expiries   []string `json:"expiries"`
		Formats    []string `json:"formats"`
	} `json:"log"`
	Snippet struct {
		Code      int      `json:"code"`
		Title     int      `json:"title"`
		Expiries  []string `json:"expiries"`
		Languages []string `json:"languages"`
	} `json:"snippet"`
	Screenshot struct {
		Code         int      `json:"code"`
		WindowTitle  int      `json:"windowTitle"`
		Background   int      `json:"background"`
		Padding      Extent   `json:"padding"`
		FontSize     Extent   `json:"fontSize"`
		BorderRadius Extent   `json:"borderRadius"`
		Scale        Extent   `json:"scale"`
		Themes       []string `json:"themes"`    // of ScreenshotRequest.Theme
		AllThemes    []string `json:"allThemes"` // of the parameter theme, see Extras
	} `json:"screenshot"`
}

// Extent is the least and the most that something may be.
type Extent struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Limits returns what requests with the client's key may hold.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	return call[Limits](ctx, c, exchange{method: http.MethodGet, path: "/api/v1/limits"})
}
