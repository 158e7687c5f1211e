package seal_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/seal"
)

// vector is a case that the tests of the pages' script read too.
type vector struct {
	Name    string
	Kind    string // the kind to open it with
	Key     string
	Sealed  string
	Title   string
	Content string // content, if it opens
	Fails   bool

	Language string
}

// vectors.json was sealed by this package, or is damaged; webcrypto.json was
// sealed by a second implementation, webcrypto.mjs.
func TestOpen_vectors(t *testing.T) {
	for _, file := range []string{"vectors.json", "webcrypto.json"} {
		data, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		var all []vector
		require.NoError(t, json.Unmarshal(data, &all))
		require.GreaterOrEqual(t, len(all), 8)
		for _, v := range all {
			got, err := seal.Open(v.Kind, v.Sealed, v.Key)
			if v.Fails {
				assert.ErrorIs(t, err, seal.ErrKey, v.Name)
				assert.Empty(t, got, v.Name)
				continue
			}
			assert.NoError(t, err, v.Name)
			assert.Equal(t, seal.Share{Kind: v.Kind, Title: v.Title, Language: v.Language, Content: v.Content}, got, v.Name)
		}
	}
}

// The second implementation opens what this package seals, and refuses what it
// refuses.
func TestSeal_opensInWebCrypto(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	data, err := os.ReadFile("testdata/vectors.json")
	require.NoError(t, err)
	var all []map[string]any
	require.NoError(t, json.Unmarshal(data, &all))
	for _, s := range []seal.Share{
		{Kind: "log", Content: ""},
		{Kind: "log", Title: strings.Repeat("t", 1000), Content: strings.Repeat("03:00:01 INFO up\n", 10_000)},
		{Kind: "snippet", Title: "a\n\"<é>\u2028", Language: "go", Content: "\ufeffline\r\n\x00\n\u2028 🎉"},
	} {
		sealed, key, err := seal.Seal(s)
		require.NoError(t, err)
		all = append(all, map[string]any{"name": "sealed now", "kind": s.Kind, "key": key, "sealed": sealed, "title": s.Title, "language": s.Language, "content": s.Content})
	}
	vectors, err := json.Marshal(all)
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), node, "testdata/webcrypto.mjs", "open")
	command.Stdin = bytes.NewReader(vectors)
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func TestSeal_opensAgain(t *testing.T) {
	s := seal.Share{Kind: "snippet", Title: "a\n\"<é>", Language: "go", Content: "\ufeffline\r\n\x00\n 🎉"}
	first, firstKey, err := seal.Seal(s)
	require.NoError(t, err)
	second, secondKey, err := seal.Seal(s)
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	assert.NotEqual(t, firstKey, secondKey)
	assert.True(t, seal.Valid(first))
	got, err := seal.Open("snippet", first, firstKey)
	require.NoError(t, err)
	assert.Equal(t, s, got)
	_, err = seal.Open("snippet", first, secondKey)
	assert.ErrorIs(t, err, seal.ErrKey)
	for i := range len(first) {
		damaged := first[:i] + string(rune(first[i]^1)) + first[i+1:]
		_, err := seal.Open("snippet", damaged, firstKey)
		assert.ErrorIs(t, err, seal.ErrKey, i)
	}
}

func TestSeal_lengths(t *testing.T) {
	for _, points := range []int{1, 2, 3, 1000} {
		sealed, _, err := seal.Seal(seal.Share{Kind: "log", Title: strings.Repeat("\x01", 1000), Content: strings.Repeat("🎉", points)})
		require.NoError(t, err)
		assert.LessOrEqual(t, len(sealed), seal.MaxLength(points))
		assert.True(t, seal.Valid(sealed))
	}
}

func TestValid_refuses(t *testing.T) {
	for _, text := range []string{"", "devkiln1.", "devkiln1.AAAA", "AAAA", "devkiln2." + strings.Repeat("A", 80), "devkiln1." + strings.Repeat("A", 80) + "\n", "devkiln1." + strings.Repeat("=", 80)} {
		assert.False(t, seal.Valid(text), "%q", text)
	}
}

// Text that is not valid UTF-8 could not be opened again. No character may span
// two texts.
func TestSeal_refusesWhatIsNoUTF8(t *testing.T) {
	for _, s := range []seal.Share{{Content: "\xff"}, {Title: "\xff"}, {Language: "\xff"}, {Title: "\xc3", Content: "\xa4"}} {
		s.Kind = "log"
		sealed, key, err := seal.Seal(s)
		assert.EqualError(t, err, "seal: the title, the language and the content must be valid UTF-8", "%+q", s)
		assert.Empty(t, sealed+key)
	}
	_, _, err := seal.Seal(seal.Share{Kind: "Log", Content: "x"})
	assert.EqualError(t, err, `seal: the kind must be log or snippet, not "Log"`, "nobody could open it")
}
