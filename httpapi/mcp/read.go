package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

type readInput struct {
	source

	Lines   string     `json:"lines,omitempty" jsonschema:"line numbers: 40-80, 120-, 17, or -50 for the last 50"`
	Level   logLevel   `json:"level,omitempty" jsonschema:"lines of log entries at this level or worse"`
	Pattern expression `json:"pattern,omitempty" jsonschema:"lines that match this regular expression (RE2, at most 1000 bytes)"`
}

// A selection determines which lines of a share to return.
type selection struct {
	from, to int
	level    logs.Level
	pattern  *search.Expression // nil selects all lines
}

// selection parses the level and the pattern, but not the line numbers.
func (k *toolset) selection(ctx context.Context, in readInput) (s selection, err error) {
	if in.Level != "" && s.level.UnmarshalText([]byte(in.Level)) != nil {
		return s, errors.New("level: must be trace, debug, info, warning, error or fatal")
	}
	if in.Pattern == "" {
		return s, nil
	}
	var wrong error
	err = k.draw(ctx, 50*time.Millisecond, func() error { // for the longest pattern
		s.pattern, wrong = search.Compile(string(in.Pattern))
		return nil
	})
	if wrong != nil {
		err = fmt.Errorf("pattern: must be a regular expression of RE2 of at most %d bytes: %w", search.MaxLength, wrong)
	}
	return s, err
}

// has reports whether a line is selected. The error is that of ctx.
func (s selection) has(ctx context.Context, line logs.Line) (bool, error) {
	if line.Number < s.from || line.Number > s.to || line.Level < s.level || s.pattern == nil {
		return line.Number >= s.from && line.Number <= s.to && line.Level >= s.level, nil
	}
	return s.pattern.Match(ctx, line.Text)
}

// readOutput is the result of read_share.
type readOutput struct {
	prose

	Kind     string `json:"kind,omitempty" jsonschema:"of a share: log or snippet"`
	ID       string `json:"id,omitempty" jsonschema:"of a share"`
	Lines    int    `json:"lines" jsonschema:"lines of the whole text"`
	Language string `json:"language,omitempty" jsonschema:"of a snippet"`
	Next     string `json:"next,omitempty" jsonschema:"the argument lines of the call that goes on; absent if this was all"`
}

// head names what was read.
func (o readOutput) head() string {
	head := fmt.Sprintf("%d %s", o.Lines, english.PluralWord(o.Lines, "line", ""))
	if o.Kind != "" {
		head = o.Kind + " " + o.ID + ", " + head
	}
	if o.Language != "" {
		head += ", " + o.Language
	}
	return head
}

func (k *toolset) readShare(ctx context.Context, in readInput) (out readOutput, err error) {
	wanted, err := k.selection(ctx, in)
	if err != nil {
		return out, err
	}
	share, err := k.open(ctx, in.source)
	if err != nil {
		return out, err
	}
	text := share.content
	out = readOutput{Kind: string(share.kind), ID: share.id, Lines: lineCount(text), Language: share.language}
	if wanted.from, wanted.to, err = parseLines(in.Lines, out.Lines); err != nil {
		return out, err
	}
	r := reading{quotation: newQuotation()}
	if share.title != "" {
		r.add("title: " + share.title)
	}
	do := func() error { return r.read(ctx, text, wanted) }
	if wanted.pattern != nil {
		err = k.draw(ctx, search.MaxTime, do)
	} else {
		err = k.analyze(ctx, len(text), func() { _ = do() })
	}
	if err != nil {
		return out, err
	}
	out.Text = out.head() + "\n" + r.marked() + r.why
	if r.next != 0 && r.next <= wanted.to {
		in.Lines = fmt.Sprintf("%d-%d", r.next, wanted.to)
		out.Next = in.Lines
		if in.Text != "" {
			in.Text = "…" // the agent has it
		}
		out.Text += "Go on with: " + callText("read_share", in)
	}
	return out, nil
}

