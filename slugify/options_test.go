package slugify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/slugify"
)

func TestValidateNamesAllBadOptions(t *testing.T) {
	o := slugify.Options{Separator: new("/"), Language: "de--AT", MaxLength: -1}
	err := o.Validate()
	require.Error(t, err)
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok)
	var found []string
	for _, e := range joined.Unwrap() {
		var option *slugify.OptionError
		require.ErrorAs(t, e, &option)
		field, reason := option.Invalid()
		found = append(found, field+" "+reason)
		assert.Equal(t, option.Field+": "+option.Message, e.Error())
	}
	assert.Equal(t, []string{"separator not_one_of", "language invalid_format", "maxLength out_of_range"}, found)
}

func TestSeparatorsThatAreLegal(t *testing.T) {
	require.NoError(t, slugify.Options{Separator: new("")}.Validate())
	for _, s := range "-_.~!$&'()*+,;=:@" {
		assert.NoError(t, slugify.Options{Separator: new(string(s))}.Validate(), "%q", s)
	}
	for _, s := range []string{"--", "/", "?", "#", "%", " ", "a", "Z", "0", "é", "\x00", "\xff", "ß", "\""} {
		var option *slugify.OptionError
		err := slugify.Options{Separator: &s}.Validate()
		require.ErrorAs(t, err, &option, "%q", s)
		assert.Equal(t, "separator", option.Field)
	}
}
