package logs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/share/logs"
)

func TestParseRecord_columns(t *testing.T) {
	for line, want := range map[string]string{
		`{"time":"2026-01-02T03:04:05Z","level":"ERROR","msg":"no total","cart":17,"user":{"id":"a\"b"},"tags":[]}`: `|2026-01-02T03:04:05Z|ERROR|no total|cart=17 user={"id":"a\"b"} tags=[]`,
		"web-1  | \x1b[32m{\"ts\":1767323045.5,\"severity\":\"warn\",\"message\":\"a\\tb\",\"msg\":null}\x1b[0m":    "web-1  | |1767323045.5|warn|a\tb|msg=null",
		`2026-01-02T03:04:05.123456789Z stdout F {"msg":"x","level":30}`:                                            `2026-01-02T03:04:05.123456789Z stdout F ||30|x|`,
		`{"log":"GET / 200\n","stream":"stdout","time":"2026-01-02T03:04:05Z"}`:                                     "|2026-01-02T03:04:05Z||GET / 200\n|stream=stdout",
		`{"message":{"a":1},"level":"info","level":"warn"} `:                                                        `||info||message={"a":1} level=warn`,
		`{}`: "||||",
	} {
		r, ok := logs.ParseRecord(line)
		var fields []string
		for _, f := range r.Fields {
			fields = append(fields, f.Name+"="+f.Value)
		}
		assert.True(t, ok, line)
		assert.Equal(t, want, fmt.Sprintf("%s|%s|%s|%s|%s", r.Prefix, r.Time, r.Level, r.Message, strings.Join(fields, " ")), line)
	}
}

func TestParseRecord_others(t *testing.T) {
	for _, line := range []string{
		"", "no total", `{"msg":"cut`, `{"msg":"x"} and more`, `[{"msg":"x"}]`, `INFO {"msg":"x"}`, `{"msg" "x"}`,
		strings.Repeat(`{"a":`, 100_000), `{"msg":"x"}}`,
	} {
		_, ok := logs.ParseRecord(line)
		assert.False(t, ok, line[:min(len(line), 40)])
	}
}
