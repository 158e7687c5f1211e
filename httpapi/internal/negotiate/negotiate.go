// Package negotiate reads the header fields in which a client states what it
// prefers to receive (RFC 9110, section 12.5) and what it already has.
//
// munnerz/goautoneg, the usual library, supports neither Accept-Encoding nor
// the precedence of more specific ranges.
package negotiate

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Preferred returns the offered media type that the values of Accept prefer. Of
// equally preferred ones it returns the one with the most specific range, then
// the first; if none is acceptable, it returns the first.
func Preferred(accept []string, offers ...string) string {
	best, bestQuality, bestExactness := offers[0], 0.0, 0
	for _, offer := range offers {
		quality, exactness := wanted(accept, offer)
		if quality > bestQuality || quality == bestQuality && exactness > bestExactness {
			best, bestQuality, bestExactness = offer, quality, exactness
		}
	}
	return best
}

// wanted returns the quality that Accept assigns to a media type, and how exact
// the best matching range is: 3 names it, 2 its type, 1 anything, 0 none
// matches.
func wanted(accept []string, offer string) (quality float64, exactness int) {
	kind, _, _ := strings.Cut(offer, "/")
	for name, q := range elements(accept) {
		exact := 0
		switch name {
		case offer:
			exact = 3
		case kind + "/*":
			exact = 2
		case "*/*":
			exact = 1
		}
		if exact > exactness {
			quality, exactness = q, exact
		}
	}
	if quality == 0 {
		return 0, 0
	}
	return quality, exactness
}

// WantsHTML reports whether a client asks for a page: it names text/html, and
// prefers it at least as much as text/plain. curl, which accepts anything, does
// not.
func WantsHTML(h http.Header) bool {
	accept := h.Values("Accept")
	html := max(weightOf(accept, "text/html"), weightOf(accept, "application/xhtml+xml"))
	return html > 0 && html >= weightOf(accept, "text/plain")
}

// WantsJSON reports whether a client prefers JSON to anything else, as scripts
// of pages do.
func WantsJSON(h http.Header) bool {
	first, _, _ := strings.Cut(h.Get("Accept"), ",")
	return weightOf([]string{first}, "application/json") > 0
}

// weightOf returns the weight of an element of a list field, or 0 if it is
// absent.
func weightOf(values []string, element string) float64 {
	for name, q := range elements(values) {
		if name == element {
			return q
		}
	}
	return 0
}

// IsCurrent reports whether a client already has the response with an entity
// tag (RFC 9110, section 13.1.2). It returns false if etag is empty.
func IsCurrent(h http.Header, etag string) bool {
	for item := range strings.SplitSeq(strings.Join(h.Values("If-None-Match"), ","), ",") {
		item = strings.TrimSpace(item)
		if etag != "" && (item == "*" || strings.TrimPrefix(item, "W/") == strings.TrimPrefix(etag, "W/")) {
			return true
		}
	}
	return false
}

// elements yields the elements of a list field in lower case, and their weights
// (section 12.4.2). An invalid weight is 0.
func elements(values []string) func(yield func(name string, q float64) bool) {
	return func(yield func(string, float64) bool) {
		for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
			name, params, err := mime.ParseMediaType(item)
			q := 1.0
			if weight, ok := params["q"]; ok || err != nil {
				q, _ = strconv.ParseFloat(weight, 64)
			}
			if !yield(name, q) {
				return
			}
		}
	}
}