// A reading collects lines of a share.
type reading struct {
	*quotation

	next int    // first line to read with another call; 0 if there is none
	why  string // the reading is not complete; empty if it is
}

// read collects the selected lines of a text. A search that takes too long ends
// and counts as incomplete. The error is that of ctx.
func (r *reading) read(ctx context.Context, text string, wanted selection) error {
	limited, cancel := context.WithTimeout(ctx, search.MaxTime)
	defer cancel()
	left, room := 0, r.left
	for line := range logs.Lines(text) {
		chosen, err := wanted.has(limited, line)
		switch {
		case err != nil:
			if left == 0 {
				r.next = max(line.Number, wanted.from+1) // a line that takes all the time is not tried again
			}
			r.why = fmt.Sprintf("The search stopped in line %d.\n", line.Number)
			return ctx.Err()
		case !chosen, left == 0 && r.add(fmt.Sprintf("%6d  %s", line.Number, line.Text)):
			continue
		case left == 0:
			r.next = line.Number
		}
		left++
	}
	if left > 0 {
		r.why = fmt.Sprintf("%d more lines match.\n", left)
	} else if room == r.left {
		r.why = "No line matches.\n"
	}
	return nil
}

func lineCount(text string) (n int) {
	for range strings.Lines(text) {
		n++
	}
	return n
}

// parseLines parses "40-80", "120-", "17", "-50" or "" for a text of all lines.
func parseLines(lines string, all int) (from, to int, err error) {
	first, last, isRange := strings.Cut(lines, "-")
	from, noFirst := strconv.Atoi(cmp.Or(first, "1"))
	to, noLast := strconv.Atoi(cmp.Or(last, strconv.Itoa(all)))
	switch {
	case lines == "":
		return 1, all, nil
	case lines == "-", noFirst != nil, noLast != nil, from < 1, last != "" && (to < 1 || first != "" && to < min(from, all)):
		return 0, 0, errors.New("lines: must be such as 40-80, 120-, 17, or -50 for the last 50")
	case !isRange:
		return from, from, nil
	case first == "":
		return max(1, all-to+1), all, nil
	}
	return from, to, nil
}

type listInput struct {
	Kind  shareKind `json:"kind,omitempty" jsonschema:"both unless given"`
	Title string    `json:"title,omitempty" jsonschema:"what the title contains"`
	After string    `json:"after,omitempty" jsonschema:"where to continue, from the last result"`
}

// listed is the maximum number of shares in one result.
const listed = 30

// listOutput is the result of list_shares.
type listOutput struct {
	prose

	Shares []client.Share `json:"shares"`
	Next   string         `json:"next,omitempty" jsonschema:"the argument after of the call that goes on; absent if this was all"`
}

func (k *toolset) list(ctx context.Context, in listInput) (out listOutput, err error) {
	api, err := k.server()
	if err != nil {
		return out, err
	}
	page, err := api.Shares(ctx, client.SharesQuery{Kind: string(in.Kind), Text: in.Title, After: in.After, Limit: listed})
	if err != nil {
		return out, err
	}
	base, q := api.PublicURL(ctx), newQuotation()
	for i := range page.Shares {
		share := &page.Shares[i]
		share.Title, share.URL = terminal.Visible(k.masked(share.Title)), base+share.URL
		q.add(fmt.Sprintf("%s %s  %s  %d bytes  expires %s  %s", share.Kind, share.ID, formatTime(&share.CreatedAt), share.Bytes, formatTime(share.ExpiresAt), share.Title))
	}
	out = listOutput{Shares: page.Shares, Next: page.Next}
	out.Text = fmt.Sprintf("shares: %d\n", len(page.Shares)) + q.marked()
	if page.Next != "" {
		in.After = page.Next
		out.Text += "There may be more: " + callText("list_shares", in)
	}
	return out, nil
}

func formatTime(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}
