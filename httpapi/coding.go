package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/devkiln/devkiln/httpapi/internal/memory"
)

// A body may be compressed (RFC 9110, section 8.4.1). What it unpacks to is
// bounded like a body that is not, and so is what was sent. Nothing is unpacked
// beyond the bound.

// codings are the content codings of bodies, and how they are unpacked. hold is
// asked before memory is taken.
var codings = map[string]func(packed []byte, hold func(int64) error) ([]byte, error){
	"":         func(packed []byte, _ func(int64) error) ([]byte, error) { return packed, nil },
	"identity": func(packed []byte, _ func(int64) error) ([]byte, error) { return packed, nil },
	"gzip":     gunzip,
	"x-gzip":   gunzip,
	"zstd":     unzstd,
}

// coding returns the content coding of a request.
func (q *request) coding() (string, error) {
	name := q.Header.Get("Content-Encoding")
	if _, ok := codings[strings.ToLower(name)]; !ok {
		q.recorder.Header().Set("Accept-Encoding", "gzip, zstd")
		return "", unsupportedMedia("Content-Encoding must be gzip or zstd, not " + clip(name))
	}
	return strings.ToLower(name), nil
}

func gunzip(packed []byte, hold func(int64) error) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, badCoding("gzip")
	}
	return unpack("gzip", r, hold)
}

// maxWindow is the largest window of the content coding zstd (RFC 9659).
const maxWindow = 8 << 20

func unzstd(packed []byte, hold func(int64) error) ([]byte, error) {
	var first zstd.Header
	if err := first.Decode(packed); err != nil {
		return nil, badCoding("zstd")
	}
	window := max(first.WindowSize, zstd.MinWindowSize)
	if err := hold(int64(min(window, maxWindow))); err != nil {
		return nil, err
	}
	r, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(min(window, maxWindow)))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return unpack("zstd", r, hold)
}

// unpackGrowth is how many times larger than the last a buffer is for what is
// unpacked, which comes fast: from 4 KiB to the largest body in three steps.
const unpackGrowth = 51

func unpack(name string, r io.Reader, hold func(int64) error) ([]byte, error) {
	text, err := readAll(r, hold, -1, unpackGrowth)
	if _, decided := errors.AsType[failure](err); err == nil || decided || errors.Is(err, memory.ErrFull) {
		return text, err
	}
	return nil, badCoding(name)
}

func badCoding(name string) failure {
	return failure{status: http.StatusBadRequest, code: "invalid_encoding", message: "the body is not valid " + name + ", as its Content-Encoding says"}
}
