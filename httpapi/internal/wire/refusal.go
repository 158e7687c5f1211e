package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// refusal returns the response of JSON-RPC to a request that the SDK refuses
// with a reason.
func refusal(request []byte, reason string) (text []byte, code int64) {
	var q struct{ ID json.RawMessage }
	err := json.Unmarshal(request, &q)
	code, reason = jsonrpc.CodeInvalidRequest, "Invalid Request: "+reason
	method, isUnknown := strings.CutPrefix(reason, "Invalid Request: JSON RPC not handled: ")
	switch {
	case !json.Valid(request):
		code, reason = jsonrpc.CodeParseError, "Parse error: "+err.Error()
	case isUnknown:
		code, reason = jsonrpc.CodeMethodNotFound, "Method not found: "+strings.TrimSuffix(method, " unsupported")
	case strings.HasSuffix(reason, `missing required "params"`):
		code, reason = jsonrpc.CodeInvalidParams, `Invalid params: "params" is required`
	}
	text, _ = json.Marshal(map[string]any{"jsonrpc": "2.0", "id": q.ID, "error": jsonrpc.Error{Code: code, Message: reason}}) // of what can be JSON
	return text, code
}

// faultOfID returns what is wrong with the id of a request, which the SDK would
// round, or "".
func faultOfID(request []byte) string {
	var q struct{ ID any }
	numbers := json.NewDecoder(bytes.NewReader(request))
	numbers.UseNumber()
	_ = numbers.Decode(&q) // what is no object has no id
	id, _ := q.ID.(json.Number)
	_, isText := q.ID.(string)
	if n, err := id.Int64(); q.ID != nil && !isText && (err != nil || max(n, -n) > 1<<53) {
		return "an id must be a string or a whole number of at most 53 bits"
	}
	return ""
}

// goTypes matches an error of the SDK that names types of Go, and inWords replaces it.
var goTypes, inWords = regexp.MustCompile(`("error":\{"code":-32602,"message":")handling '([^']*)': invalid params: (?:[^"\\]|\\.)*"`),
	[]byte(`${1}Invalid params: they are not what $2 takes"`)

// Handler serves requests of at most limit bytes with the handler of the SDK,
// whose lines of text become errors of JSON-RPC. What is not JSON does not reach
// the SDK, whose parser recurses without a bound.
func Handler(sdk http.Handler, limit int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		refusing := &writer{w, body, 0}
		switch {
		case err != nil:
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		case r.Method == http.MethodPost && !json.Valid(body):
			http.Error(refusing, "", http.StatusBadRequest)
		case faultOfID(body) != "":
			http.Error(refusing, faultOfID(body), http.StatusBadRequest)
		default:
			r = r.WithContext(r.Context())
			r.Body = io.NopCloser(bytes.NewReader(body))
			sdk.ServeHTTP(refusing, r)
		}
	})
}

// A writer replaces the text with which the SDK refuses a request.
type writer struct {
	http.ResponseWriter
	request []byte
	refused int // the status of that text
}

// WriteHeader implements [http.ResponseWriter].
func (w *writer) WriteHeader(status int) {
	if w.Header().Get("Content-Type") == "text/plain; charset=utf-8" {
		w.refused = status
	} else {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (w *writer) Write(text []byte) (int, error) {
	if w.refused == 0 {
		_, err := w.ResponseWriter.Write(goTypes.ReplaceAll(text, inWords))
		return len(text), err
	}
	response, code := refusal(w.request, strings.TrimSpace(string(text)))
	if code == jsonrpc.CodeMethodNotFound || code == jsonrpc.CodeInvalidParams { // the request itself is valid
		w.refused = http.StatusOK
	}
	w.Header().Set("Content-Type", "application/json")
	w.ResponseWriter.WriteHeader(w.refused)
	_, err := w.ResponseWriter.Write(response)
	return len(text), err
}

// Unwrap is for [http.ResponseController].
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
