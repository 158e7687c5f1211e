package httpapi

import (
	"mime"
	"strconv"
	"strings"
)

// preferred returns which of the media types on offer an Accept header wants
// most (RFC 9110, section 12.5.1). Of two that it wants alike, the one that it
// names more exactly wins, and then the one that is offered first; so does the
// first if the header wants none of them.
func preferred(accept []string, offers ...string) string {
	best, bestQuality, bestExactness := offers[0], 0.0, 0
	for _, offer := range offers {
		quality, exactness := wanted(accept, offer)
		if quality > bestQuality || quality == bestQuality && exactness > bestExactness {
			best, bestQuality, bestExactness = offer, quality, exactness
		}
	}
	return best
}

// wanted returns the quality that a header gives to a media type, by its most
// exact range for it: 3 names it, 2 its kind, 1 anything, 0 nothing does.
func wanted(accept []string, offer string) (quality float64, exactness int) {
	kind, _, _ := strings.Cut(offer, "/")
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(item)
		if err != nil {
			continue
		}
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
			quality, exactness = 1, exact
			if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
				quality = q
			}
		}
	}
	if quality == 0 {
		return 0, 0
	}
	return quality, exactness
}
