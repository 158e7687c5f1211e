// Package mcp offers Devkiln as tools of the Model Context Protocol: sharing
// and reading logs and snippets, log analysis, pictures of code, slugs and
// gradients. Start with [New], or with [Handler] to serve HTTP:
//
//	server, err := mcp.New(sharer, mcp.Options{ReadOnly: true})
//	…
//	err = server.Run(ctx, os.Stdin, os.Stdout)
//
// A [Sharer] stores the shares: a server, by its client.Client, or this process,
// by a [Local]. The tools do everything else themselves.
//
// The result of a tool has at most [MaxResult] characters, and says which call
// returns the rest. Secrets are masked. Text from logs and code is enclosed in
// two unpredictable marks and declared to be data, since a log may contain
// sentences written to instruct agents.
package mcp

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// MaxResult is the maximum length of the text of a result in characters.
const MaxResult = 25_000

// Sharer stores shares. client.Client implements it.
type Sharer interface {
	ShareLog(ctx context.Context, in client.LogRequest) (client.SharedLog, error)
	ShareLogText(ctx context.Context, text io.Reader, in client.LogTextRequest) (client.SharedLog, error)
	Log(ctx context.Context, id string) (client.Log, error)
	LogText(ctx context.Context, id string) (io.ReadCloser, error)
	ShareSnippet(ctx context.Context, in client.SnippetRequest) (client.SharedSnippet, error)
	Snippet(ctx context.Context, id string) (client.Snippet, error)
	Shares(ctx context.Context, q client.SharesQuery) (client.SharesPage, error)
	DeleteShares(ctx context.Context, urls ...string) ([]bool, error)
	Link(path string) string
}

// Options configures the tools. The zero value is ready to use.
type Options struct {
	// ReadOnly omits the tools that create or delete shares.
	ReadOnly bool
	// Unmasked disables the masking of passwords, keys and tokens in what tools
	// share and return.
	Unmasked bool
	// Root is the directory whose files tools may read. If nil, they read none.
	Root *os.Root
	// Version is the version of the server that clients show.
	Version string
	// Fonts are used for characters that the embedded font of pictures lacks. Nil
	// is the embedded font alone.
	Fonts *screenshot.Fonts
	// Themes are additional themes for draw_code; they take precedence over those
	// of package highlight.
	Themes []highlight.Theme

	// draw waits for its turn and calls do, which draws a picture.
	draw func(ctx context.Context, work time.Duration, do func() error) error
}

// toolset holds what the tools share.
type toolset struct {
	sharer Sharer
	Options
}

const instructions = `Devkiln finds what went wrong in logs and shares logs and code by link. For a failed build: summarize_log of its log, then read_share or
the file around the lines it names; compare_logs with the log of a build that passed. Share a log that has a file by its path, not by its text.`

// resolvedSchemas caches what the SDK makes of schemas.
var resolvedSchemas = sdk.NewSchemaCache()

// Server offers the tools to one agent.
type Server struct{ sdk *sdk.Server }

// maxMessage is the maximum size of a message in bytes. The largest text that
// tools accept, 32 MiB, is at most six times as long in JSON.
const maxMessage = 200 << 20

// Run responds to the messages of an agent, one on each line, until in ends or
// ctx is done.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.sdk.Run(ctx, &sdk.IOTransport{MaxLineLength: maxMessage, Reader: io.NopCloser(in), Writer: writer{out}})
}

// writer is an output that stays open.
type writer struct{ io.Writer }

// Close implements io.Closer.
func (writer) Close() error { return nil }

// New returns a server with the tools, for one user of a Sharer.
func New(sharer Sharer, o Options) (*Server, error) {
	if sharer == nil {
		return nil, errors.New("mcp: a server needs a Sharer")
	}
	if o.draw == nil {
		o.draw = fair.NewQueue(math.MaxInt64).Lease("agent").Do
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "devkiln", Title: "Devkiln", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions, SchemaCache: resolvedSchemas,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	k := &toolset{sharer, o}
	k.addReaders(s)
	k.addGenerators(s)
	if !o.ReadOnly {
		k.addSharers(s)
	}
	return &Server{s}, nil
}

// maxBody is the maximum size of a request in bytes.
const maxBody = 10 << 20

// Handler returns a handler of the protocol over HTTP, without sessions, so
// that any replica can respond to any request. sharerOf returns the Sharer for the
// sender of a request, whom the caller of the handler must have authenticated.
// Handler ignores Options.Root: callers have no access to the server's files.
func Handler(sharerOf func(*http.Request) Sharer, o Options) http.Handler {
	o.Root = nil
	return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		mine := o
		mine.draw = func(_ context.Context, work time.Duration, do func() error) error {
			return fair.Do(r.Context(), work, do)
		}
		s, err := New(sharerOf(r), mine)
		if err != nil {
			return nil // the SDK refuses the request
		}
		return s.sdk
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // a web page has no key to send
	})
}

// readingHints returns the hints for a read-only tool.
func readingHints(title string) *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false)}
}

// changingHints returns the hints for a tool that creates or deletes shares.
func changingHints(title string, destroys bool) *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{Title: title, DestructiveHint: new(destroys), IdempotentHint: destroys, OpenWorldHint: new(false)}
}

// add adds a tool whose result is text.
func add[In any](s *sdk.Server, name, description string, hints *sdk.ToolAnnotations, do func(context.Context, In) (string, error)) {
	tool := &sdk.Tool{Name: name, Description: description, Annotations: hints, InputSchema: schemaOf[In]()}
	addTool(s, tool, func(ctx context.Context, in In) (sdk.Content, any, error) {
		text, err := do(ctx, in)
		return &sdk.TextContent{Text: text}, nil, err
	})
}

// addTool adds a tool. Its errors are shortened and returned to the agent.
func addTool[In, Out any](s *sdk.Server, tool *sdk.Tool, do func(context.Context, In) (sdk.Content, Out, error)) {
	sdk.AddTool(s, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		content, out, err := do(ctx, in)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, *new(Out), shownError(err)
		}
		return &sdk.CallToolResult{Content: []sdk.Content{content}}, out, nil
	})
}

// shownError returns an error as agents see it.
func shownError(err error) error { return errors.New(cut(terminal.Visible(err.Error()), maxError)) }
