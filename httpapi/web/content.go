package web

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/memory"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/slugify"
)

// blank is the fact that content has nothing to see, lest it seem lost.
func blank(content string) []string {
	if strings.TrimSpace(content) != "" {
		return nil
	}
	return []string{"only white space"}
}

// raw responds with content as it was shared. Browsers show it as text, run
// nothing of it, and give it no origin.
func raw(content string) *layout.Response {
	a := layout.NewResponse(layout.Text, []byte(content))
	a.Header.Set("Content-Security-Policy", rawPolicy)
	return a.NoIndex()
}

// hold takes bytes of the memory that all requests share.
func hold(r *http.Request, bytes int) error {
	return memory.FromContext(r.Context()).Grow(int64(bytes))
}

// What [Options.LinkPreviews] can be.
const (
	PreviewFacts   = "facts"   // the title and the figures of the page: lines, size, errors
	PreviewPicture = "picture" // the facts and a picture of the first lines, or of those around the first error
	PreviewOff     = "off"
)

// wantsPage reports whether a request for a share is for its page rather than
// for its content.
func (s *site) wantsPage(r *http.Request) bool {
	return negotiate.WantsHTML(r.Header) || s.LinkPreviews != PreviewOff && negotiate.IsLinkPreviewer(r.Header)
}

// preview returns what a preview says of a share.
func (s *site) preview(facts []string) string {
	if s.LinkPreviews == PreviewOff {
		return ""
	}
	return strings.Join(facts, ", ")
}

// negotiated marks a response that depends on the Accept header, and on who
// asks.
func negotiated(a *layout.Response) *layout.Response {
	a.Header.Add("Vary", "Accept")
	a.Header.Add("Vary", "User-Agent")
	return a
}

// attached has a response be a file of this name.
func attached(a *layout.Response, name string) *layout.Response {
	a.Header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return a
}

// rawPolicy is for content that a stranger wrote.
const rawPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// maxFileName is the length of a file name, without its extension.
const maxFileName = 80

// fileName makes the name of a file that every system takes: the slug of a
// title, or otherwise where that leaves nothing, and the extension.
func fileName(title, otherwise, extension string) string {
	if len(title) > len(extension) && strings.EqualFold(title[len(title)-len(extension):], extension) {
		title = title[:len(title)-len(extension)]
	}
	name, err := slugify.Make(title, slugify.Options{MaxLength: maxFileName})
	if err != nil || name == "" || reserved.MatchString(name) {
		name = strings.Trim(otherwise+"-"+name, "-")
	}
	return name + extension
}

// reserved are the names that Windows keeps for devices, whatever the
// extension.
var reserved = regexp.MustCompile(`^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`)
