package mask_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/mask"
)

// A maskCase is a line of testdata; formats.tsv describes the columns.
type maskCase struct {
	where    string
	found    mask.Found
	in, want string
}

func maskCases(tb testing.TB) []maskCase {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.tsv")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	var all []maskCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(tb, err)
		lines := bufio.NewScanner(bytes.NewReader(data))
		for n := 1; lines.Scan(); n++ {
			if !strings.HasPrefix(lines.Text(), "#") {
				all = append(all, parseCase(tb, file+":"+strconv.Itoa(n), lines.Text()))
			}
		}
	}
	return all
}

func parseCase(tb testing.TB, where, line string) maskCase {
	tb.Helper()
	columns := strings.Split(line, "\t")
	if columns[0] == "-" {
		require.Len(tb, columns, 2, where)
		columns = append(columns, columns[1])
	}
	require.Len(tb, columns, 3, where)
	c := maskCase{where: where, in: written(tb, columns[1]), want: written(tb, columns[2])}
	if columns[0] == "-" {
		return c
	}
	c.found = make(mask.Found)
	for part := range strings.SplitSeq(columns[0], ", ") {
		kind, count, several := strings.Cut(part, " ")
		require.NotEmpty(tb, mask.Kind(kind).Name(), where)
		c.found[mask.Kind(kind)] = 1
		if several {
			n, err := strconv.Atoi(count)
			require.NoError(tb, err, where)
			c.found[mask.Kind(kind)] = n
		}
	}
	return c
}

var stand = regexp.MustCompile(`‹(\w*?)(\d*)›`)

// written replaces the placeholders of invented secrets and control characters.
func written(tb testing.TB, text string) string {
	tb.Helper()
	text = stand.ReplaceAllStringFunc(text, func(s string) string {
		part := stand.FindStringSubmatch(s)
		n, _ := strconv.Atoi(part[2])
		switch part[1] {
		case "":
			return drawn("k7Lm2Pq9Rs4Tv6Wx1Yz3Ab5Cd8EfGhJn0", n)
		case "A":
			return drawn("K7LM2PQ3RS4TV5WX6YZ", n)
		case "h":
			return drawn("3fa9c07be51d2684", n)
		case "d":
			return drawn("2718281828459", n)
		case "jwt":
			return encoded(`{"alg":"HS256","typ":"JWT"}`) + "." + encoded(`{"sub":"ada"}`) + "." + encoded("no signature at all")
		case "jwe":
			return encoded(`{"alg":"dir","enc":"A128GCM"}`) + ".." + encoded("vector") + "." + encoded("text") + "." + encoded("tag")
		case "basic":
			return encoded("ada:lovelace")
		}
		require.Failf(tb, "unknown stand-in", "%s", s)
		return ""
	})
	return strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t", "␛", "\x1b").Replace(text)
}

