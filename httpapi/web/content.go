package web

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/slugify"
)

// blank returns a fact that says that the content is only white space, or nil.
func blank(content string) []string {
	if strings.TrimSpace(content) != "" {
		return nil
	}
	return []string{"only white space"}
}

// raw responds with content unchanged. The policy keeps browsers from running
// any of it and gives it an opaque origin.
func raw(content string) *layout.Response {
	a := layout.NewResponse(layout.Text, []byte(content))
	a.Header.Set("Content-Security-Policy", rawPolicy)
	return a.NoIndex()
}

// reserve takes bytes of the memory that all requests share.
func reserve(r *http.Request, bytes int) error {
	return fair.FromContext(r.Context()).Grow(int64(bytes))
}

// What [Options.LinkPreviews] can be.
const (
	previewFacts   = "facts"   // the title and the figures of the page: lines, size, errors
	previewPicture = "picture" // the facts and a picture of the first lines, or of those around the first error
	previewOff     = "off"
)

// wantsPage reports whether a request for a share wants its page rather than
// its content.
func (s *site) wantsPage(r *http.Request) bool {
	return negotiate.WantsHTML(r.Header) || s.LinkPreviews != previewOff && negotiate.IsLinkPreviewer(r.Header)
}

// preview returns the description of a share for link previews.
func (s *site) preview(facts []string) string {
	if s.LinkPreviews == previewOff {
		return ""
	}
	return strings.Join(facts, ", ")
}

// attached makes a response a download with this file name.
func attached(a *layout.Response, name string) *layout.Response {
	a.Header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return a
}

// rawPolicy is the content security policy for content from strangers.
const rawPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// maxFileName limits a file name without its extension, in bytes.
const maxFileName = 80

// fileName returns a file name valid on every system: the slug of title, or
// otherwise if that slug is empty or reserved, and the extension.
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

// reserved matches the device names of Windows, which no extension makes
// usable.
var reserved = regexp.MustCompile(`^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`)
