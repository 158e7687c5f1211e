package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/search"
	"github.com/devkiln/devkiln/share/logs"
)

// addReaders adds the tools that read logs and shares.
func (k *toolset) addReaders(s *sdk.Server) {
	add(s, "summarize_log", "Say what went wrong in a log: counts, the first and the last error, rare errors, gaps, the verdict, and its errors and warnings in groups. The first call for any log.",
		readingHints("Summarize a log"), k.summarize)
	add(s, "read_share", "Read lines of a shared log or snippet, by number, level or pattern.",
		readingHints("Read a share"), k.readShare)
	add(s, "compare_logs", "Say which messages are new and which are gone in a log since an earlier one, such as that of a build that passed.",
		readingHints("Compare two logs"), k.compare)
	add(s, "list_shares", "List the shares of this key, those made last first.",
		readingHints("List shares"), k.list)
}

func (k *toolset) summarize(ctx context.Context, from source) (string, error) {
	text, err := k.read(ctx, from)
	if err != nil {
		return "", err
	}
	var summary logs.Summary
	var groups []logs.Group
	if err := k.analyze(ctx, len(text), func() { summary, groups = logs.Summarize(text, logs.Options{Now: time.Now()}), logs.Groups(text) }); err != nil {
		return "", err
	}
	q := newQuotation()
	for line := range strings.Lines(summary.String()) {
		q.add(strings.TrimSuffix(line, "\n"))
	}
	shown := q.groups("errors and warnings, by message:", groups)
	return q.String() + omittedNote(len(problems(groups))-shown, "groups") + k.nextRead(from), nil
}

// analyze calls do, which analyses a text: at once or, if that takes long, when
// its turn comes.
func (k *toolset) analyze(ctx context.Context, bytes int, do func()) error {
	const quick, perByte = 1 << 20, 100 * time.Nanosecond
	if bytes <= quick {
		do()
		return nil
	}
	return k.Options.draw(ctx, time.Duration(bytes)*perByte, func() error {
		do()
		return nil
	})
}

// nextRead tells the agent how to read lines of a source.
func (k *toolset) nextRead(from source) string {
	if from.ID == "" {
		return "Lines: read them in the text or file itself, or share it and call read_share.\n"
	}
	return "Lines: " + callText("read_share", readInput{ID: from.ID, Lines: "FROM-TO"})
}

// problems returns the groups of warnings and errors, which come first.
func problems(groups []logs.Group) []logs.Group {
	for i, g := range groups {
		if g.Level < logs.LevelWarning {
			return groups[:i]
		}
	}
	return groups
}

// maxGroups is how many groups of one kind a result lists.
const maxGroups = 40

// groups adds the groups of warnings and errors under a title, and returns
// their number.
func (q *quotation) groups(title string, groups []logs.Group) (shown int) {
	for _, g := range problems(groups) {
		if shown == 0 && !q.add(title) || shown == maxGroups {
			break
		}
		if !q.add(fmt.Sprintf("  %v × %d  L%d to L%d  %s", g.Level, g.Count, g.First, g.Last, g.Shape)) {
			break
		}
		shown++
	}
	return shown
}

// omittedNote returns a note that n items were left out.
func omittedNote(n int, what string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("%d more %s are not listed.\n", n, what)
}

// callText returns the text of a tool call for the agent to make.
func callText(tool string, arguments any) string {
	text, err := json.Marshal(arguments)
	if err != nil {
		return ""
	}
	return tool + " " + string(text) + "\n"
}

type compareInput struct {
	Earlier source `json:"earlier" jsonschema:"the earlier log, such as that of a build that passed"`
	Later   source `json:"later" jsonschema:"the later log"`
}

func (k *toolset) compare(ctx context.Context, in compareInput) (string, error) {
	earlier, err := k.read(ctx, in.Earlier)
	if err != nil {
		return "", fmt.Errorf("earlier: %w", err)
	}
	later, err := k.read(ctx, in.Later)
	if err != nil {
		return "", fmt.Errorf("later: %w", err)
	}
	var difference logs.Comparison
	if err := k.analyze(ctx, len(earlier)+len(later), func() { difference = logs.Compare(earlier, later) }); err != nil {
		return "", err
	}
	q := newQuotation()
	shown := q.groups("new errors and warnings, with lines of the later log:", difference.Added)
	shown += q.groups("gone errors and warnings, with lines of the earlier log:", difference.Gone)
	left := len(problems(difference.Added)) + len(problems(difference.Gone)) - shown
	return fmt.Sprintf("%d messages are new, %d gone, %d more or less often, %d the same.\n",
		len(difference.Added), len(difference.Gone), len(difference.Changed), difference.Same) +
		q.String() + omittedNote(left, "groups") + k.nextRead(in.Later), nil
}

