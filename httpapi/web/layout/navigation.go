package layout

import (
	_ "embed" // of icons.tsv
	"fmt"
	"html/template"
	"strings"
	"sync"
)

// A tool is a page of the navigation.
type tool struct{ Path, Name string }

var tools = [...]tool{{"/screenshot", "Screenshot"}, {"/gradient", "Gradient"}, {"/slug", "Slug"}, {"/docs", "API"}}

//go:embed icons.tsv
var iconFile string

// icons are names and paths, drawn on a grid of 20 by 20, with lines 1.6 wide.
var icons = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for line := range strings.Lines(iconFile) {
		name, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all[name] = path
	}
	return all
})

// icon returns a picture that goes with a word; it says nothing by itself.
func icon(name string) (template.HTML, error) {
	d, ok := icons()[name]
	if !ok {
		return "", fmt.Errorf("layout: no icon %s", name)
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + d + `"/></svg>`), nil
}
