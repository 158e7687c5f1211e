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
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/api/v1/slug-generator", strings.NewReader(`{"text":"Ærlig talt"}`))
	require.NoError(t, err)
	request.Header.Set("X-API-Key", key)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.JSONEq(t, `{"success":true,"result":"aerlig-talt"}`, string(body))
	cancel()
	require.NoError(t, <-ended)
}
