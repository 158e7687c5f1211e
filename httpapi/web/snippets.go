package web

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/listing"
	"github.com/devkiln/devkiln/httpapi/internal/markdown"
	"github.com/devkiln/devkiln/internal/language"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
	"github.com/devkiln/devkiln/share"
)

// A snippetView is the content of the page of a snippet.
type snippetView struct {
	shareView

	Language string
	Edit     string        // URL of a new share that starts with the code; may be empty
	Markdown bool          // the code can be shown as a document
	Document template.HTML // the rendered document, unless its source is requested

	Files      []diffFile   // of a diff
	NoDocument bool         // the document costs too much to render
	Image      template.URL // URL fragment that opens the studio with the code; empty if it has no room for that
}

// codeWeight is the memory in bytes for each byte of code, with tokens and
// markup.
const codeWeight = 12

func (s *site) viewSnippet(r *http.Request) (*layout.Response, error) {
	if id, kind, ok := picturePath(r); ok {
		return s.snippetPicture(r, id, kind)
	}
	snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
	if s.wantsPage(r) && isPrivate(snippet.Encrypted, err) {
		return s.showPrivate(r, s.privateSnippet(r, snippet, err))
	}
	if err != nil {
		return nil, err
	}
	if !s.wantsPage(r) {
		return raw(snippet.Code).Negotiated(), nil
	}
	if err := reserve(r, codeWeight*len(snippet.Code)); err != nil {
		return nil, err
	}
	v := snippetView{shareView: s.shareView(r, share.KindSnippet, snippet.Info)}
	v.Language, v.Markdown = snippet.Language, snippet.Language == "markdown"
	if v.Markdown && r.URL.Query().Get("view") != "source" {
		if err := fair.Do(r.Context(), markdown.Work(snippet.Code)+fenceTime, func() error { return v.read(snippet.Code) }); err != nil {
			return nil, err
		}
	}
	if v.Document == "" {
		if v.Listing, v.Files, err = codeListing(r.Context(), snippet.Code, snippet.Language); err != nil {
			return nil, err
		}
	} else {
		v.Lines = 1 + strings.Count(highlight.NormalNewlines(snippet.Code), "\n")
	}
	if s.Sharing.enabled() {
		v.Edit = s.Path("/?from=" + snippet.ID)
	}
	v.Masked = maskedNote(snippet.Masked)
	v.Image = imageFragment(snippet)
	v.Facts = append([]string{layout.LanguageName(snippet.Language), layout.Plural(v.Lines, "line"), layout.Size(len(snippet.Code))}, blank(snippet.Code)...)
	return s.renderSnippet(v)
}

func (s *site) renderSnippet(v snippetView) (*layout.Response, error) {
	p := layout.Page{
		Title: v.Title, Description: s.preview(v.Facts), Picture: v.Card,
		Styles: []string{"lines.css", "viewer.css"}, Scripts: v.scripts("rows.js"), Private: true, Wide: true, Negotiated: true, Content: v,
	}
	if v.Document == "" {
		p.Large = v.Listing
	} else {
		p.Styles, p.Scripts = append(p.Styles, "document.css"), v.scripts("document.js")
	}
	return s.Render("snippet", p)
}

const (
	// lexTime limits the time of a lexer, because anyone can share code that
	// takes it seconds. Code that would take longer has no colours.
	lexTime = 600 * time.Millisecond
	// codeWork is the typical time of a lexer for a byte of code.
	codeWork = 3 * time.Microsecond
)

// codeListing returns the lines of code with colours, and the files of a diff.
func codeListing(ctx context.Context, code, lang string) (lines listing.Listing, files []diffFile, err error) {
	err = fair.Do(ctx, min(lexTime, time.Duration(len(code))*codeWork), func() error {
		o := listing.Options{MaxWork: lexTime}
		files = readDiff(code, lang)
		for _, file := range files {
			o.Heads = append(o.Heads, file.Range)
		}
		lines = listing.Code(code, lang, o)
		return nil
	})
	return lines, files, err
}

// A diffFile is a file in a diff: the lines of its head, and how many lines are
// new or gone.
type diffFile struct {
	listing.Range
	Name           string
	Added, Removed int
}

