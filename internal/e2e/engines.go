package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// An Engine is a window of a browser other than Chromium.
type Engine interface {
	// Visit opens an address and returns when it has loaded.
	Visit(ctx context.Context, address string) error

	// Eval evaluates an expression, or the promise that it is, and decodes its
	// JSON into v.
	Eval(ctx context.Context, expression string, v any) error

	// Screenshot returns a PNG of the window.
	Screenshot(ctx context.Context) ([]byte, error)
}

// Window sizes of an [Engine], in CSS pixels.
const (
	engineWidth  = 1280
	engineHeight = 900
)

// OpenEngine starts firefox, or webkit: WebKitGTK, whose engine is Safari's. It
// ends with the test. Without the browser the test is skipped, or fails if the
// environment variable DEVKILN_REQUIRE_ENGINES is 1.
func OpenEngine(tb testing.TB, name string) Engine {
	tb.Helper()
	programs := map[string][]string{"firefox": {"firefox-esr", "firefox"}, "webkit": {"WebKitWebDriver"}}[name]
	for _, program := range programs {
		path, err := exec.LookPath(program)
		if err != nil {
			continue
		}
		if name == "firefox" {
			return openFirefox(tb, path)
		}
		return openWebKit(tb, path)
	}
	if os.Getenv("DEVKILN_REQUIRE_ENGINES") == "1" {
		tb.Fatalf("none of %v is on the PATH", programs)
	}
	tb.Skipf("none of %v is on the PATH", programs)
	return nil
}

// run starts a program that ends with the context, or with the test.
func run(ctx context.Context, tb testing.TB, env []string, program string, args ...string) {
	tb.Helper()
	command := exec.CommandContext(ctx, program, args...)
	command.Env = append(os.Environ(), env...)
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
}

// freePort returns a port that nothing listens on.
func freePort(tb testing.TB) int {
	tb.Helper()
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if err := listener.Close(); err != nil {
		tb.Fatal(err)
	}
	return port
}

// startup limits how long a browser may take to accept a connection, and
// Firefox to do what a command says; navigation, how long Firefox may take to
// load a page before a new one tries.
const (
	startup    = 3 * time.Minute
	navigation = 45 * time.Second
)

