package slugify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/invalid"
	"github.com/devkiln/devkiln/slugify"
)

func TestValidate(t *testing.T) {
	var cases []struct {
		Options slugify.Options `json:"options"`
		Faults  []string        `json:"faults"` // all, each a field and a reason
	}
	decodeFile(t, "testdata/validate.json", &cases)
	for _, c := range cases {
		faults := []string{}
		err := c.Options.Validate()
		if err != nil {
			joined, ok := err.(interface{ Unwrap() []error })
			require.True(t, ok)
			for _, e := range joined.Unwrap() {
				var option *invalid.Fault
				require.ErrorAs(t, e, &option)
				field, reason := option.Invalid()
				faults = append(faults, field+" "+reason)
				assert.Equal(t, field+": "+option.Message, e.Error())
				assert.NotEmpty(t, option.Message)
			}
		}
		assert.Equal(t, c.Faults, faults, "%+v", c.Options)
	}
}

// Every function that takes options refuses invalid ones, whatever the text,
// and Is reports false.
func TestMake_illegalOptions(t *testing.T) {
	for name, o := range map[string]slugify.Options{
		"separator":  {Separator: new("/")},
		"language":   {Language: "german"},
		"maxLength":  {MaxLength: -1},
		"preserve":   {Preserve: "a"},
		"fallback":   {Fallback: "!"},
		"replace[a]": {Replace: map[string]string{"a": ""}},
	} {
		for _, text := range []string{"", "a", "Ärger"} {
			slug, err := slugify.Make(text, o)
			assert.Empty(t, slug)
			assert.ErrorContains(t, err, name+": ")
			out, err := slugify.Append([]byte("x"), text, o)
			assert.Equal(t, "x", string(out))
			assert.ErrorContains(t, err, name+": ")
			assert.False(t, slugify.Is(text, o))
		}
		_, err := slugify.NewMaker(o)
		assert.ErrorContains(t, err, name+": ")
		_, err = slugify.NewSet(o)
		assert.ErrorContains(t, err, name+": ")
	}
	_, err := slugify.Unique("a", func(string) bool { return false }, slugify.Options{Separator: new("/"), MaxLength: -1})
	assert.ErrorContains(t, err, "separator: ")
	assert.ErrorContains(t, err, "maxLength: ")
}

func TestIs(t *testing.T) {
	for _, slug := range []string{"a", "0", "a-b", "hello-world-2", "a-1-b"} {
		assert.True(t, slugify.Is(slug, slugify.Options{}), "%q", slug)
	}
	for _, text := range []string{"", "-", "-a", "a-", "a--b", "a_b", "A", "é", "a b", "a\x00", "\x00", "a&b", "a'b", "ab\n"} {
		assert.False(t, slugify.Is(text, slugify.Options{}), "%q", text)
	}
	assert.True(t, slugify.Is("A-b", slugify.Options{KeepCase: true}))
	assert.True(t, slugify.Is("abc", slugify.Options{MaxLength: 3}))
	assert.False(t, slugify.Is("abcd", slugify.Options{MaxLength: 3}))
	assert.True(t, slugify.Is("a&b", slugify.Options{Separator: new("&")}))
	assert.False(t, slugify.Is("a-b", slugify.Options{Separator: new("")}))
	assert.False(t, slugify.Is("the-cat", slugify.Options{StopWords: []string{"the"}}))
	assert.False(t, slugify.Is("sea", slugify.Options{Replace: map[string]string{"sea": "ocean"}}))
	assert.True(t, slugify.Is("été", slugify.Options{Unicode: true}))
	assert.False(t, slugify.Is("e\u0301te\u0301", slugify.Options{Unicode: true}))
	assert.True(t, slugify.Is("v1.5", slugify.Options{Preserve: "."}))
	assert.False(t, slugify.Is("", slugify.Options{Unicode: true}))
}
