package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A connection carries one message on each line. The SDK's own ends at a line
// that is no message, and cancels the calls in progress when its input ends.
type connection struct {
	messages chan jsonrpc.Message // closed at the end of the input
	readErr  error                // why the input ended; nil for its end
	closed   chan struct{}
	closing  sync.Once

	calls sync.Map // of jsonrpc.ID, those without a response
	open  sync.WaitGroup

	mu  sync.Mutex
	out io.Writer
}

// Connect implements [sdk.Transport].
func (c *connection) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// receive reads the messages until in ends, and waits until every call has a
// response. A subscription has none while it lasts.
func (c *connection) receive(in io.Reader) {
	defer close(c.messages)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		message, refused := decode(lines.Bytes())
		if refused != nil {
			_ = c.write(refused) // the next response fails as well, and ends the session
			continue
		}
		if q, ok := message.(*jsonrpc.Request); ok && q.IsCall() && q.Method != "subscriptions/listen" {
			if _, again := c.calls.LoadOrStore(q.ID, true); !again {
				c.open.Add(1)
			}
		}
		select {
		case c.messages <- message:
		case <-c.closed:
			return
		}
	}
	c.readErr = lines.Err()
	c.open.Wait()
}

// Read implements [sdk.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message, ok := <-c.messages:
		if ok {
			return message, nil
		}
		return nil, cmp.Or(c.readErr, io.EOF)
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [sdk.Connection].
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(message)
	if err == nil {
		err = c.write(line)
	}
	if r, ok := message.(*jsonrpc.Response); ok {
		if _, called := c.calls.LoadAndDelete(r.ID); called {
			c.open.Done()
		}
	}
	return err
}

func (c *connection) write(line []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}

// Close implements [sdk.Connection].
func (c *connection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// SessionID implements [sdk.Connection].
func (*connection) SessionID() string { return "" }

// decode returns a message, or the response to what is none.
func decode(data []byte) (message jsonrpc.Message, refused []byte) {
	wrong := jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: "}
	err := json.Unmarshal(data, new(json.RawMessage))
	if err == nil {
		wrong = jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: "}
		message, err = jsonrpc.DecodeMessage(data)
	}
	if err == nil {
		return message, nil
	}
	wrong.Message += err.Error()
	refused, _ = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": wrong}) // of strings and a number
	return nil, refused
}
