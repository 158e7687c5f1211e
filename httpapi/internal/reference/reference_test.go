package reference_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/reference"
	"github.com/devkiln/devkiln/httpapi/openapi"
)

// The document of the API can be shown; if not, this is the test that says why.
func TestNew_ownDocument(t *testing.T) {
	_, err := reference.New(openapi.JSON())
	require.NoError(t, err)
}

func TestNew_membersOfAnyName(t *testing.T) {
	const from = `"Failure":{"type":"object","additionalProperties":`
	require.Contains(t, openapi.JSON(), from+"false")
	ref, err := reference.New(strings.Replace(openapi.JSON(), from+"false", from+`{"type":"integer","description":"a count"}`, 1))
	require.NoError(t, err)
	fields := ref.Failure.Fields
	each := fields[len(fields)-1]
	assert.Equal(t, []string{"any other name", "integer", "a count"}, []string{each.Name, each.Type, each.Text})
}

// Anything in a document that the page cannot show or resolve is an error that
// names it.
func TestNew_documentThatCannotBeShown(t *testing.T) {
	data, err := os.ReadFile("testdata/faults.json")
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var table []struct{ From, To, Error string }
	require.NoError(t, d.Decode(&table))
	for _, c := range table {
		require.Contains(t, openapi.JSON(), c.From)
		_, err := reference.New(strings.Replace(openapi.JSON(), c.From, c.To, 1))
		assert.ErrorContains(t, err, c.Error, c.To)
	}
}
