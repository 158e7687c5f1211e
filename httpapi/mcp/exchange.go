package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// An exchange stands between an agent and the SDK, which ends at a line that is
// no message, and cancels the calls in progress when its input ends.
type exchange struct {
	mu         sync.Mutex
	out        io.Writer
	unanswered sync.Map // of jsonrpc.ID
	calls      sync.WaitGroup
}

// pass passes the messages of in to the SDK, and waits until every call has a
// response. A subscription has none while it lasts.
func (e *exchange) pass(to io.Writer, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		message, err := jsonrpc.DecodeMessage(line)
		to := to
		if err != nil || !json.Valid(line) {
			message, line, to = nil, refusal(line), e
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
func (e *exchange) Write(line []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n, err := e.out.Write(line)
	message, _ := jsonrpc.DecodeMessage(line)
	if r, ok := message.(*jsonrpc.Response); ok {
		if _, called := e.unanswered.LoadAndDelete(r.ID); called {
			e.calls.Done()
		}
	}
	return n, err
}

// refusal returns the response to what is no message.
func refusal(data []byte) []byte {
	wrong := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: this is not a request or a response of JSON-RPC 2.0"}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		wrong = jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: " + err.Error()}
	}
	response, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": wrong}) // of strings and a number
	return response
}