// drawn repeats letters up to a length.
func drawn(letters string, n int) string {
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

func TestSecrets(t *testing.T) {
	for _, c := range maskCases(t) {
		optional := strings.HasPrefix(c.where, "testdata/optional.tsv")
		masked, found := mask.Secrets(c.in, mask.Options{Addresses: optional, Users: optional})
		assert.Equal(t, c.want, masked, c.where)
		assert.Equal(t, c.found, found, c.where)
		promised(t, c.in)
	}
}

// hostile are texts that make a naive scanner read the rest again at each offset:
// beginnings without an end, nested values, and the shortest that cost a rule its
// whole work.
var hostile = map[string]string{
	"names":       "password=$",
	"nested":      `password=\"'`,
	"quotes":      `password="`,
	"deep quotes": `token=\\\"`,
	"names alone": "password ",
	"names colon": "password: ",
	"short names": "pwd: ",
	"paths":       "pwd=/",
	"values":      "token=",
	"blanks":      "password                                ",
	"one run":     "a",
	"pem":         "-----BEGIN PRIVATE KEY-----",
	"pem lines":   "-----BEGIN PRIVATE KEY-----\n",
	"jwt":         "eyJ.",
	"jwt headers": "eyJhbGciOiJub25lIn0.",
	"jwt parts":   "eyJhbGciOiJub25lIn0.eyJhbGciOiJub25lIn0.abc ",
	"tokens":      "ghs_a.",
	"first words": "abcdefgh.",
	"urls":        "http://a:",
	"authority":   "x:b@",
	"pgpass":      "h:5432:d:u:abc\n",
	"netrc":       "machine a login b password c ",
	"backslashes": `\`,
	"escapes":     "\x1b[",
	"colours":     "\x1b[31m",
	"elements":    "<password>",
	"cookies":     "Cookie: a=b; ",
	"basic":       "Basic QUFB",
	"header":      "Authorization: x ",
	"marks":       "[masked: ",
	"flags":       "--token ",
	"arguments":   "curl -u a:bcd ",
	"pairs":       `"password","value":"`,
	"secrets":     "pwd=ab1 ",
	"keys":        "api_key: abcdefgh12345678 ",
}

// The time is linear, so that none of these takes minutes. What follows the
// repetition is refused by every form.
func TestSecrets_hostile(t *testing.T) {
	for _, text := range hostile {
		promised(t, strings.Repeat(text, 100_000/len(text))+strings.Repeat("x", 50))
	}
}

// promised checks the documented guarantees for every text.
func promised(t *testing.T, text string) {
	t.Helper()
	masked, found := mask.Secrets(text, mask.Options{})
	require.Equal(t, found == nil, masked == text, "%q", text)
	require.Equal(t, strings.Count(text, "\n"), strings.Count(masked, "\n"), "%q", text)
	require.Equal(t, strings.Count(text, "\r"), strings.Count(masked, "\r"), "%q", text)
	if utf8.ValidString(text) {
		require.True(t, utf8.ValidString(masked), "%q", text)
	}
	if json.Valid([]byte(text)) {
		require.True(t, json.Valid([]byte(masked)), "%q became %q", text, masked)
	}
	again, more := mask.Secrets(masked, mask.Options{})
	require.Equal(t, masked, again, "%q", text)
	require.Empty(t, more, "%q", text)

	short, same := mask.Secrets(text, mask.Options{Limit: 1})
	require.Equal(t, found, same)
	require.LessOrEqual(t, utf8.RuneCountInString(short), utf8.RuneCountInString(text), "%q", text)
	if json.Valid([]byte(text)) {
		require.True(t, json.Valid([]byte(short)), "%q became %q", text, short)
	}
	again, _ = mask.Secrets(short, mask.Options{Limit: 1})
	require.Equal(t, short, again, "%q", text)
}

func TestFound_string(t *testing.T) {
	assert.Empty(t, mask.Found(nil).String())
	assert.Equal(t, "1 × JSON web token", mask.Found{"jwt": 1}.String())
	found := mask.Found{"password": 1, "github-token": 2, "private-key": 1, "of-a-later-release": 1}
	assert.Equal(t, "2 × GitHub token, 1 × of a later release, 1 × password, 1 × private key", found.String())
	assert.Equal(t, mask.Found{"jwt": 3, "cookie": 1}, mask.Found{"jwt": 1}.Plus(mask.Found{"jwt": 2, "cookie": 1}))
	assert.Nil(t, mask.Found(nil).Plus(nil))
}

func TestMarks(t *testing.T) {
	for text, want := range map[string][]string{
		"a [masked: jwt] b [masked: cookie]":                  {"[masked: jwt]", "[masked: cookie]"},
		"[masked: ] [masked: A] [masked: of-a-later-release]": {"[masked: of-a-later-release]"},
		"[masked: [masked: jwt][masked: jwt]":                 {"[masked: jwt]", "[masked: jwt]"},
		"[masked: jwt":                                        nil,
		"nothing":                                             nil,
	} {
		var found []string
		for _, at := range mask.Marks(text) {
			found = append(found, text[at[0]:at[1]])
		}
		assert.Equal(t, want, found, text)
	}
}

// Marks are written in full as long as the text stays within the limit.
func TestSecrets_limit(t *testing.T) {
	const text = "é password=hunter2"
	for limit, want := range map[int]string{
		0: "é password=[masked: password]", 29: "é password=[masked: password]", 28: "é password=***", 1: "é password=***",
	} {
		masked, found := mask.Secrets(text, mask.Options{Limit: limit})
		assert.Equal(t, want, masked, limit)
		assert.Equal(t, mask.Found{"password": 1}, found)
	}
}
