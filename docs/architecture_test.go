// Package docs_test checks the documents against the code: it draws the package
// diagram from the imports and checks that link targets exist.
package docs_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/architecture.svg")

const module = "github.com/devkiln/devkiln/"

// rows lists the packages of the diagram from top to bottom. A package imports
// only packages of lower rows. A name ending in /… includes all packages below
// it.
var rows = []struct {
	title    string
	packages []string
}{
	{"programs", []string{"cmd/devkiln", "examples/…"}},
	{"", []string{"cmd/devkiln/internal/…"}},
	{"a whole service", []string{"httpapi/server"}},
	{"what it serves", []string{"httpapi/web", "httpapi/dashboard", "httpapi/metrics"}},
	{"", []string{"httpapi/internal/listing", "httpapi/internal/reference", "httpapi/internal/markdown"}},
	{"", []string{"httpapi/mcp", "httpapi/internal/layout"}},
	{"the API", []string{"httpapi"}},
	{"parts of it", []string{"httpapi/apikey", "httpapi/ratelimit", "httpapi/usage", "httpapi/audit", "httpapi/openapi", "httpapi/client"}},
	{"", []string{"httpapi/internal/…"}},
	{"operations", []string{"gradient/export", "slugify", "screenshot", "share"}},
	{"their parts", []string{"screenshot/highlight", "share/logs", "share/mask", "share/seal", "store/sqlite", "store/postgres"}},
	{"", []string{"screenshot/internal/…", "share/logs/internal/…"}},
	{"foundations", []string{"internal/language", "internal/terminal", "gradient", "store"}},
	{"", []string{"internal/option", "store/driver"}},
	{"", []string{"internal/invalid", "internal/nearest"}},
}

// aside lists packages for tests, generators and development.
var aside = []string{
	"github.com/devkiln/devkiln", "docs", "internal/abuse", "internal/contract", "internal/pgtest",
	"store/storetest",
}

func TestArchitecture_importsPointDown(t *testing.T) {
	row := make(map[string]int)
	for i, r := range rows {
		for _, name := range r.packages {
			row[name] = i
		}
	}
	for from, tos := range imports(t) {
		for _, to := range tos {
			assert.Less(t, row[from], row[to], "%s imports %s, which does not stand below it", from, to)
		}
	}
}

func TestArchitecture_pictureIsCurrent(t *testing.T) {
	svg := draw(reduce(imports(t)))
	if *update {
		require.NoError(t, os.WriteFile("architecture.svg", []byte(svg), 0o644))
	}
	drawn, err := os.ReadFile("architecture.svg")
	require.NoError(t, err)
	require.Equal(t, svg, string(drawn), "the packages have changed; go test ./docs -update draws them anew")
}

func TestArchitecture_documentNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	require.NoError(t, err)
	for _, r := range rows {
		for _, name := range r.packages {
			name, _ = strings.CutSuffix(name, "/…")
			assert.True(t, strings.Contains(string(text), "`"+name), "%s is not in the table", name)
		}
	}
	for _, name := range aside {
		assert.True(t, strings.Contains(string(text), "`"+name+"`"), "%s is not named", name)
	}
}

// imports returns the imports between boxes of the diagram.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	out, err := cmd.Output()
	require.NoError(t, err)
	edges := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		from := strings.TrimPrefix(fields[0], module)
		if slices.Contains(aside, from) || strings.HasPrefix(from, "store/internal/") {
			continue
		}
		from = box(t, from)
		edges[from] = append(edges[from], []string{}...)
		for _, path := range fields[1:] {
			name, ours := strings.CutPrefix(path, module)
			if !ours {
				continue
			}
			if to := box(t, name); to != from && !slices.Contains(edges[from], to) {
				edges[from] = append(edges[from], to)
			}
		}
		slices.Sort(edges[from])
	}
	return edges
}

// box returns the name of a package in the diagram.
func box(t *testing.T, name string) string {
	t.Helper()
	for _, r := range rows {
		for _, p := range r.packages {
			below, many := strings.CutSuffix(p, "…")
			if name == p || many && strings.HasPrefix(name, below) {
				return p
			}
		}
	}
	require.Fail(t, "a package has no place in the picture", "%s: add it to rows or aside", name)
	return ""
}

// reduce removes imports that a package also reaches through another.
func reduce(edges map[string][]string) map[string][]string {
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(edges[from], func(next string) bool { return next == to || reaches(next, to) })
	}
	reduced := make(map[string][]string)
	for from, tos := range edges {
		for _, to := range tos {
			if !slices.ContainsFunc(tos, func(other string) bool { return other != to && reaches(other, to) }) {
				reduced[from] = append(reduced[from], to)
			}
		}
	}
	return reduced
}

const (
	width     = 1120
	left      = 130 // of the boxes; titles are on their left
	rowHeight = 76
	boxHeight = 32
	perRune   = 7.3
)

type place struct{ x, y, width float64 }

func draw(edges map[string][]string) string {
	places := layOut()
	var b strings.Builder
	height := len(rows)*rowHeight + 8
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="ui-monospace, monospace" font-size="12">
<title>The packages of Devkiln and what they import</title>
<style>svg{color:#1f1b16;background:#faf8f5}.b{fill:#fff;stroke:#b9afa3}.l{fill:none;stroke:#b9afa3}.t{fill:#6a6157;font-family:system-ui,sans-serif}text{fill:currentColor}
@media(prefers-color-scheme:dark){svg{color:#ece6df;background:#151311}.b{fill:#1e1b18;stroke:#5d5449}.l{stroke:#5d5449}.t{fill:#a89e92}}</style>
`, width, height)
	for _, r := range rows {
		for _, from := range r.packages {
			for _, to := range edges[from] {
				p, q := places[from], places[to]
				x1, y1, x2, y2 := p.x+p.width/2, p.y+boxHeight, q.x+q.width/2, q.y
				fmt.Fprintf(&b, "<path class=\"l\" d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\"/>\n", x1, y1, x1, y1+30, x2, y2-30, x2, y2)
			}
		}
	}
	for i, r := range rows {
		fmt.Fprintf(&b, "<text class=\"t\" x=\"8\" y=\"%d\">%s</text>\n", i*rowHeight+28, r.title)
		for _, name := range r.packages {
			p := places[name]
			fmt.Fprintf(&b, "<rect class=\"b\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"8\"/><text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n",
				p.x, p.y, p.width, boxHeight, p.x+p.width/2, p.y+21, name)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// layOut spaces the boxes of each row evenly.
func layOut() map[string]place {
	places := make(map[string]place)
	for i, r := range rows {
		var taken float64
		for _, name := range r.packages {
			taken += boxWidth(name)
		}
		gap := (width - left - taken) / float64(len(r.packages)+1)
		x := left + gap
		for _, name := range r.packages {
			places[name] = place{x, float64(i*rowHeight + 8), boxWidth(name)}
			x += boxWidth(name) + gap
		}
	}
	return places
}

func boxWidth(name string) float64 { return perRune*float64(len([]rune(name))) + 20 }
