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
