package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/devkiln/devkiln/gradient"
	"github.com/devkiln/devkiln/httpapi/web/layout"
	"github.com/devkiln/devkiln/httpapi/web/listing"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/slugify"
)

// indexView is the content of the start page.
type indexView struct {
	Examples  []example
	Origin    string
	Dashboard bool     // there is one to link to
	New       *newView // the form that shares; nil: nobody may
}

func (s *site) index(r *http.Request) (*layout.Response, error) {
	examples, err := sharedExamples()
	if err != nil {
		return nil, err
	}
	v := indexView{Examples: examples, Origin: s.origin(r), Dashboard: s.Dashboard != nil}
	p := layout.Page{
		Title: "Devkiln", Path: "/", Styles: []string{"lines.css", "index.css"},
		Description: "Gradients, slugs, shared logs and snippets, and pictures of code: an HTTP API, a Go library and these pages.",
	}
	if s.Sharing.enabled() {
		v.New = new(s.newView(emptyForm()))
		p.Styles, p.Scripts = append(p.Styles, "share.css"), []string{"new.js"}
	}
	p.Content = v
	a, err := s.Render("index", p)
	if err != nil {
		return nil, err
	}
	if v.New != nil {
		a.NameOrigin()
	}
	return a.Revalidate(), nil
}

// The examples of the start page are real: what stands in the requests goes
// through the operations when the page is first asked for.

const exampleSlug = "Crème brûlée & 3 old kilns: ЩУКА"

var exampleColors = []string{"#3b1f52", "#b03a14", "#ff8f61", "#ffd479"}

const exampleAngle = 100

const exampleLog = `2026-11-20 14:20:05,404 INFO  checkout  charge requested, order 58810
2026-11-20 14:20:06,049 WARN  payment   provider slow: 2,140 ms
2026-11-20 14:20:06,310 ERROR payment   charge failed for order 58810
java.net.SocketTimeoutException: Read timed out
	at com.example.PaymentClient.charge(PaymentClient.java:87)
2026-11-20 14:20:06,512 DEBUG cache     hit for cart 17713 in 0.8 ms
`

const exampleSnippet = `def fire(kiln, pieces):
    for degrees in range(20, 1_240, 120):
        kiln.heat(to=degrees)
    return [piece for piece in pieces if not piece.cracked]
`

const examplePicture = `// Slugs that survive any language.
func main() {
	for _, title := range titles {
		fmt.Println(slugify.Make(title, slugify.Options{}))
	}
}
`

// An example is one operation of the API with its response.
type example struct {
	Name    string
	Path    string // of the operation
	Text    string
	Tool    string // path of its page
	Share   bool   // the page is there only where people may share
	Link    string // words of the link to the page
	Request string // JSON
	Picture string // an asset; may be empty
	Alt     string
	Width   int // of the picture
	Height  int
	Lines   template.HTML // of a viewer; may be empty
	Kind    string        // of the viewer: log or code
	Result  string        // may be empty
}

// pictures are the assets of the examples.
const (
	gradientPicture = "example-gradient.svg"
	codePicture     = "example-code.svg"
)

// drawnAssets returns the assets that are computed. They are the same for all
// handlers of the process: drawing the pictures takes a moment, and once will
// do.
var drawnAssets = sync.OnceValues(func() (map[string][]byte, error) {
	g, err := exampleGradient()
	if err != nil {
		return nil, err
	}
	var ground bytes.Buffer
	if err := g.WriteSVG(&ground, 640, 200); err != nil {
		return nil, err
	}
	c, err := exampleConfig()
	if err != nil {
		return nil, err
	}
	var code bytes.Buffer
	if err := c.WriteSVG(context.Background(), &code); err != nil {
		return nil, err
	}
	return map[string][]byte{
		gradientPicture: ground.Bytes(), codePicture: code.Bytes(),
		"ansi.css": listing.ANSIStyles(), "presets.css": append(presetStyles(), themeStyles()...),
	}, nil
})

func exampleGradient() (gradient.Gradient, error) {
	return gradient.New(exampleColors, gradient.Options{Angle: new(float64(exampleAngle))})
}

