package contract_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
)

// load writes text to a file of cases and loads it.
func load(t *testing.T, text string) ([]contract.Case, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cases.json"), []byte(text), 0o600))
	return contract.Load(dir)
}

func TestLoad_refusesWhatProvesNothing(t *testing.T) {
	const step = `{"path": "/", "status": 200, "want": 1}`
	for name, c := range map[string]struct{ text, fault string }{
		"not JSON":            {`[`, "unexpected EOF"},
		"a misspelt field":    {`[{"name": "a", "steps": [{"path": "/", "statsu": 200, "want": 1}]}]`, `unknown field "statsu"`},
		"no name":             {`[{"steps": [` + step + `]}]`, "needs a name"},
		"a name twice":        {`[{"name": "a", "steps": [` + step + `]}, {"name": "a", "steps": [` + step + `]}]`, "needs a name of its own"},
		"no steps":            {`[{"name": "a"}]`, "and steps"},
		"no status":           {`[{"name": "a", "steps": [{"path": "/", "want": 1}]}]`, "needs a status"},
		"nothing wanted":      {`[{"name": "a", "steps": [{"path": "/", "status": 200}]}]`, "one of want and wantText"},
		"two bodies wanted":   {`[{"name": "a", "steps": [{"path": "/", "status": 200, "want": 1, "wantText": "1"}]}]`, "one of want and wantText"},
		"a time that is none": {`[{"name": "a", "steps": [{"path": "/", "after": "soon", "status": 200, "want": 1}]}]`, "invalid duration"},
	} {
		_, err := load(t, c.text)
		assert.ErrorContains(t, err, c.fault, name)
	}
}

// echo responds with the request's body, and with its path, key and media type
// in header fields.
func echo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Path", r.URL.Path+"|"+r.URL.EscapedPath()+"|"+r.URL.RawQuery)
	w.Header().Set("Key", r.Header.Get("X-API-Key"))
	w.Header().Set("Type", r.Header.Get("Content-Type"))
	_, _ = io.Copy(w, r.Body)
}

func play(t *testing.T, steps string) error {
	t.Helper()
	cases, err := load(t, `[{"name": "a", "steps": [`+steps+`]}]`)
	require.NoError(t, err)
	require.Len(t, cases, 1)
	p := contract.Player{Handler: http.HandlerFunc(echo), Keys: map[string]string{"alice": "A", "bob": "B"}}
	return p.Play(t.Context(), cases[0])
}

func TestPlayer_acceptsWhatIsExpected(t *testing.T) {
	for name, steps := range map[string]string{
		"the same value":      `{"path": "/", "body": {"a": [1.0, null, true, "x"]}, "status": 200, "want": {"a": [1.0, null, true, "x"]}}`,
		"kinds":               `{"path": "/", "body": ["x", 1, "0123456789abcdef", "r-1", "ab"], "status": 200, "want": ["$any", "$any", "$id", "$requestId", "$re a."]}`,
		"repetition":          `{"path": "/", "body": {"a": {"$repeat": ["xy", 3]}}, "status": 200, "want": {"a": {"$repeat": ["xy", 3]}}}` + `,{"path": "/", "raw": "{\"a\":\"xyxyxy\"}", "status": 200, "want": {"a": {"$repeat": ["xy", 3]}}}`,
		"a path as it is":     `{"path": "/a%2Fb?c", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Path": "/a/b|/a%2Fb|c"}}`,
		"keys":                `{"path": "/", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Key": "A"}}, {"path": "/", "key": "bob", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Key": "B"}}, {"path": "/", "key": "=x", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Key": "x"}}, {"path": "/", "key": "none", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Key": ""}}`,
		"a media type":        `{"path": "/", "raw": "", "status": 200, "wantText": "", "wantHeaders": {"Type": "application/json"}}, {"path": "/", "raw": "", "headers": {"Content-Type": ""}, "status": 200, "wantText": "", "wantHeaders": {"Type": ""}}`,
		"bytes and padding":   `{"path": "/", "base64": "AP8=", "padTo": 4, "status": 200, "wantText": "$re \\x00.  "}`,
		"what is saved":       `{"path": "/", "body": {"id": "7"}, "status": 200, "want": {"id": "7"}, "save": ["id"]}, {"path": "/${id}", "raw": "${id}", "status": 200, "wantText": "${id}", "wantHeaders": {"Path": "/7|/7|"}}`,
		"more than one round": `{"path": "/", "times": 3, "raw": "1", "status": 200, "want": 1}`,
	} {
		assert.NoError(t, play(t, steps), name)
	}
}

func TestPlayer_findsEveryDifference(t *testing.T) {
	for name, c := range map[string]struct{ step, fault string }{
		"status":            {`{"path": "/", "raw": "1", "status": 201, "want": 1}`, "status must be 201"},
		"a header":          {`{"path": "/", "raw": "1", "status": 200, "want": 1, "wantHeaders": {"Key": "B"}}`, "header Key"},
		"a header too many": {`{"path": "/", "raw": "1", "status": 200, "want": 1, "wantHeaders": {"Key": ""}}`, "header Key"},
		"a text":            {`{"path": "/", "raw": "a", "status": 200, "wantText": "b"}`, `must be "b", is "a"`},
		"not JSON":          {`{"path": "/", "raw": "a", "status": 200, "want": "a"}`, "not JSON"},
		"a field missing":   {`{"path": "/", "body": {}, "status": 200, "want": {"a": null}}`, `must be {"a":null}`},
		"a field too many":  {`{"path": "/", "body": {"a": null}, "status": 200, "want": {}}`, `must be {}`},
		"an element":        {`{"path": "/", "body": [1, 2], "status": 200, "want": [1]}`, "must be [1]"},
		"a type":            {`{"path": "/", "body": ["1"], "status": 200, "want": [1]}`, "must be [1]"},
		"another type":      {`{"path": "/", "body": [1], "status": 200, "want": ["1"]}`, `must be ["1"]`},
		"no object":         {`{"path": "/", "body": [], "status": 200, "want": {}}`, "must be {}"},
		"digits":            {`{"path": "/", "raw": "1.0", "status": 200, "want": 1}`, "must be 1\n"},
		"null":              {`{"path": "/", "raw": "0", "status": 200, "want": null}`, "must be null"},
		"a kind":            {`{"path": "/", "body": "not an id", "status": 200, "want": "$id"}`, `must be "$id"`},
		"a pattern":         {`{"path": "/", "body": "abc", "status": 200, "want": "$re ab"}`, `must be "$re ab"`},
		"nothing to save":   {`{"path": "/", "body": {"a": 1}, "status": 200, "want": {"a": 1}, "save": ["a"]}`, "nothing to save"},
		"repetition":        {`{"path": "/", "body": "aaa", "status": 200, "want": {"$repeat": ["a", 4]}}`, `must be "aaaa"`},
		"bad repetition":    {`{"path": "/", "body": {"$repeat": ["a", "b"]}, "status": 200, "want": 1}`, "$repeat takes"},
		"no path":           {`{"path": "nowhere", "raw": "", "status": 200, "wantText": ""}`, "invalid URI"},
	} {
		assert.ErrorContains(t, play(t, c.step), c.fault, name)
	}
}
