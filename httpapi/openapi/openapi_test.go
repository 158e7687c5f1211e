package openapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/devkiln/devkiln/httpapi/openapi"
)

func TestJSON_equalsTheYAML(t *testing.T) {
	var fromYAML any
	require.NoError(t, yaml.Unmarshal([]byte(openapi.YAML()), &fromYAML))
	want, err := json.Marshal(fromYAML)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), openapi.JSON())
}

// Whoever shows the document shows fields in the order in which they were
// written, not in that of the alphabet.
func TestJSON_orderOfTheYAML(t *testing.T) {
	assert.Regexp(t, `"GradientRequest":\{.*"properties":\{"colors":\{.*"type":\{.*"angle":\{.*"positions":\{`, openapi.JSON())
	assert.True(t, strings.HasPrefix(openapi.JSON(), `{"openapi":"3.1.1","info":{"title":"Devkiln",`), "%.60s", openapi.JSON())
}
