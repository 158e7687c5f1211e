// Package wire stands between clients and the SDK of the Model Context Protocol,
// which ends at a line that is no message, cancels the calls in progress when
// its input ends, and refuses requests over HTTP in lines of plain text.
package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An Exchange writes the messages of the SDK, one on each line.
type Exchange struct {
	Out io.Writer

	mu         sync.Mutex
	unanswered sync.Map // of jsonrpc.ID
	calls      sync.WaitGroup
}

// Pass passes the messages of in, with at most limit bytes, to the SDK, and
// waits until every call has a response. A subscription has none while it lasts.
func (e *Exchange) Pass(to io.Writer, in io.Reader, limit int) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, limit)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		message, err := jsonrpc.DecodeMessage(line)
		to := to
		reason := "this is not a request or a response of JSON-RPC 2.0"
		if err == nil {
			reason = faultOfID(line)
		}
		if reason != "" || !json.Valid(line) {
			message, to = nil, e
			line, _ = refusal(line, reason)
		}
		if q, ok := message.(*jsonrpc.Request); ok && q.IsCall() && q.Method != "subscriptions/listen" {
			if _, again := e.unanswered.LoadOrStore(q.ID, true); !again {
				e.calls.Add(1)
			}
		}
		if _, err := fmt.Fprintf(to, "%s\n", line); err != nil {
			return err
		}
	}
	e.calls.Wait()
	return lines.Err()
}

// Write implements [io.Writer] for one message.
func (e *Exchange) Write(line []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	// The SDK has no code for a call before initialize, and for another initialize.
	if _, err := e.Out.Write(bytes.Replace(goTypes.ReplaceAll(line, inWords), []byte(`"error":{"code":0,`), []byte(`"error":{"code":-32600,`), 1)); err != nil {
		return 0, err
	}
	message, _ := jsonrpc.DecodeMessage(line)
	if r, ok := message.(*jsonrpc.Response); ok {
		if _, called := e.unanswered.LoadAndDelete(r.ID); called {
			e.calls.Done()
		}
	}
	return len(line), nil
}
