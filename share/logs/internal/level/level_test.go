package level_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs/internal/level"
)

func TestOf(t *testing.T) {
	for word, want := range map[string]level.Meaning{
		"CRIT": {Level: level.Fatal}, "Severe": {Level: level.Error}, "wrn": {Level: level.Warning}, "informational": {Level: level.Info},
		"note": {Level: level.Info, Ambiguous: true}, "FINE": {Level: level.Debug, Ambiguous: true}, "verbose": {Level: level.Trace},
		"": {}, "i": {}, "information desk": {}, "errors": {},
	} {
		assert.Equal(t, want, level.Of([]byte(word)), word)
	}
}

func TestValue(t *testing.T) {
	for value, want := range map[string]level.Level{
		"W": level.Warning, "ERROR+2": level.Error, `\u001b[32minfo\u001b[0m`: level.Info, "": level.None, "7": level.None,
	} {
		assert.Equal(t, want, level.Value([]byte(value)), value)
	}
}

func TestSyslog(t *testing.T) {
	assert.Equal(t, []level.Level{level.Fatal, level.Error, level.Debug, level.None}, []level.Level{level.Syslog[2], level.Syslog[3], level.Syslog[7], level.Syslog[8]})
	assert.Equal(t, []level.Level{level.None, level.Trace, level.Warning, level.Fatal, level.None}, []level.Level{level.Tens[0], level.Tens[1], level.Tens[4], level.Tens[6], level.Tens[7]})
}

// The place of a phrase counts, and what surrounds it.
func TestOfMessage(t *testing.T) {
	for message, want := range map[string]level.Level{
		"cannot open config.toml": level.Error, "tool: main.c: cannot open config.toml": level.Error, "if you cannot open it, ask": level.None,
		"config.toml not found": level.Error, "no config.toml not found": level.None, "config.toml not found, ignoring it": level.Warning,
		"3 failed, 12 passed": level.Error, "0 failed, 12 passed": level.None, "exit code 2": level.Error, "exit code 0": level.None,
		"main.go:7:2: undefined: x": level.Error, "FAILED": level.Error, "error: none": level.None, "x": level.None,
	} {
		assert.Equal(t, want, level.OfMessage([]byte(message), false), message)
	}
}

func TestOfReport(t *testing.T) {
	assert.Equal(t, level.Error, level.OfReport([]byte("could not open /etc/a: No such file or directory")))
	assert.Equal(t, level.None, level.OfReport([]byte("could not open /etc/a")), "a daemon's failure has a cause")
}

func TestOfCount(t *testing.T) {
	for text, want := range map[string]level.Level{"Found 2 errors in 1 file": level.Error, "ok=3 failed=1": level.Error, "1 warning": level.Warning, "0 errors": level.None} {
		got, counted := level.OfCount([]byte(text))
		assert.True(t, counted, text)
		assert.Equal(t, want, got, text)
	}
	_, counted := level.OfCount([]byte("retrying after 3 errors"))
	assert.False(t, counted)
}

func TestLevel_text(t *testing.T) {
	for l := level.None; l <= level.Fatal; l++ {
		var back level.Level
		require.NoError(t, back.UnmarshalText([]byte(l.String())))
		assert.Equal(t, l, back)
	}
	var l level.Level
	require.ErrorContains(t, l.UnmarshalText([]byte("loud")), `no level: "loud"`)
}
