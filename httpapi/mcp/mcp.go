// Package mcp offers Devkiln as tools of the Model Context Protocol: sharing
// and reading logs and snippets, log analysis, pictures of code, slugs and
// gradients. Start with [New], or with [Handler] to serve HTTP:
//
//	server := mcp.New(api, mcp.Options{ReadOnly: true})
//	err := server.Run(ctx, os.Stdin, os.Stdout)
//
// A server stores the shares, which a [client.Client] calls. The tools do
// everything else themselves, also without a server.
//
// The result of a tool has at most 25,000 characters, and says which call
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
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/devkiln/devkiln/httpapi/client"
	"github.com/devkiln/devkiln/httpapi/internal/fair"
	"github.com/devkiln/devkiln/httpapi/internal/wire"
	"github.com/devkiln/devkiln/screenshot"
	"github.com/devkiln/devkiln/screenshot/highlight"
)

// maxResult is the maximum length of the text of a result in characters.
const maxResult = 25_000

// Options configures the tools. The zero value is ready to use.
type Options struct {
	// ReadOnly omits the tools that create or delete shares.
	ReadOnly bool
	// Unmasked disables the masking of passwords, keys and tokens in what tools
	// share and return.
	Unmasked bool
	// Root is the directory whose files tools may read. If nil, they read none.
	Root *os.Root
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
	api *client.Client // nil without a server
	Options
}

// server returns the client of the server, or an error if there is none.
func (k *toolset) server() (*client.Client, error) {
	if k.api == nil {
		return nil, errors.New("there is no server to share on: run devkiln login URL, or set DEVKILN_URL and DEVKILN_KEY for devkiln mcp")
	}
	return k.api, nil
}

const instructions = `Devkiln finds what went wrong in logs and shares logs and code by link. For a failed build: summarize_log of its log, then read_share around ` +
	`the lines it names; compare_logs with the log of a build that passed.`

// Server offers the tools to one agent.
type Server struct{ sdk *sdk.Server }

// maxMessage is the maximum size of a message in bytes. The largest text that
// tools accept, 32 MiB, is at most six times as long in JSON.
const maxMessage = 200 << 20

// Run responds to the messages of an agent, one on each line, until ctx is done,
// or in has ended and every call has a response.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	e := &wire.Exchange{Out: out}
	messages, to := io.Pipe()
	go func() { _ = to.CloseWithError(e.Pass(to, in, maxMessage)) }()
	writer := struct {
		io.Writer
		io.Closer
	}{e, messages} // out stays open
	return s.sdk.Run(ctx, &sdk.IOTransport{MaxLineLength: maxMessage, Reader: messages, Writer: writer})
}

// New returns a server with the tools, for one user of the API. If api is nil,
// the tools that need one respond with an error that says so.
func New(api *client.Client, o Options) *Server {
	if o.draw == nil {
		o.draw = fair.NewQueue(math.MaxInt64).Lease("agent").Do
	}
	offered, advice := tools(), instructions+" Give a log that is in a file by its path, not by its text. To draw code into a file, run devkiln screenshot."
	if o.Root == nil {
		offered, advice = toolsWithoutFiles(), instructions
	}
	program := sdk.Implementation{Name: "devkiln", Title: "Devkiln"}
	if info, ok := debug.ReadBuildInfo(); ok {
		program.Version = info.Main.Version
	}
	s := sdk.NewServer(&program, &sdk.ServerOptions{
		Instructions: advice,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	s.AddReceivingMiddleware(toolsAlone)
	k := &toolset{api, o}
	for _, t := range offered {
		if t.Annotations.ReadOnlyHint || !o.ReadOnly {
			s.AddTool(&t.Tool, k.handler(t))
		}
	}
	return &Server{s}
}

// toolsAlone refuses the features that a server does not offer; the SDK does not.
func toolsAlone(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		if feature, _, _ := strings.Cut(method, "/"); feature == "prompts" || feature == "resources" || feature == "logging" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound}
		}
		return next(ctx, method, r)
	}
}

// maxBody is the maximum size of a request in bytes.
const maxBody = 10 << 20

// Handler returns a handler of the protocol over HTTP, without sessions, so
// that any replica can respond to any request. clientOf returns the client for
// the sender of a request, whom the caller of the handler must have authenticated.
// Handler ignores Options.Root: callers have no access to the server's files.
func Handler(clientOf func(context.Context) *client.Client, o Options) http.Handler {
	o.Root = nil
	handler := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		mine := o
		mine.draw = func(_ context.Context, work time.Duration, do func() error) error {
			return fair.Do(r.Context(), work, do)
		}
		return New(clientOf(r.Context()), mine).sdk
	}, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // a web page has no key to send
	})
	return wire.Handler(handler, maxBody)
}
