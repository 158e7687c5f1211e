package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/pgtest"
	"github.com/devkiln/devkiln/store/postgres"
)

func TestRedact(t *testing.T) {
	for given, shown := range map[string]string{
		"postgres://u:secret@h/db":                         "postgres://u:xxxxx@h/db",
		"postgres://u:secret@h,i:5433/db?sslmode=disable":  "postgres://u:xxxxx@h,i:5433/db",
		"postgresql://u@h/db":                              "postgresql://u@h/db",
		"postgres://h/db?sslmode=disable":                  "postgres://h/db",
		"postgres://h/db?password=secret&user=u":           "postgres://h/db",
		"postgres://h/db?user=u&password=sec;ret#x":        "postgres://h/db",
		"postgres://h/db?password=secret%zz":               "postgres://h/db",
		"postgres://h/db?password=se@cret":                 "postgres://xxxxx",
		"postgres://u:p#secret@h/db":                       "postgres://u:xxxxx@h/db",
		"postgres://u:p?secret@h/db?sslmode=disable":       "postgres://u:xxxxx@h/db",
		"postgres://u:sec@ret@h/db":                        "postgres://u:xxxxx@h/db",
		"postgres://u:1/secret@h/db":                       "postgres://u:xxxxx@h/db",
		"postgres://u:p?a=secret@h/db":                     "postgres://xxxxx",
		"postgres://u:p%zzsecret@h/db?password=secret":     "postgres://u:xxxxx@h/db",
		"postgres://se/cret@h/db":                          "postgres://xxxxx@h/db",
		"host=h user=u password=secret":                    "xxxxx",
		"host=h dbname=db":                                 "host=h dbname=db",
		"postgres://u:[secret@h/db?application_name=kiln5": "postgres://u:xxxxx@h/db",
	} {
		assert.Equal(t, shown, postgres.Redact(given), given)
	}
}

// TestRedact_everyPunctuation uses passwords with every character, verbatim and
// escaped, and looks for them in redacted URLs and in errors.
func TestRedact_everyPunctuation(t *testing.T) {
	t.Parallel()
	server := pgtest.Shared(t)
	server.Query("CREATE ROLE kiln LOGIN")
	t.Cleanup(func() { server.Query("DROP OWNED BY kiln CASCADE; DROP ROLE kiln") })
	server.Query("COPY (VALUES ('host all kiln all scram-sha-256'), ('host all all all trust')) TO '" + server.Query("SHOW hba_file") + "'; SELECT pg_reload_conf()")
	server.Query("CREATE SCHEMA AUTHORIZATION kiln")
	var opened []byte
	for c := byte('!'); c <= '~'; c++ {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			continue
		}
		password := "p" + string(c) + "s3cr3t" + string(c) + "zz"
		server.Query("ALTER ROLE kiln PASSWORD '" + strings.ReplaceAll(password, "'", "''") + "'")
		escaped := strings.ReplaceAll(password, string(c), fmt.Sprintf("%%%02X", c))
		for _, written := range []string{password, escaped} {
			database := "postgres://kiln:" + written + "@" + server.Address() + "/postgres?sslmode=disable"
			shown := postgres.Redact(database)
			assert.NotContains(t, shown, "s3cr3t")
			assert.NotContains(t, shown, "zz")
			assert.Contains(t, shown, server.Address())
			db, err := postgres.Open(t.Context(), database, postgres.Options{})
			if err != nil {
				assert.NotContains(t, err.Error(), "s3cr3t")
				assert.NotContains(t, err.Error(), "zz")
				assert.NotEqual(t, escaped, written, "%v", err)
				continue
			}
			require.NoError(t, db.Close())
			if written == password {
				opened = append(opened, c)
			}
		}
	}
	assert.Equal(t, "!\"#$&'()*+,-.:;<=>?[\\]^_`{|}~", string(opened), "taken as they are, unlike @, / and %")
	_, err := postgres.Open(t.Context(), "postgres://kiln:s3cr3t@"+server.Address()+"/postgres", postgres.Options{})
	assert.ErrorContains(t, err, "password authentication failed")
	assert.NotContains(t, err.Error(), "s3cr3t")
	_, err = postgres.Open(t.Context(), "postgres://kiln:s3cr3t@h/postgres?sslmode=wrong", postgres.Options{})
	assert.ErrorContains(t, err, "sslmode is invalid")
	assert.NotContains(t, err.Error(), "s3cr3t")
}
