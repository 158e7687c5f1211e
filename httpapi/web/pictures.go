package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/option"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share/logs"
)

// A share is drawn at its URL with .png or .svg appended. The query holds
// picture parameters and a scale. As for pages, the rate limit of the address
// and the queue bound the work.

// pictureAge is the maximum cache lifetime of a picture: short, because a share
// may be deleted, and never longer than the share's own.
const pictureAge = 5 * time.Minute

// maxLogLines is the number of lines drawn of a log if the query selects none.
const maxLogLines = 200

// snippetPicture draws a snippet.
func (s *site) snippetPicture(r *http.Request, id, kind string) (*layout.Response, error) {
	if s.NoPictures || kind != "png" && kind != "svg" {
		return nil, layout.NoPage
	}
	snippet, err := s.openSnippet(r, id)
	if err != nil {
		return nil, err
	}
	return s.sharedPicture(r, snippet.Expires, kind, func(o *screenshot.Options) (string, error) {
		o.Language, o.WindowTitle = snippet.Language, shortTitle(snippet.Title)
		if utf8.RuneCountInString(snippet.Code) <= screenshot.MaxCode {
			return snippet.Code, nil
		}
		return chosenLines(snippet.Code, 1, o), nil
	})
}

// logPicture draws lines of a log, tinted by level.
func (s *site) logPicture(r *http.Request, id, kind string) (*layout.Response, error) {
	if s.NoPictures || kind != "png" {
		return nil, layout.NoPage
	}
	log, err := s.openLog(r, id)
	if err != nil {
		return nil, err
	}
	return s.sharedPicture(r, log.Expires, kind, func(o *screenshot.Options) (string, error) {
		o.Language, o.WindowTitle = "text", shortTitle(log.Title)
		if o.Lines == (screenshot.LineRange{}) {
			o.Lines = screenshot.LineRange{From: 1, To: maxLogLines}
		}
		from, to := log.PartOf(o.Lines.From), log.PartOf(max(o.Lines.From, o.Lines.To))
		text, err := s.textOf(r, log, from, min(to, from+2)+1) // longer than any picture
		if err != nil {
			return "", err
		}
		first := log.Parts[from].Line
		o.Tints = levelTints(text, first, o.Lines)
		if text = chosenLines(text, first, o); text == "" {
			return "", &invalid.Fault{Field: "lines", Reason: "out_of_range", Message: fmt.Sprintf("must begin in the log, not at line %d behind its end", o.FirstLine)}
		}
		if o.Input != "ansi" {
			text = terminal.Text(text)
		}
		return text, nil
	})
}

// A card is the picture of a share in link previews: some lines in the shape
// that chats show.
const (
	cardLines   = 14
	cardColumns = 80
	// linesBefore is the number of lines above the first error on a card.
	linesBefore = 2
)

// cardAddress returns the URL of a share's card, which shows a line and those
// around it; it is empty if link previews have no pictures.
func (s *site) cardAddress(r *http.Request, path string, line int) string {
	if s.LinkPreviews != previewPicture || s.NoPictures {
		return ""
	}
	from := max(1, line-linesBefore)
	return fmt.Sprintf("%s%s.png?ratio=og&wrap=%d&lines=%d-%d", s.origin(r), path, cardColumns, from, from+cardLines-1)
}

// shortTitle returns the title if it fits a window title, and "" otherwise.
func shortTitle(title string) string {
	if utf8.RuneCountInString(title) > screenshot.MaxTitle {
		return ""
	}
	return title
}

