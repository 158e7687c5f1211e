package layout

import (
	_ "embed" // of icons.tsv
	"fmt"
	"html/template"
	"strings"
	"sync"
)

// A tool is a link in the navigation.
type tool struct{ Path, Name string }

var tools = [...]tool{{"/screenshot", "Screenshot"}, {"/gradient", "Gradient"}, {"/slug", "Slug"}, {"/docs", "API"}}

//go:embed icons.tsv
var iconFile string

// icons maps names to SVG paths on a 20 by 20 grid, stroked 1.6 units wide.
var icons = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for line := range strings.Lines(iconFile) {
		name, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all[name] = path
	}
	return all
})

// icon returns a decorative icon, hidden from assistive technology.
func icon(name string) (template.HTML, error) {
	d, ok := icons()[name]
	if !ok {
		return "", fmt.Errorf("layout: no icon %s", name)
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="` + d + `"/></svg>`), nil
}
