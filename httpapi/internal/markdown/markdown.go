// Package markdown converts GitHub Flavored Markdown to HTML. It omits embedded
// HTML, shows images as links, and refuses texts that are too expensive.
//
// The parser, yuin/goldmark, takes quadratic time for some texts: 1.2 seconds
// for 20,000 characters of ">", 10 seconds for a table of 500 columns and 9,500
// lines. So the cost of a text is estimated first; see work.
package markdown

import (
	"bytes"
	"errors"
	"html/template"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// ErrTooMuch is returned for a text that could take more than about a second.
var ErrTooMuch = errors.New("markdown: the text is too long or too deep to be shown as a document")

// Limits of a text.
const (
	maxBytes = 200_000
	maxWork  = 100_000_000
	unitTime = 5 * time.Nanosecond
)

// Weights of constructs that cost more than one unit.
const (
	cellWork  = 500    // per table cell
	linkWork  = 10     // per byte of a link reference definition and use
	bareWork  = 100    // per byte of a line and bare URL in it
	fenceWork = 20_000 // per line that could begin code with colours
)

// work estimates the cost of a text. Delimiters cost the square of their number
// in a block, because each may search all others for its partner. The other
// terms are nesting depth and bare URLs per line, table cells with all rows
// padded to the longest, and link reference definitions times their uses.
func work(markdown string) int {
	var total, depth, lines, pipes, addresses, links int
	marks := 0
	flush := func() {
		total += marks * marks
		marks = 0
	}
	for line := range strings.Lines(markdown) {
		lines++
		start := line[:len(line)-len(strings.TrimLeft(line, containers))]
		if strings.Trim(line, "> \t\r\n") == "" {
			flush()
		}
		depth = max(depth, len(start))
		total += len(start) * len(start)
		pipes = max(pipes, strings.Count(line, "|"))
		if strings.Contains(line, "]:") {
			addresses += len(line)
		}
		links += strings.Count(line, "[")
		total += fenceWork * (strings.Count(line, "```") + strings.Count(line, "~~~")) / 2
		for _, mark := range kinds {
			marks += strings.Count(line, string(mark))
		}
		total += bareWork * len(line) * (strings.Count(line, "www.") + strings.Count(line, "://") + strings.Count(line, "@"))
	}
	flush()
	if pipes > 0 {
		total += cellWork * (pipes + 1) * lines
	}
	return total + depth*lines + linkWork*addresses*links
}

// containers are the characters that start nested blocks.
const containers = "> \t-+*0123456789.)"

// kinds are the inline delimiters, which a parser pairs within a block.
const kinds = "[](<*_~`\\&"

// Work returns the approximate time of [HTML] for a text, without the time of
// its Highlighter.
func Work(markdown string) time.Duration {
	return min(maxWork, time.Duration(work(markdown))) * unitTime
}

// A Highlighter returns code as HTML with the colours of a language.
type Highlighter func(code, language string) template.HTML

// HTML converts a text to HTML, with code in fences as highlight returns it. It
// returns [ErrTooMuch] or an error of the parser.
func HTML(markdown string, highlight Highlighter) (template.HTML, error) {
	if len(markdown) > maxBytes || work(markdown) > maxWork {
		return "", ErrTooMuch
	}
	converter := goldmark.New(
		goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList, extension.Footnote,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone))), // pages have no inline styles
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(plainer{}, 100))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{highlight}, 100))),
	)
	var b bytes.Buffer
	err := converter.Convert([]byte(markdown), &b)
	return template.HTML(b.String()), err
}

// plainer replaces images with links, marks links as untrusted, and lowers
// headings by one level, below the title of the page. Boxes become characters.
// Items with a box and aligned cells get a class.
type plainer struct{}

// Transform implements parser.ASTTransformer.
func (plainer) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	var images []*ast.Image
	var boxes []*extensionast.TaskCheckBox
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+1, 6)
		case *ast.Image:
			images = append(images, n)
		case *ast.Link, *ast.AutoLink:
			n.SetAttributeString("rel", []byte("nofollow noopener"))
		case *extensionast.TableCell:
			if n.Alignment == extensionast.AlignRight || n.Alignment == extensionast.AlignCenter {
				n.SetAttributeString("class", []byte(n.Alignment.String()))
			}
		case *extensionast.TaskCheckBox:
			n.Parent().Parent().SetAttributeString("class", []byte("task"))
			boxes = append(boxes, n)
		}
		return ast.WalkContinue, nil
	})
	for _, box := range boxes { // no one can tick them
		shown := "☐ "
		if box.IsChecked {
			shown = "☑ "
		}
		box.Parent().ReplaceChild(box.Parent(), box, ast.NewString([]byte(shown)))
	}
	for _, image := range images {
		linkTo(image)
	}
}

// linkTo replaces an image with a link to it or, within a link, with its text.
func linkTo(image *ast.Image) {
	parent := image.Parent()
	if _, within := parent.(*ast.Link); within {
		for child := image.FirstChild(); child != nil; child = image.FirstChild() {
			parent.InsertBefore(parent, image, child)
		}
		parent.ReplaceChild(parent, image, ast.NewString(nil))
		return
	}
	link := ast.NewLink()
	link.Destination, link.Title = image.Destination, image.Title
	link.SetAttributeString("rel", []byte("nofollow noopener"))
	link.SetAttributeString("class", []byte("picture"))
	for child := image.FirstChild(); child != nil; child = image.FirstChild() {
		link.AppendChild(link, child)
	}
	if link.FirstChild() == nil {
		link.AppendChild(link, ast.NewString([]byte("picture")))
	}
	parent.ReplaceChild(parent, image, link)
}

// blocks renders code in fences with colours.
type blocks struct{ highlight Highlighter }

// RegisterFuncs implements renderer.NodeRenderer.
func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		code := b.highlight(string(fence.Lines().Value(source)), string(fence.Language(source)))
		_, err := w.WriteString(`<pre tabindex="0"><code class="code">` + string(code) + "</code></pre>\n")
		return ast.WalkContinue, err
	})
}