var (
	diffStart = regexp.MustCompile(`^--- .*\n\+\+\+ .*\n@@ -`)
	diffHead  = regexp.MustCompile(`^(?:diff|index|---|\+\+\+|new|deleted|old|(?:dis)?similarity|rename|copy|Binary) `)
	diffName  = regexp.MustCompile(`^(?:diff --git .* b/|--- (?:a/)?|\+\+\+ (?:b/)?|rename to )([^\t]+)`)
)

// maxFiles is the largest number of files of a diff that are listed: each costs
// a look for every line.
const maxFiles = 300

// readDiff returns the files of a unified diff, each by its later name, and none
// of a diff with more than maxFiles.
func readDiff(code, lang string) (files []diffFile) {
	if lang != "diff" {
		return nil
	}
	inHead := false
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		starts := strings.HasPrefix(line, "diff ") || !inHead && diffStart.MatchString(strings.Join(lines[i:min(i+3, len(lines))], "\n"))
		switch {
		case starts && len(files) == maxFiles:
			return nil
		case starts:
			files = append(files, diffFile{Range: listing.Range{From: i + 1}})
		}
		if len(files) == 0 {
			continue
		}
		file := &files[len(files)-1]
		inHead = starts || inHead && diffHead.MatchString(line)
		switch {
		case inHead:
			file.To = i + 1
			if name := diffName.FindStringSubmatch(line); name != nil && name[1] != "/dev/null" {
				file.Name = name[1]
			}
		case strings.HasPrefix(line, "+"):
			file.Added++
		case strings.HasPrefix(line, "-") && line != "-- ": // which ends the patch of a mail
			file.Removed++
		}
	}
	return files
}

// fenceTime limits the time of lexers for the code in a document.
const fenceTime = 300 * time.Millisecond

// read fills in the document, if it is possible.
func (v *snippetView) read(code string) error {
	shown, err := markdown.HTML(code, listing.Blocks(fenceTime))
	if errors.Is(err, markdown.ErrTooMuch) {
		v.NoDocument, err = true, nil
	}
	v.Document = shown
	return err
}

// snippetText returns the handler of the code alone, shown or as a download.
func (s *site) snippetText(download bool) handler {
	return func(r *http.Request) (*layout.Response, error) {
		snippet, err := s.Shares.Snippet(r.Context(), r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		a := raw(snippet.Code)
		if download {
			a = attached(a, snippetFile(snippet))
		}
		return a, nil
	}
}

// snippetFile returns the name of a snippet as a file.
func snippetFile(snippet share.Snippet) string {
	return fileName(snippet.Title, "snippet-"+snippet.ID, strings.ToLower(language.Extension(snippet.Language)))
}

// imageFragment returns the URL fragment that opens the studio with a snippet.
func imageFragment(snippet share.Snippet) template.URL {
	if utf8.RuneCountInString(snippet.Code) > screenshot.MaxCode {
		return ""
	}
	return studioFragment(snippet.Code, screenshot.Options{Language: snippet.Language, WindowTitle: shortTitle(snippet.Title)})
}

// Other sites can show a snippet in a frame that has only the code, so that a
// visitor clicks nothing by mistake. The operator chooses these sites.

// embed shows a snippet in a frame.
func (s *site) embed(r *http.Request) (*layout.Response, error) {
	if len(s.EmbedOrigins) == 0 {
		return nil, layout.NoPage
	}
	snippet, err := s.openSnippet(r, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if err := reserve(r, codeWeight*len(snippet.Code)); err != nil {
		return nil, err
	}
	v := snippetView{shareView: s.shareView(r, share.KindSnippet, snippet.Info)}
	if v.Listing, v.Files, err = codeListing(r.Context(), snippet.Code, snippet.Language); err != nil {
		return nil, err
	}
	v.Language, v.Facts = snippet.Language, []string{layout.LanguageName(snippet.Language), layout.Plural(v.Lines, "line")}
	a, err := s.Render("embed", layout.Page{Title: v.Title, Styles: []string{"lines.css", "viewer.css"}, Scripts: []string{"embed.js"}, Private: true, Bare: true, Content: v, Large: v.Listing})
	if err != nil {
		return nil, err
	}
	policy := a.Header.Get("Content-Security-Policy")
	a.Header.Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(s.EmbedOrigins, " "), 1))
	a.Header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return a, nil
}
