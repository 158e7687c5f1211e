package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
)

// A snippetView is the content of the page of a snippet.
type snippetView struct {
	shareView

	Image   template.URL // the fragment that opens the studio with it; may be empty
	NoImage string       // then: why not
}

func (s *site) viewSnippet(r *http.Request) (*answer, error) {
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if !wantsHTML(r.Header) {
		return negotiated(raw(snippet.Code)), nil
	}
	v := snippetView{shareView: s.shareView("/snippets/"+snippet.ID, or(snippet.Title, "Untitled snippet"), snippet.Expires)}
	var lines int
	v.Text, lines = codeLines(r.Context(), snippet.Code, snippet.Language, false)
	v.Digits = len(strconv.Itoa(lines))
	v.Masked = snippet.Masked.Sentence()
	v.Image, v.NoImage = imageFragment(snippet)
	v.Facts = append([]string{snippet.Language, plural(lines, "line"), size(len(snippet.Code))}, blank(snippet.Code)...)
	a, err := s.render("snippet", page{Title: v.Title, Styles: []string{"lines.css", "viewer.css"}, Scripts: []string{"snippet.js"}, Private: true, Wide: true, Content: v})
	if err != nil {
		return nil, err
	}
	return negotiated(a), nil
}

func (s *site) rawSnippet(r *http.Request) (*answer, error) {
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return raw(snippet.Code), nil
}

func (s *site) downloadSnippet(r *http.Request) (*answer, error) {
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return download(snippet.Code, fileName(snippet.Title, "snippet-"+snippet.ID, strings.ToLower(language.Extension(snippet.Language)))), nil
}

// imageFragment returns the fragment that opens the studio with a snippet, or
// says why there is none.
func imageFragment(snippet share.Snippet) (fragment template.URL, whyNot string) {
	if n := utf8.RuneCountInString(snippet.Code); n > screenshot.MaxCode {
		return "", fmt.Sprintf("An image takes %s characters, and this snippet has %s.", thousands(screenshot.MaxCode), thousands(n))
	}
	title := snippet.Title
	if utf8.RuneCountInString(title) > screenshot.MaxTitle {
		title = ""
	}
	c, err := screenshot.New(snippet.Code, screenshot.Options{Language: snippet.Language, WindowTitle: title})
	if err != nil {
		return "", "This snippet cannot become an image."
	}
	text, err := c.Fragment()
	if err != nil {
		return "", "This snippet cannot become an image."
	}
	return template.URL(text), ""
}

// codeLines writes highlighted code, with anchors unless it is bare.
func codeLines(ctx context.Context, code, lang string, bare bool) (text template.HTML, lines int) {
	l := listing{b: make([]byte, 0, 3*len(code)), bare: bare, room: roomBeside(code)}
	for _, tokens := range screenshot.Highlight(ctx, code, lang) {
		l.begin("")
		current := ""
		for _, token := range tokens {
			if class := codeClass(token.Class); class != current {
				l.close(current)
				l.open(class)
				current = class
			}
			l.marked(token.Text)
		}
		l.close(current)
	}
	return l.html(), l.n
}

// codeClass returns the class of a token in the style sheet of the viewer,
// which tells fewer apart than the themes of pictures do: c comments, k
// keywords, t types, n functions, s strings, e escapes, m numbers and
// constants, g tags, a attributes and keys, p punctuation, d and x lines of a
// diff, h headings, b strong, i emphasis.
func codeClass(c screenshot.Class) string {
	switch c {
	case screenshot.ClassComment, screenshot.ClassDocComment:
		return "c"
	case screenshot.ClassKeyword, screenshot.ClassKeywordDeclaration, screenshot.ClassPreprocessor, screenshot.ClassLanguageVariable:
		return "k"
	case screenshot.ClassType, screenshot.ClassClass, screenshot.ClassNamespace:
		return "t"
	case screenshot.ClassFunction, screenshot.ClassBuiltin, screenshot.ClassDecorator, screenshot.ClassCSSProperty:
		return "n"
	case screenshot.ClassString, screenshot.ClassRegexp:
		return "s"
	case screenshot.ClassStringEscape, screenshot.ClassLabel:
		return "e"
	case screenshot.ClassNumber, screenshot.ClassBoolean, screenshot.ClassConstant:
		return "m"
	case screenshot.ClassTag:
		return "g"
	case screenshot.ClassAttribute, screenshot.ClassJSONKey:
		return "a"
	case screenshot.ClassPunctuation, screenshot.ClassOperator:
		return "p"
	case screenshot.ClassInserted:
		return "d"
	case screenshot.ClassDeleted:
		return "x"
	case screenshot.ClassHeading:
		return "h"
	case screenshot.ClassStrong:
		return "b"
	case screenshot.ClassEmphasis:
		return "i"
	default:
		return ""
	}
}