func exampleConfig() (screenshot.Config, error) {
	return screenshot.New(examplePicture, screenshot.Options{
		Language: "go", Theme: "github-dark", Background: exampleBackground, WindowTitle: "main.go", Padding: new(40.0),
	})
}

const exampleBackground = "linear-gradient(120deg, #3b1f52 0%, #b03a14 60%, #ff8f61 100%)"

// sharedExamples returns the examples of all handlers of the process.
var sharedExamples = sync.OnceValues(examples)

// examples returns one example of each operation.
func examples() ([]example, error) {
	var all []example
	for _, newExample := range []func() (example, error){pictureExample, logExample, snippetExample, gradientExample, slugExample} {
		e, err := newExample()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

func pictureExample() (example, error) {
	c, err := exampleConfig()
	if err != nil {
		return example{}, err
	}
	picture, err := c.Picture()
	if err != nil {
		return example{}, err
	}
	width, height := picture.Size()
	return example{
		Name: "Code screenshot", Path: "/api/v1/code-screenshot", Tool: "/screenshot", Link: "Open the studio",
		Text:    fmt.Sprintf("Code becomes a picture: %d themes, any gradient behind it, PNG up to four times its size, or SVG with text that stays text. No browser involved.", len(highlight.AllThemes())),
		Request: request("code", "…", "language", "go", "theme", "github-dark", "background", exampleBackground, "windowTitle", "main.go", "padding", 40),
		Picture: codePicture, Alt: "A window titled main.go with six lines of Go, on a gradient from violet to orange", Width: width, Height: height,
	}, nil
}

func logExample() (example, error) {
	log, err := listing.Log(exampleLog, listing.Options{NoAnchors: true}).HTML()
	return example{
		Name: "Log share", Path: "/api/v1/log-share", Tool: "/new?kind=log", Link: "Share a log", Share: true,
		Text:    "Paste up to 500,000 characters, pass the link on. Levels are found, coloured and counted, stack traces stay with their error, and the link ends when you say.",
		Request: request("content", "2026-11-20 14:20:05,404 INFO  checkout …", "title", "Payment timeouts", "expiry", string(share.Expiry7d)),
		Lines:   log, Kind: "log",
	}, err
}

func snippetExample() (example, error) {
	code, err := listing.Code(exampleSnippet, "python", listing.Options{NoAnchors: true}).HTML()
	return example{
		Name: "Code snippet share", Path: "/api/v1/code-snippet-share", Tool: "/new?kind=snippet", Link: "Share code", Share: true,
		Text:    "The same for code, highlighted in its language. Leave the language open and it is recognised. In a terminal, curl prints the code itself.",
		Request: request("code", "def fire(kiln, pieces): …", "language", "auto", "expiry", string(share.Expiry24h)),
		Lines:   code, Kind: "code",
	}, err
}

func gradientExample() (example, error) {
	g, err := exampleGradient()
	return example{
		Name: "Gradient", Path: "/api/v1/gradient-generator", Tool: "/gradient", Link: "Make a gradient",
		Text:    "Two to ten colours become CSS, and the prefixed forms with the angle that old browsers need for the same picture.",
		Request: request("colors", exampleColors, "angle", exampleAngle),
		Picture: gradientPicture, Alt: "The gradient: from violet over red and orange to yellow", Width: 640, Height: 200,
		Result: g.CSS(),
	}, err
}

func slugExample() (example, error) {
	slug, err := slugify.Make(exampleSlug, slugify.Options{})
	return example{
		Name: "Slug", Path: "/api/v1/slug-generator", Tool: "/slug", Link: "Make a slug",
		Text:    "Any text becomes a clean part of an address: accents, Cyrillic, Chinese, ampersands and emoji included. Slugging a slug changes nothing.",
		Request: request("text", exampleSlug),
		Result:  slug,
	}, err
}

// request writes the fields of a request as JSON, one to a line.
func request(fields ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(fields); i += 2 {
		var value bytes.Buffer
		e := json.NewEncoder(&value)
		e.SetEscapeHTML(false)
		if err := e.Encode(fields[i+1]); err != nil {
			return ""
		}
		fmt.Fprintf(&b, "  %q: %s,\n", fields[i], strings.TrimSpace(value.String()))
	}
	return "{\n" + strings.TrimSuffix(b.String(), ",\n") + "\n}"
}
