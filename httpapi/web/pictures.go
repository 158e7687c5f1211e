package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/devkiln/devkiln/httpapi/internal/card"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/layout"
	"github.com/devkiln/devkiln/httpapi/internal/negotiate"
	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/share"
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
		text, first, err := s.textAround(r, log, o.Lines)
		if err != nil {
			return "", err
		}
		o.Tints = levelTints(text, first, o.Lines)
		if text = chosenLines(text, first, o); text == "" {
			return "", &invalid.Input{Field: "lines", Reason: "out_of_range", Message: fmt.Sprintf("must begin in the log, not at line %d behind its end", o.FirstLine)}
		}
		if o.Input != screenshot.InputANSI {
			text = terminal.Text(text)
		}
		return text, nil
	})
}

// textAround returns text of a log that contains the chosen lines, and the
// number of its first line. For a log in parts it reads the parts that hold
// those lines, up to what a picture can show.
func (s *site) textAround(r *http.Request, log share.Log, chosen screenshot.LineRange) (text string, first int, err error) {
	if log.Large == nil {
		return log.Content, 1, reserve(r, 2*len(log.Content))
	}
	if err := reserve(r, 2*partMemory); err != nil {
		return "", 0, err
	}
	from := log.Large.PartOf(chosen.From)
	var b strings.Builder
	for i, part := range log.Large.Parts[from:] {
		if part.Line > max(chosen.From, chosen.To) || i > 1 && b.Len() > partMemory/2 {
			break
		}
		text, err := s.Shares.LogPart(r.Context(), log, from+i)
		if err != nil {
			return "", 0, err
		}
		b.WriteString(text)
	}
	return b.String(), log.Large.Parts[from].Line, nil
}

// snippetCard draws the first lines of a snippet for link previews.
func (s *site) snippetCard(r *http.Request) (*layout.Response, error) {
	if !s.hasCards() {
		return nil, layout.NoPage
	}
	snippet, err := s.openSnippet(r, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return s.card(r, card.Lines(snippet.Code, 1), snippet.Expires, screenshot.Options{
		Language: snippet.Language, WindowTitle: card.Title(or(snippet.Title, layout.LanguageName(snippet.Language))),
	})
}

// linesBefore is the number of lines above the first error on a card.
const linesBefore = 2

// logCard draws the lines around the first error of a log, or its first lines.
func (s *site) logCard(r *http.Request) (*layout.Response, error) {
	if !s.hasCards() {
		return nil, layout.NoPage
	}
	log, err := s.openLog(r, r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var v logView
	var o screenshot.Options
	var lines string
	err = fair.Do(r.Context(), logWork(len(log.Content)), func() error {
		analysis := analysisOf(log)
		v.Levels, o.FirstLine = levelCounts(analysis, ""), max(1, analysis.FirstErrorLine-linesBefore)
		chosen := screenshot.LineRange{From: o.FirstLine, To: o.FirstLine + card.MaxLines - 1}
		text, first, err := s.textAround(r, log, chosen)
		if err != nil {
			return err
		}
		lines, o.Tints = card.Lines(text, chosen.From-first+1), levelTints(text, first, chosen)
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.Language, o.WindowTitle = "text", card.Title(strings.Join(append(v.counted(), or(log.Title, "Log")), " · "))
	return s.card(r, lines, log.Expires, o)
}

// analysisOf returns the analysis of a log.
func analysisOf(log share.Log) logs.Analysis {
	if log.Large != nil {
		return log.Large.Summary.Analysis
	}
	return logs.AnalyzeString(log.Content, logs.Options{Now: log.Created})
}

// hasCards reports whether link previews have pictures.
func (s *site) hasCards() bool { return s.LinkPreviews == PreviewPicture && !s.NoPictures }

// cardAddress returns the URL of a share's card; it is empty if there is none.
func (s *site) cardAddress(r *http.Request, path string) string {
	if !s.hasCards() {
		return ""
	}
	return s.origin(r) + path + "/card.png"
}

// card draws lines for a link preview.
func (s *site) card(r *http.Request, lines string, expires time.Time, o screenshot.Options) (*layout.Response, error) {
	o.Fonts = s.Fonts
	c, err := card.Config(lines, o)
	if err != nil {
		return nil, err
	}
	cost := c.Cost(screenshot.MaxScale)
	if err := reserve(r, 8*card.Width*card.Height); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := drawn(r, cost, func(ctx context.Context) error { return card.WritePNG(ctx, &b, c) }); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b.Bytes())
	return s.shareable(picture("image/png", b.Bytes()), `W/"`+hex.EncodeToString(sum[:12])+`"`, expires), nil
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
	unread := o.SetValues(query)
	code, err := complete(&o)
	var c screenshot.Config
	if err == nil {
		c, err = s.config(code, o, nil)
	}
	a, err := s.draw(r, c, kind, scale, errors.Join(unread, err))
	if err != nil {
		return refuse(err)
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
