package e2e_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

// studioLink returns the URL of a studio with JSON settings, given in parts.
func studioLink(t *testing.T, settings ...string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	require.NoError(t, err)
	for _, part := range settings {
		_, err = w.Write([]byte(part))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return "/screenshot#" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}