type readInput struct {
	ID      string   `json:"id" jsonschema:"the id or link of a share"`
	Lines   string   `json:"lines,omitempty" jsonschema:"line numbers: 40-80, 120-, 17, or -50 for the last 50"`
	Level   logLevel `json:"level,omitempty" jsonschema:"lines of log entries at this level or worse"`
	Pattern string   `json:"pattern,omitempty" jsonschema:"lines that match this regular expression (RE2, at most 1000 bytes)"`
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
	err = k.Options.draw(ctx, compileWork, func() error {
		s.pattern, wrong = search.Compile(in.Pattern)
		return nil
	})
	if wrong != nil {
		err = fmt.Errorf("pattern: must be a regular expression of RE2 of at most %d bytes: %w", search.MaxLength, wrong)
	}
	return s, err
}

// compileWork is the approximate time to compile the longest pattern.
const compileWork = 50 * time.Millisecond

// has reports whether a line is selected. The error is that of ctx.
func (s selection) has(ctx context.Context, line logs.Line) (bool, error) {
	if line.Number < s.from || line.Number > s.to || line.Level < s.level || s.pattern == nil {
		return line.Number >= s.from && line.Number <= s.to && line.Level >= s.level, nil
	}
	return s.pattern.Match(ctx, line.Text)
}

func (k *toolset) readShare(ctx context.Context, in readInput) (string, error) {
	wanted, err := k.selection(ctx, in)
	if err != nil {
		return "", err
	}
	share, err := k.find(ctx, in.ID)
	if err != nil {
		return "", err
	}
	text := k.masked(share.content)
	if wanted.from, wanted.to, err = parseLines(in.Lines, lineCount(text)); err != nil {
		return "", err
	}
	r := reading{quotation: newQuotation()}
	if share.title != "" {
		r.add("title: " + k.masked(share.title))
	}
	do := func() error { return r.read(ctx, text, wanted) }
	if wanted.pattern != nil {
		err = k.Options.draw(ctx, search.MaxTime, do)
	} else {
		err = k.analyze(ctx, len(text), func() { _ = do() })
	}
	if err != nil {
		return "", err
	}
	result := fmt.Sprintf("%s %s, %d lines%s\n", share.kind, share.id, lineCount(text), language(share)) + r.String()
	if r.next == 0 || r.next > wanted.to {
		return result + r.why, nil
	}
	in.Lines = fmt.Sprintf("%d-%d", r.next, wanted.to)
	return result + r.why + "Go on with: " + callText("read_share", in), nil
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
	limited, cancel := search.Limit(ctx)
	defer cancel()
	left := 0
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
	}
	return nil
}

func language(share found) string {
	if share.language == "" {
		return ""
	}
	return ", " + share.language
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// linesPattern matches the numbers of the first and the last line, from 1.
var linesPattern = regexp.MustCompile(`^([1-9]\d{0,8})?(?:(-)([1-9]\d{0,8})?)?$`)

var errLines = errors.New("lines: must be such as 40-80, 120-, 17, or -50 for the last 50")

// parseLines parses "40-80", "120-", "17", "-50" or "" for a text of all lines.
func parseLines(lines string, all int) (from, to int, err error) {
	m := linesPattern.FindStringSubmatch(cmp.Or(lines, "1-"))
	if m == nil {
		return 0, 0, errLines
	}
	from, _ = strconv.Atoi(m[1])
	to, _ = strconv.Atoi(m[3])
	switch {
	case m[1] == "" && m[3] == "", m[3] != "" && to < min(from, all):
		return 0, 0, errLines
	case m[2] == "":
		return from, from, nil
	case m[1] == "":
		return max(1, all-to+1), all, nil
	case m[3] == "":
		to = all
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

func (k *toolset) list(ctx context.Context, in listInput) (string, error) {
	page, err := k.sharer.Shares(ctx, client.SharesQuery{Kind: string(in.Kind), Text: in.Title, After: in.After, Limit: listed})
	if err != nil {
		return "", err
	}
	q := newQuotation()
	for _, share := range page.Shares {
		q.add(fmt.Sprintf("%s %s  %s  %d bytes  expires %s  %s", share.Kind, share.ID, formatTime(&share.CreatedAt), share.Bytes, formatTime(share.ExpiresAt), k.masked(share.Title)))
	}
	text := fmt.Sprintf("%d shares\n", len(page.Shares)) + q.String()
	if page.Next != "" {
		in.After = page.Next
		text += "There may be more: " + callText("list_shares", in)
	}
	return text, nil
}

func formatTime(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.UTC().Format(time.DateTime)
}
