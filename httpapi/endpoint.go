package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/devkiln/devkiln/httpapi/apikey"
)

// caller is who asks, and what of the request an operation may need.
type caller struct {
	key     apikey.Key
	request *http.Request
	server  *server
}

// base returns the base URL, without a slash at its end.
func (c caller) base() string { return c.server.baseURL(c.request) }

// operation is an operation over fields. decode reads them and notes those of a
// wrong shape. check validates without doing anything; it is asked only when
// decode found faults, so that all faults are told at once. do validates by
// itself.
func operation[In, Out any](decode func(*fields) In, check func(In) error,
	do func(context.Context, caller, In) (Out, error),
) func(caller, *fields) (Out, error) {
	return func(c caller, f *fields) (Out, error) {
		in := decode(f)
		if details := f.faults(); len(details) > 0 {
			var none Out
			return none, validationFailed(addFaults(details, detailsOf(check(in))))
		}
		return do(c.request.Context(), c, in)
	}
}

// post adapts an operation to JSON over HTTP. The order of the checks is part
// of the contract: key, rate, media type, size, JSON, fields. (Path and method
// come first, in routes.)
func post[Out any](s *server, do func(caller, *fields) (Out, error)) http.Handler {
	return s.answer(writeFailure, func(w http.ResponseWriter, c caller) (any, error) {
		if err := checkMediaType(c.request.Header); err != nil {
			return nil, err
		}
		body, err := s.readBody(w, c.request)
		if err != nil {
			return nil, err
		}
		f, err := parseFields(body)
		if err != nil {
			return nil, err
		}
		return do(c, f)
	})
}

// bodyless adapts an operation that takes everything from the path.
func bodyless[Out any](s *server, do func(context.Context, caller) (Out, error)) http.Handler {
	return s.answer(writeFailure, func(_ http.ResponseWriter, c caller) (any, error) {
		return do(c.request.Context(), c)
	})
}

// refuse writes a failure: writeFailure or writePlainFailure.
type refuse func(http.ResponseWriter, failure)

// answer admits a caller, runs an operation and writes what came of it. It is
// the only place where an answer is written, apart from routes.
func (s *server) answer(refuse refuse, run func(http.ResponseWriter, caller) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, err := s.admit(w, r)
		if err != nil {
			refuse(w, s.failure(w, r, err))
			return
		}
		out, err := run(w, caller{key, r, s})
		if err != nil {
			refuse(w, s.failure(w, r, err))
			return
		}
		if p, ok := out.(opaque); ok {
			w.Header().Set("Content-Type", p.mediaType)
			visitOf(w).announceLength(len(p.data))
			_, _ = w.Write(p.data)
			return
		}
		writeJSON(w, http.StatusOK, out)
	})
}

// opaque is an answer that is not JSON.
type opaque struct {
	mediaType string
	data      []byte
}

// failure turns an error into an answer and logs what the caller must not see.
func (s *server) failure(w http.ResponseWriter, r *http.Request, err error) failure {
	f := failureOf(err)
	if f.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) {
		s.Log.ErrorContext(r.Context(), "request failed", "request_id", visitOf(w).id, "path", clip(r.URL.Path), "error", err)
	}
	return f
}

// writeJSON encodes an answer in memory, so that an error cannot leave half of
// it behind a 200, and then writes it.
func writeJSON(w http.ResponseWriter, status int, body any) {
	e, found := encoders.Get().(*encoder)
	if !found {
		e = newEncoder()
	}
	if err := e.Encode(body); err != nil {
		panic(err) // our own structs always encode; the recovery answers 500
	}
	w.Header()["Content-Type"] = jsonType
	visitOf(w).announceLength(e.text.Len())
	w.WriteHeader(status)
	_, _ = w.Write(e.text.Bytes())
	if e.text.Reset(); e.text.Cap() <= maxEncoder {
		encoders.Put(e)
	}
}

// Values of header fields, which are not copied for each answer.
var (
	jsonType = []string{"application/json; charset=utf-8"}
	noStore  = []string{"no-store"}
	noSniff  = []string{"nosniff"}
)

// encoder is a JSON encoder and what it has written.
type encoder struct {
	*json.Encoder
	text *bytes.Buffer
}

func newEncoder() *encoder {
	var text bytes.Buffer
	e := &encoder{json.NewEncoder(&text), &text}
	e.SetEscapeHTML(false)
	return e
}

// encoders wait for another answer, those with a long one behind them not.
var encoders sync.Pool // of *encoder

const maxEncoder = 64 << 10 // bytes
