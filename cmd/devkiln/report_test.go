package main

import (
	"encoding/json"
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const failedTests = `--- PASS: TestCart (0.00s)
--- FAIL: TestCheckout (0.02s)
    checkout_test.go:41: expected 200, actual 500
FAIL	example.com/shop/checkout	0.024s
`

func TestAnalyze_formats(t *testing.T) {
	t.Parallel()
	out, _, err := piped(t, none, failedTests, "analyze")
	require.NoError(t, err)
	assert.Regexp(t, `^1 of 2 tests failed: TestCheckout · checkout_test.go:41 · expected 200, actual 500\n`, out)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=github")
	require.NoError(t, err)
	assert.Equal(t, "::error file=checkout_test.go,line=41,title=TestCheckout::expected 200, actual 500\n", out)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=json", "--fail")
	require.ErrorContains(t, err, "1 of 2 tests failed: TestCheckout")
	var report struct {
		Sentence string
		Failures []struct{ Name, Expected, Actual string }
		Report   struct{ Passed, Failed int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	assert.Equal(t, "500", report.Failures[0].Actual)
	assert.Equal(t, 1, report.Report.Passed)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=sarif")
	require.NoError(t, err)
	var sarif sarifLog
	require.NoError(t, json.Unmarshal([]byte(out), &sarif))
	result := sarif.Runs[0].Results[0]
	assert.Equal(t, "TestCheckout: expected 200, actual 500", result.Message.Text)
	assert.Equal(t, "checkout_test.go", result.Locations[0].Physical.Artifact.URI)
	assert.Equal(t, 41, result.Locations[0].Physical.Region.StartLine)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=junit")
	require.NoError(t, err)
	var suite junitSuite
	require.NoError(t, xml.Unmarshal([]byte(out), &suite))
	assert.Equal(t, 2, suite.Tests)
	assert.Equal(t, "TestCheckout", suite.Cases[0].Name)
	assert.Equal(t, "test", suite.Cases[0].Failure.Type)

	_, _, err = piped(t, none, "all is well\n", "analyze", "--fail")
	require.NoError(t, err)
}
