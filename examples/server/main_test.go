package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun_serves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, in) }()
	var base, key string
	_, err := fmt.Fscanf(out, "%s with the key %s\n", &base, &key)
	require.NoError(t, err)
	call := func(method, path, body string) string {
		request, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("X-API-Key", key)
		request.Header.Set("Accept", "text/html")
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return string(text)
	}
	assert.JSONEq(t, `{"success":true,"result":"aerlig-talt"}`, call(http.MethodPost, "/api/v1/slug-generator", `{"text":"Ærlig talt"}`))
	assert.Equal(t, "hello\n", call(http.MethodGet, "/hello", ""), "the program's own route")
	assert.Contains(t, call(http.MethodGet, "/", ""), "<html", "a page of Devkiln")
	cancel()
	require.NoError(t, <-ended)
}
