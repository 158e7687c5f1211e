// Package web serves Devkiln's pages for people: the viewers of shared logs and
// snippets, the screenshot studio, the tools, the API reference and the
// documentation. Start with [New]:
//
//	pages, err := web.New(web.Options{Shares: shares})
//	…
//	handler, err := httpapi.New(httpapi.Options{Shares: shares, Pages: pages, …})
//
// Pages are rendered on the server and work without JavaScript; small modules
// enhance them where it is available. All assets are embedded, and a
// Content-Security-Policy forbids anything else: no inline scripts, no inline
// styles, no other hosts.
//
// Shared content is always treated as text. The raw content of a share is
// served as text/plain in a sandbox, and clients that do not ask for HTML, such
// as curl, get the content at the URL of the share.
//
// The paths of pages are stable. The markup, class names and URLs of assets may
// change.
package web

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/internal/reference"
	"github.com/devkiln/devkiln/httpapi/openapi"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// Options configures the pages. Shares is required.
type Options struct {
	// Shares is the service that stores logs and snippets.
	Shares *share.Service

	// Fonts are used for characters that the embedded font of pictures lacks,
	// such as Chinese, Arabic and emoji. If nil, boxes are drawn for these.
	Fonts *screenshot.Fonts
	// Themes are additional themes for ?theme= of pictures; they take
	// precedence over built-in themes of the same name.
	Themes []highlight.Theme

	// NoPictures disables the pictures of shares at their URLs with .png or
	// .svg appended.
	NoPictures bool

	// BaseURL is the public URL of the service. Links of pages are below its
	// path; requests may arrive with or without that path. Nil means the root
	// of the host of each request.
	BaseURL *url.URL

	// TrustedProxies are the addresses of proxies whose X-Forwarded-For, -Host
	// and -Proto are trusted.
	TrustedProxies []netip.Prefix

	// Limiter limits the requests of one address for pages, but not for style
	// sheets and scripts. Its keys start with "page/". Nil means no limit.
	Limiter *ratelimit.Limiter

	// Dashboard serves /dashboard and every path below it, within the rate
	// limit, with the path of the base URL removed. If nil, there is no
	// dashboard.
	Dashboard http.Handler

	// LinkPreviews is what programs that preview a posted link to a share can
	// show: facts, the default, picture or off.
	LinkPreviews string

	// EmbedOrigins are the origins, such as https://wiki.example, whose pages
	// may show snippets in a frame, at their URLs with /embed appended; "*"
	// means every origin. If nil, these URLs do not exist.
	EmbedOrigins []string

	// Sharing configures the form of the start page. The zero value disables it.
	Sharing Sharing

	// Log receives internal errors. Nil discards them.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// site is the state of the handler. Templates and assets are loaded on the
// first page request, so that a server used only for its API spends neither
// time nor memory on them.
type site struct {
	Options
	*layout.Layout
	mux *http.ServeMux

	reference func() (*reference.Reference, error)
	foreign   func(*http.Request) error // checks the origin of a form
}

//go:embed templates/*
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// assets returns the style sheets, scripts and images of the pages.
func assets() (map[string][]byte, error) {
	all := map[string][]byte{
		"ansi.css": listing.ANSIStyles(), "presets.css": presetStyles(), "themes.css": themeStyles(),
	}
	files, err := assetFiles.ReadDir("assets")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if all[f.Name()], err = assetFiles.ReadFile("assets/" + f.Name()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// New returns the handler of all pages. It accepts any path, and responds with
// 404 if there is no page. It returns an error if Shares is missing.
func New(o Options) (http.Handler, error) {
	return newHandler(o, openapi.JSON())
}

// newHandler returns the handler, with document as the API reference.
func newHandler(o Options, document string) (http.Handler, error) {
	if o.Shares == nil {
		return nil, errors.New("web: Options.Shares is nil")
	}
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if !slices.Contains([]string{"", previewFacts, previewPicture, previewOff}, o.LinkPreviews) {
		return nil, fmt.Errorf("web: Options.LinkPreviews is %q, must be %s, %s or %s", o.LinkPreviews, previewFacts, previewPicture, previewOff)
	}
	if i := slices.IndexFunc(o.EmbedOrigins, origin.Malformed); i >= 0 {
		return nil, fmt.Errorf("web: Options.EmbedOrigins has %q, must be * or http:// or https:// with a host and nothing after it", o.EmbedOrigins[i])
	}
	s := &site{Options: o}
	s.reference = sync.OnceValues(func() (*reference.Reference, error) { return reference.New(document) })
	var err error
	if s.foreign, err = origin.CrossSite(o.BaseURL, o.TrustedProxies); err != nil {
		return nil, err
	}
	s.Layout = layout.New(layout.Options{
		Templates: templateFiles, Funcs: docsFuncs, Assets: assets, BaseURL: o.BaseURL, Dashboard: o.Dashboard != nil, Log: o.Log,
		Failures: map[error]layout.Failure{share.ErrNotFound: layout.Gone, share.ErrReadOnce: readOnce},
	})
	s.mux = s.routes()
	return http.HandlerFunc(s.serve), nil
}

// origin returns the scheme, host and base path as a visitor sees them, for
// examples to copy.
func (s *site) origin(r *http.Request) string { return origin.Of(r, s.BaseURL, s.TrustedProxies) }
