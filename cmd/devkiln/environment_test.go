package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secretFile writes a secret to a file and returns its name.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func TestRun_unknownVariable(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]string{
		"DEVKILN_RATE_MINUT=1": "DEVKILN_RATE_MINUT is not known; did you mean \"DEVKILN_RATE_MINUTE\"?",
		"DEVKILN_STOR=memory:": "did you mean \"DEVKILN_STORE\"?",
		"DEVKILN_KEY_FIEL=x":   "did you mean \"DEVKILN_KEY_FILE\"?",
		"DEVKILN_NONSENSE=1":   "DEVKILN_NONSENSE is not known",
		"DEVKILN_TITLE=x":      "DEVKILN_TITLE is not known", // a flag of log, not of a server
		"DEVKILN_READY=1":      "DEVKILN_READY is not known",
	} {
		_, _, err := command(t, []string{variable}, "config")
		var stderr strings.Builder
		assert.Equal(t, exitUsage, report(err, &stderr), variable)
		assert.Contains(t, stderr.String(), want)
	}
	for _, variable := range []string{
		"PATH=/", "KILN_X=1", "DEVKILN_RATE_DAY=", "DEVKILN_NONSENSE=",
		// set by Kubernetes for a service named devkiln
		"DEVKILN_SERVICE_HOST=10.0.0.1", "DEVKILN_SERVICE_PORT=80", "DEVKILN_SERVICE_PORT_HTTP=80", "DEVKILN_PORT=tcp://10.0.0.1:80",
		"DEVKILN_PORT_80_TCP=tcp://10.0.0.1:80", "DEVKILN_PORT_80_TCP_ADDR=10.0.0.1",
	} {
		_, _, err := command(t, []string{variable}, "config")
		assert.NoError(t, err, variable)
	}
}

func TestSecrets_fromFiles(t *testing.T) {
	t.Parallel()
	const key = "a-static-key-out-of-a-file"
	keys := secretFile(t, key+"\nanother-static-key-out-of-it\n")
	s := start(t, []string{
		"DEVKILN_API_KEYS_FILE=" + keys,
		"DEVKILN_STORE_FILE=" + secretFile(t, "memory:\n"),
	})
	assert.Contains(t, s.stdout.String(), "memory:")
	for _, secret := range []string{key, "another-static-key-out-of-it"} {
		_, _, err := piped(t, []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY_FILE=" + secretFile(t, secret+"\r\n")}, "x", "log")
		assert.NoError(t, err)
	}
	for want, variables := range map[string][]string{
		"both set":                             {"DEVKILN_API_KEYS=" + key, "DEVKILN_API_KEYS_FILE=" + keys},
		"DEVKILN_API_KEYS_FILE: open /no/such": {"DEVKILN_API_KEYS_FILE=/no/such"},
		"DEVKILN_STORE_FILE":                   {"DEVKILN_STORE_FILE=/no/such"},
		"is empty":                             {"DEVKILN_STORE_FILE=" + secretFile(t, "\n")},
	} {
		_, _, err := command(t, variables, "config")
		var stderr strings.Builder
		assert.Equal(t, exitUsage, report(err, &stderr))
		assert.Contains(t, stderr.String(), want)
	}
}

// setting is one setting printed by devkiln config.
type setting struct{ Name, Value, Source string }

func TestConfig_sources(t *testing.T) {
	t.Parallel()
	variables := []string{
		"DEVKILN_STORE_FILE=" + secretFile(t, "postgres://kiln:secret@db/kiln"),
		"DEVKILN_API_KEYS=a-static-key-of-this-test,another-static-key-of-this-test",
		"DEVKILN_RATE_DAY=5", "DEVKILN_RATE_MINUTE=6", "DEVKILN_TRUSTED_PROXIES=10.0.0.0/8,::1",
	}
	fonts := filepath.Join(t.TempDir(), "of two words")
	require.NoError(t, os.Mkdir(fonts, 0o700))
	text, _, err := command(t, variables, "config", "--json", "--rate-minute=7", "--no-access-log", "--cors-origins=https://[::1]", "--fonts="+fonts)
	require.NoError(t, err)
	var list []setting
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	got := make(map[string]setting)
	for _, s := range list {
		got[s.Name] = setting{Value: s.Value, Source: s.Source}
	}
	for name, want := range map[string]setting{
		"store":           {Value: "postgres://kiln:xxxxx@db/kiln", Source: "DEVKILN_STORE_FILE"},
		"cors-origins":    {Value: "https://[::1]", Source: "flag"},
		"fonts":           {Value: fonts, Source: "flag"},
		"api-keys":        {Value: "2, not shown", Source: "DEVKILN_API_KEYS"},
		"rate-day":        {Value: "5", Source: "DEVKILN_RATE_DAY"},
		"rate-minute":     {Value: "7", Source: "flag"},
		"access-log":      {Value: "false", Source: "flag"},
		"trusted-proxies": {Value: "10.0.0.0/8,::1/128", Source: "DEVKILN_TRUSTED_PROXIES"},
		"listen":          {Value: "127.0.0.1:8080", Source: "default"},
	} {
		assert.Equal(t, want, got[name], name)
	}
	assert.NotContains(t, text, "secret@")
	assert.NotContains(t, text, "static-key")

	help, _, err := command(t, none, "serve", "--help")
	require.NoError(t, err)
	for name := range got {
		if name != "api-keys" && name != "admin-password" {
			assert.Contains(t, strings.ReplaceAll(help, "[no-]", ""), "--"+name, "every setting is a flag")
		}
	}
	for want, variable := range map[string]string{
		`DEVKILN_BASE_URL "nonsense": must be http`: "DEVKILN_BASE_URL=nonsense",
		"has no scheme":                        "DEVKILN_STORE=devkiln.db",
		`not "redis"`:                          "DEVKILN_STORE=redis://x",
		"needs the path":                       "DEVKILN_STORE=sqlite:",
		"DEVKILN_API_KEYS: static key 1 has 5": "DEVKILN_API_KEYS=short",
		"DEVKILN_API_KEYS_FILE: static key":    "DEVKILN_API_KEYS_FILE=" + secretFile(t, "\xff\n"),
	} {
		_, _, err = command(t, []string{variable}, "config")
		assert.ErrorContains(t, err, want, "what serve refuses, config refuses")
		assert.Equal(t, exitUsage, report(err, io.Discard))
	}
}

// A setting that depends on the process shows its effective value; one without
// a value says so.
func TestConfig_effectiveDefaults(t *testing.T) {
	t.Parallel()
	process := exec.CommandContext(t.Context(), executable(t), "config")
	process.Env = append(outside(), "TEST_AS_DEVKILN=1", "GOMEMLIMIT=1000MiB")
	text, err := process.Output()
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^max-memory +419430400 +default$`, string(text))
	assert.Regexp(t, `(?m)^max-store-bytes +not set +default$`, string(text))
	assert.Regexp(t, `(?m)^base-url +not set +default$`, string(text))
}
