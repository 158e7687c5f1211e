// Package web serves Devkiln's pages for people: the viewers of shared logs and
// snippets, the screenshot studio, the tools, the API reference and the page
// that explains it all.
//
//	pages, err := web.New(web.Options{Shares: shares})
//	…
//	handler, err := httpapi.New(httpapi.Options{Shares: shares, Pages: pages, …})
//
// Pages are made on the server and work without JavaScript; small modules
// improve them where it runs. Everything they need is embedded, and a
// Content-Security-Policy keeps them from anything else: no inline script, no
// inline style, no other host.
//
// What a stranger shared is only ever text. The raw content of a share comes as
// text/plain in a sandbox, and to a client that does not ask for HTML, such as
// curl, the address of a share is its content.
//
// The markup, class names and asset addresses are not promised. The paths of
// pages are.
package web

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/devkiln/devkiln/httpapi/internal/origin"
	"github.com/devkiln/devkiln/httpapi/openapi"
	"github.com/devkiln/devkiln/httpapi/ratelimit"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/httpapi/web/reference"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// Options is what the pages are made of. Shares is required.
type Options struct {
	// Shares holds the logs and snippets.
	Shares *share.Service

	// Fonts are for what the embedded font of pictures lacks: Chinese, Arabic,
	// emoji. Nil: boxes are drawn.
	Fonts *screenshot.Fonts
	// Themes are what ?theme= may name for a picture besides the built-in ones;
	// one of the same name goes before those.
	Themes []highlight.Theme

	// NoPictures leaves out the pictures of shares, at their addresses with .png
	// or .svg behind them.
	NoPictures bool

	// BaseURL is where the service is reached from outside. Links of pages lie
	// under its path; requests may arrive with that path or without it. Nil
	// means the root of the host of each request.
	BaseURL *url.URL

	// Origin returns the scheme and host of a request as its sender knows them,
	// behind trusted proxies, for examples that are meant to be copied. Nil:
	// those of the request itself.
	Origin func(*http.Request) string

	// Limiter limits the requests of one address for pages, not for their
	// style sheets and scripts. Its keys start with "page/". Nil: no limit.
	Limiter ratelimit.Limiter
	// ClientAddr returns the address of the client behind trusted proxies. Nil
	// means the other end of the connection.
	ClientAddr func(*http.Request) string

	// Dashboard serves /dashboard and every path below it, within the rate
	// limit; the path of the base URL is taken off before. Nil: there is none.
	Dashboard http.Handler

	// LinkPreviews says what programs learn that show a preview of a posted link
	// to a share: [PreviewFacts], which "" means too, [PreviewPicture] or
	// [PreviewOff].
	LinkPreviews string

	// EmbedOrigins are the origins whose pages may show snippets in a frame, at
	// their addresses with /embed behind them, such as https://wiki.example; "*" is
	// all. Nil: none, and neither those addresses nor /oembed exist.
	EmbedOrigins []string

	// Sharing says who may share on the page /new. The zero value: nobody.
	Sharing Sharing

	// Log takes what went wrong inside. Nil discards it.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// site is the state of the handler. What pages are made of is read when the
// first of them is asked for: whoever serves the API alone needs neither the
// time nor the memory.
type site struct {
	Options
	*layout.Layout
	mux *http.ServeMux

	document string                   // of the API
	docsPage atomic.Pointer[docsPage] // the last one

	foreign func(*http.Request) error // the check of a form's origin
}

//go:embed templates/*
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// assets returns the style sheets, scripts and pictures of the pages.
func assets() (map[string][]byte, error) {
	drawn, err := drawnAssets()
	if err != nil {
		return nil, err
	}
	all := maps.Clone(drawn)
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

// New returns the handler of every page. It serves any path, those that have
// no page with 404. The error is non-nil if Shares is missing.
func New(o Options) (http.Handler, error) {
	return newHandler(o, openapi.JSON())
}

// newHandler returns the handler with a document for the reference.
func newHandler(o Options, document string) (http.Handler, error) {
	if o.Shares == nil {
		return nil, errors.New("web: Options.Shares is nil")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.ClientAddr == nil {
		o.ClientAddr = func(r *http.Request) string { return origin.ClientAddr(r, nil) }
	}
	if o.Origin == nil {
		o.Origin = func(r *http.Request) string { return origin.Of(r, nil) }
	}
	if !slices.Contains([]string{"", PreviewFacts, PreviewPicture, PreviewOff}, o.LinkPreviews) {
		return nil, fmt.Errorf("web: Options.LinkPreviews is %q, must be %s, %s or %s", o.LinkPreviews, PreviewFacts, PreviewPicture, PreviewOff)
	}
	if err := checkEmbedOrigins(o.EmbedOrigins); err != nil {
		return nil, err
	}
	s := &site{Options: o, document: document}
	var err error
	if s.foreign, err = origin.CrossSite(o.BaseURL, o.Origin); err != nil {
		return nil, err
	}
	templates, err := fs.Sub(templateFiles, "templates")
	if err != nil {
		return nil, err
	}
	s.Layout = layout.New(layout.Options{Templates: templates, Funcs: reference.Funcs(), Assets: assets, BaseURL: o.BaseURL, Dashboard: o.Dashboard != nil, Log: o.Log})
	s.mux = s.routes()
	return http.HandlerFunc(s.serve), nil
}

// origin returns scheme, host and base path as a visitor sees them, for
// examples that are meant to be copied.
func (s *site) origin(r *http.Request) string {
	if s.BaseURL != nil {
		return strings.TrimRight(s.BaseURL.String(), "/")
	}
	return s.Origin(r)
}
