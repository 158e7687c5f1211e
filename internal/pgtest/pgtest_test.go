package pgtest_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

func TestShared(t *testing.T) {
	t.Parallel()
	var addresses []string
	for _, name := range []string{"one test", "another"} {
		t.Run(name, func(t *testing.T) { addresses = append(addresses, pgtest.Shared(t).Address()) })
	}
	server := pgtest.Shared(t)
	require.Equal(t, []string{server.Address(), server.Address()}, addresses)
	require.NotEqual(t, server.NewSchema(), server.NewSchema())
}

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
	t.Parallel()
	server := pgtest.Start(t, "work_mem=5MB")
	require.Equal(t, "5MB off", server.Query("SELECT current_setting('work_mem') || ' ' || current_setting('fsync')"))
	server.Query("CREATE TABLE numbers (n int); INSERT INTO numbers VALUES (42)")
	server.Kill()
	server.Restart()
	require.Equal(t, "42", server.Query("SELECT n FROM numbers"))
	server.Stop()
	server.Restart()
	require.Equal(t, "42", server.Query("SELECT n FROM numbers"))
}

// A test opens its store at the URL of its own schema.
func ExampleShared() {
	test := func(t *testing.T) {
		url := pgtest.Shared(t).NewSchema()
		_ = url
	}
	_ = test // go test calls it
}
