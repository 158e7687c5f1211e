package negotiate_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
)

func TestPreferred(t *testing.T) {
	const json, png, svg = "application/json", "image/png", "image/svg+xml"
	for accept, want := range map[string]string{
		"": json, "*/*": json, "text/html": json, "image/png;q=0": json, "image/png;q=x": json, ";;;,": json,
		"application/json, image/png": json, "image/*, application/json;q=0.9": png,
		"image/png": png, "IMAGE/PNG": png, "*/*, image/png": png, "image/svg+xml;q=0.9, image/png": png,
		"image/svg+xml": svg, "image/png;q=0.5, image/svg+xml ; Q=0.6": svg, "image/*, image/png;q=0": svg,
	} {
		assert.Equal(t, want, negotiate.Preferred([]string{accept}, json, png, svg), "%q", accept)
	}
	assert.Equal(t, png, negotiate.Preferred([]string{"text/html", "image/png"}, json, png, svg), "two fields are one list")
}

func TestWantsHTML(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "text/plain": false, "text/html;q=0": false, "text/html;q=0.5, text/plain": false,
		"text/html": true, "application/xhtml+xml": true, "text/plain;q=0.5, TEXT/HTML;q=0.5": true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
	} {
		assert.Equal(t, want, negotiate.WantsHTML(http.Header{"Accept": {accept}}), "%q", accept)
	}
}

func TestWantsJSON(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "text/html, application/json": false, "application/json;q=0": false,
		"application/json": true, "application/json, */*": true,
	} {
		assert.Equal(t, want, negotiate.WantsJSON(http.Header{"Accept": {accept}}), "%q", accept)
	}
}
