package pgtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
)

func TestStart_withoutPrograms(t *testing.T) {
	t.Setenv("DEVKILN_POSTGRES_BIN", t.TempDir())
	t.Setenv("DEVKILN_REQUIRE_POSTGRES", "")
	skipped := false
	t.Run("start", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		pgtest.Start(t)
	})
	require.True(t, skipped)
}

func TestStart(t *testing.T) {
	server := pgtest.Start(t, "work_mem = 5MB")
	require.Equal(t, "5MB", server.Query("SHOW work_mem"))
	require.NotEqual(t, server.NewSchema(), server.NewSchema())
	server.Query("CREATE TABLE numbers (n int); INSERT INTO numbers VALUES (42)")
	server.Kill()
	server.Restart()
	require.Equal(t, "42", server.Query("SELECT n FROM numbers"))
	server.Stop()
	server.Restart()
	require.Equal(t, "42", server.Query("SELECT n FROM numbers"))
}

// A test opens its store at the URL of a schema of its own.
func ExampleStart() {
	test := func(t *testing.T) {
		url := pgtest.Start(t).NewSchema()
		_ = url
	}
	_ = test // go test calls it
}