// sharedPicture draws the code that complete returns with the options of the
// query. Shares never change, so the entity tag depends on the URL only.
func (s *site) sharedPicture(r *http.Request, expires time.Time, kind string, complete func(*screenshot.Options) (string, error)) (*layout.Response, error) {
	sum := sha256.Sum256([]byte(r.URL.Path + "?" + r.URL.RawQuery))
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	if negotiate.IsCurrent(r.Header, tag) {
		return s.shareable(layout.NewResponse("image/"+kind, nil), tag, expires), nil
	}
	query, scale := r.URL.Query(), "2"
	if query.Has("scale") {
		scale = query.Get("scale")
		query.Del("scale")
	}
	o := screenshot.Options{Extras: screenshot.Extras{Themes: s.Themes}}
	unread := option.Of[screenshot.Options]().InQuery().SetStrict(&o, query)
	code, err := complete(&o)
	var c screenshot.Config
	if err == nil {
		c, err = s.config(code, o, nil)
	}
	a, err := s.draw(r, c, kind, scale, errors.Join(unread, err))
	if _, other := invalid.Of(err); err != nil && other == nil {
		err = layout.Failure{Status: http.StatusBadRequest, Title: "The address of this picture is wrong", Text: err.Error()}
	}
	if err != nil {
		return nil, err
	}
	return s.shareable(a, tag, expires), nil
}

// shareable permits caching for a while and embedding in other sites.
func (s *site) shareable(a *layout.Response, tag string, expires time.Time) *layout.Response {
	age := pictureAge
	if !expires.IsZero() {
		age = min(age, max(0, expires.Sub(s.Now())))
	}
	a.Header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(age.Seconds())))
	a.Header.Set("ETag", tag)
	a.Header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return a.NoIndex()
}

// chosenLines returns the lines of content selected by o.Lines and replaces
// that selection by the matching FirstLine. The first line of content has the
// number first.
func chosenLines(content string, first int, o *screenshot.Options) string {
	if o.Lines == (screenshot.LineRange{}) {
		return content
	}
	var b strings.Builder
	number := first
	for line := range strings.Lines(content) {
		if number >= o.Lines.From && number <= max(o.Lines.From, o.Lines.To) {
			b.WriteString(line)
		}
		number++
	}
	o.FirstLine, o.Lines = o.Lines.From, screenshot.LineRange{}
	return b.String()
}

// levelColors are the tints of levels in pictures, for dark and light themes.
var levelColors = map[logs.Level]string{
	logs.LevelFatal: "#f2404099", logs.LevelError: "#f2404066", logs.LevelWarning: "#f2a90055",
}

// levelTints returns the tints of the chosen lines. The first line of text has
// the number first.
func levelTints(text string, first int, chosen screenshot.LineRange) []screenshot.Tint {
	var tints []screenshot.Tint
	for line := range logs.Lines(text) {
		line.Number += first - 1
		if line.Number > max(chosen.From, chosen.To) || len(tints) == screenshot.MaxLines {
			break
		}
		if color := levelColors[line.Level]; color != "" && line.Number >= chosen.From {
			tints = append(tints, screenshot.Tint{Line: line.Number, Color: color})
		}
	}
	return tints
}

// picturePath splits the path value into the share's ID and the picture's
// extension.
func picturePath(r *http.Request) (id, kind string, ok bool) {
	return strings.Cut(r.PathValue("id"), ".")
}

// drawTime limits a visitor's picture, including the time in the queue. A
// picture that would take longer is refused, since drawing one needs no key.
const drawTime = 10 * time.Second

// drawn draws a picture in the queue that the API also uses.
func drawn(r *http.Request, cost screenshot.Cost, draw func(context.Context) error) error {
	if cost.Work > drawTime {
		return busy
	}
	ctx, cancel := context.WithTimeout(r.Context(), drawTime)
	defer cancel()
	err := fair.Do(ctx, cost.Work, func() error { return draw(ctx) })
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, fair.ErrBusy) {
		return busy
	}
	return err
}

var busy = layout.Failure{
	Status: http.StatusServiceUnavailable, Title: "The studio is busy",
	Text: "Many pictures are being drawn, or this one takes too long. Try again in a few seconds, or with less code.", RetryAfter: 5 * time.Second,
}