// retry calls try until it succeeds.
func retry(tb testing.TB, what string, try func(ctx context.Context) error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), startup)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			tb.Fatalf("starting %s: %v", what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// firefox speaks WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/.
type firefox struct {
	tb         testing.TB
	program    string
	end        context.CancelFunc // ends the process
	connection *websocket.Conn
	last       int    // number of the last command
	window     string // the browsing context
}

func openFirefox(tb testing.TB, program string) *firefox {
	tb.Helper()
	f := &firefox{tb: tb, program: program}
	f.start()
	return f
}

func (f *firefox) start() {
	f.tb.Helper()
	tb, port := f.tb, freePort(f.tb)
	ctx, end := context.WithCancel(tb.Context())
	f.end = end
	run(ctx, tb, []string{"MOZ_HEADLESS=1"}, f.program, "--profile", tb.TempDir(), "--no-remote", "--remote-debugging-port", strconv.Itoa(port),
		"--width", strconv.Itoa(engineWidth), "--height", strconv.Itoa(engineHeight))
	retry(tb, f.program, func(ctx context.Context) (err error) {
		var response *http.Response
		f.connection, response, err = websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/session", port), nil)
		if err != nil && response != nil {
			err = errors.Join(err, response.Body.Close())
		}
		return err
	})
	f.connection.SetReadLimit(64 << 20)
	connection := f.connection
	tb.Cleanup(func() { _ = connection.CloseNow() })
	var made struct{ Context string }
	err := errors.Join(
		f.call(tb.Context(), "session.new", map[string]any{"capabilities": map[string]any{}}, nil),
		f.call(tb.Context(), "browsingContext.create", map[string]any{"type": "window"}, &made),
		f.call(tb.Context(), "browsingContext.setViewport", map[string]any{"context": made.Context, "viewport": map[string]int{"width": engineWidth, "height": engineHeight}}, nil),
	)
	if err != nil {
		tb.Fatal(err)
	}
	f.window = made.Context
}

// call sends a command and decodes its result.
func (f *firefox) call(ctx context.Context, method string, params map[string]any, result any) error {
	ctx, cancel := context.WithTimeout(ctx, startup)
	defer cancel()
	f.last++
	if err := wsjson.Write(ctx, f.connection, map[string]any{"id": f.last, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		var message struct {
			ID      int
			Message string
			Error   string
			Result  json.RawMessage
		}
		if err := wsjson.Read(ctx, f.connection, &message); err != nil {
			return err
		}
		switch {
		case message.ID != f.last: // an event
		case message.Error != "":
			return fmt.Errorf("%s: %s: %s", method, message.Error, message.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(message.Result, result)
		}
	}
}

// Visit opens an address. Firefox has been seen, once in some thousand times,
// never to answer; a page that two processes do not load is at fault itself.
func (f *firefox) Visit(ctx context.Context, address string) error {
	err := f.navigate(ctx, address)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return err
	}
	f.tb.Logf("Firefox has not loaded %s in %v; a new one tries", address, navigation)
	f.end()
	f.start()
	return f.navigate(ctx, address)
}

func (f *firefox) navigate(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, navigation)
	defer cancel()
	return f.call(ctx, "browsingContext.navigate", map[string]any{"context": f.window, "url": address, "wait": "complete"}, nil)
}

func (f *firefox) Eval(ctx context.Context, expression string, v any) error {
	var result struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	err := f.call(ctx, "script.evaluate", map[string]any{
		"expression": "Promise.resolve(" + expression + ").then((v) => JSON.stringify(v ?? null))", "target": map[string]string{"context": f.window}, "awaitPromise": true,
	}, &result)
	if err != nil {
		return err
	}
	if result.Type != "success" {
		return errors.New(result.ExceptionDetails.Text)
	}
	return json.Unmarshal([]byte(result.Result.Value), v)
}

func (f *firefox) Screenshot(ctx context.Context) ([]byte, error) {
	var shot struct{ Data []byte }
	err := f.call(ctx, "browsingContext.captureScreenshot", map[string]any{"context": f.window}, &shot)
	return shot.Data, err
}

// webkit speaks WebDriver: https://www.w3.org/TR/webdriver/.
type webkit struct{ session string } // the URL of the session

func openWebKit(tb testing.TB, program string) *webkit {
	tb.Helper()
	browsers, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	xvfb, err := exec.LookPath("Xvfb")
	if err != nil || len(browsers) == 0 {
		tb.Skip("WebKitGTK needs its MiniBrowser and Xvfb")
	}
	display, port := fmt.Sprintf(":%d", 100+freePort(tb)%10_000), freePort(tb)
	run(tb.Context(), tb, nil, xvfb, display, "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
	run(tb.Context(), tb, []string{"DISPLAY=" + display, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "LIBGL_ALWAYS_SOFTWARE=1", "HOME=" + tb.TempDir()},
		program, "--host=127.0.0.1", fmt.Sprintf("--port=%d", port))
	server := fmt.Sprintf("http://127.0.0.1:%d", port)
	w := &webkit{session: server + "/session"}
	var made struct{ SessionID string }
	retry(tb, program, func(ctx context.Context) error {
		return w.call(ctx, http.MethodPost, "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
			"webkitgtk:browserOptions": map[string]any{"binary": browsers[len(browsers)-1], "args": []string{"--automation"}},
		}}}, &made)
	})
	w.session += "/" + made.SessionID
	err = errors.Join(
		w.call(tb.Context(), http.MethodPost, "/timeouts", map[string]int{"script": 180_000, "pageLoad": 180_000}, nil),
		w.call(tb.Context(), http.MethodPost, "/window/rect", map[string]int{"width": engineWidth, "height": engineHeight}, nil),
	)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = w.call(context.WithoutCancel(tb.Context()), http.MethodDelete, "", nil, nil) })
	return w
}

// call sends a command and decodes the value of its response.
func (w *webkit) call(ctx context.Context, method, path string, params, value any) error {
	var body bytes.Buffer
	if params != nil {
		if err := json.NewEncoder(&body).Encode(params); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, w.session+path, &body)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Value)
	}
	if value == nil {
		return nil
	}
	return json.Unmarshal(answer.Value, value)
}

func (w *webkit) Visit(ctx context.Context, address string) error {
	return w.call(ctx, http.MethodPost, "/url", map[string]string{"url": address}, nil)
}

func (w *webkit) Eval(ctx context.Context, expression string, v any) error {
	script := "const done = arguments[0]; Promise.resolve(" + expression + ").then((v) => done(JSON.stringify(v ?? null)), (e) => done('!' + e))"
	var text string
	if err := w.call(ctx, http.MethodPost, "/execute/async", map[string]any{"script": script, "args": []any{}}, &text); err != nil {
		return err
	}
	if failure, failed := strings.CutPrefix(text, "!"); failed {
		return errors.New(failure)
	}
	return json.Unmarshal([]byte(text), v)
}

func (w *webkit) Screenshot(ctx context.Context) ([]byte, error) {
	var text string
	if err := w.call(ctx, http.MethodGet, "/screenshot", nil, &text); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}
