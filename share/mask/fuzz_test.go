package mask_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pieces are the parts of a hostile or unlucky text: the starts, joints and
// ends of secrets, and lookalikes.
var pieces = []string{
	"password", "passwd", "pwd", "passphrase", "secret", "token", "api_key", "API key", "secret_access_key", "Authorization", "Bearer ", "Basic ",
	"value", ", ", "\n  value: ", `"value":`, `\", \"value\": \"`, "Cookie", "Set-Cookie", "sid=", "=", ":", ": ", " = ", "=>", ":=", "==", "\"", "'", "`", "\\\"", "\\'", "\\\\\\\"", "\\", "\\\\", "\\n", "\\u001b[31m", "\\/",
	"\x1b[0m", "\x1b[", "[", "]", "{", "}", "(", ")", "<", ">", "</", ",", ";", "&", "|", "%5D", "%", "$", "${", "@", "://", "http://", "u:", "/", ".", "-", "--", "_",
	" ", "  ", "\t", "\n", "\r\n", "#", "hunter2", "swordfish", "a", "1", "12345678", "1e10", "true", "null", "***", "x", "é", "🪵", "\xff",
	"[masked: password]", "[masked: ", "[masked", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----", "BEGIN ", "PRIVATE KEY",
	"‹16›", "‹36›", "‹64›", "ghp_‹36›", "glpat-‹20›", "AKIA‹A16›", "sk_live_‹24›", "AIza‹35›", "sk-‹40›", "‹jwt›", "eyJ", "‹basic›", "hooks.slack.com/services/‹30›",
}

// FuzzSecrets checks the documented guarantees on any text.
func FuzzSecrets(f *testing.F) {
	for _, c := range maskCases(f) {
		f.Add(c.in)
	}
	f.Fuzz(promised)
}

// FuzzPieces checks the same on texts assembled from pieces, one for each byte,
// and on a JSON document of such texts, which must remain valid.
func FuzzPieces(f *testing.F) {
	all := make([]string, len(pieces))
	for i, piece := range pieces {
		all[i] = written(f, piece)
	}
	f.Add([]byte{0, 15, 60})
	f.Add([]byte{22, 0, 22, 16, 62, 44})
	f.Fuzz(func(t *testing.T, choice []byte) {
		var texts []string
		for part := range slices.Chunk(choice[:min(len(choice), 60)], 5) {
			var b strings.Builder
			for _, c := range part {
				b.WriteString(all[int(c)%len(all)])
			}
			texts = append(texts, b.String())
		}
		text := strings.Join(texts, "")
		promised(t, text)
		document := inJSON(t, texts)
		promised(t, document)
		promised(t, inJSON(t, []string{document, text, "password=", document}))
	})
}

// inJSON returns a document that has the texts as names and values, beside JSON
// of other kinds.
func inJSON(t *testing.T, texts []string) string {
	t.Helper()
	literals := []string{"12345678", "true", "null", "1e10", "-0.5", "[ ]", "{}", "123456789012345678"}
	var b strings.Builder
	b.WriteString("{")
	for i, text := range texts {
		var quoted bytes.Buffer
		e := json.NewEncoder(&quoted)
		e.SetEscapeHTML(i%2 == 0)
		require.NoError(t, e.Encode(text))
		q := strings.TrimSpace(quoted.String())
		b.WriteString(q + []string{":", " : ", ": ["}[i%3] + literals[i%len(literals)] + []string{",", " ,", "], "}[i%3])
		b.WriteString(`"k` + strconv.Itoa(i) + `":` + q + `,` + q + `: "x",`)
	}
	b.WriteString(`"end":0}`)
	require.True(t, json.Valid([]byte(b.String())), b.String())
	return b.String()
}
