package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share/logs"
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

	out, _, err = piped(t, none, failedTests, "analyze", "--json", "--fail")
	require.ErrorContains(t, err, "1 of 2 tests failed: TestCheckout")
	var summary logs.Summary
	require.NoError(t, json.Unmarshal([]byte(out), &summary))
	assert.Equal(t, "500", summary.Report.Failures[0].Actual)
	assert.Equal(t, 1, summary.Report.Passed)
	assert.Contains(t, out, `"sentence":"1 of 2 tests failed: TestCheckout · checkout_test.go:41 · expected 200, actual 500"`)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=json")
	require.NoError(t, err)
	var report struct{ Failures []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	assert.Equal(t, "TestCheckout", report.Failures[0].Name)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=sarif")
	require.NoError(t, err)
	assert.JSONEq(t, `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
		"tool": {"driver": {"name": "devkiln", "version": "`+version()+`", "informationUri": "https://github.com/devkiln/devkiln", "rules": [{"id": "go/test",
			"shortDescription": {"text": "go: test"}, "fullDescription": {"text": "go: test"}, "help": {"text": "go: test"}}]}},
		"results": [{"ruleId": "go/test", "level": "error", "message": {"text": "TestCheckout: expected 200, actual 500"}, "locations": [{"physicalLocation": {
			"artifactLocation": {"uri": "checkout_test.go"}, "region": {"startLine": 41}}}]}]}]}`, out)

	out, _, err = piped(t, none, failedTests, "analyze", "--format=junit")
	require.NoError(t, err)
	assert.Equal(t, `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="devkiln" tests="2" failures="1" skipped="0" time="0.000">
  <testcase classname="go" name="TestCheckout" file="checkout_test.go" line="41">
    <failure message="expected 200, actual 500" type="test">checkout_test.go:41&#xA;expected 200, actual 500</failure>
  </testcase>
</testsuite>
`, out)

	_, _, err = piped(t, none, "all is well\n", "analyze", "--fail")
	require.NoError(t, err)
}

// Failures without a place, and with characters that the formats reserve.
func TestAnalyze_formatsOfAnyFailure(t *testing.T) {
	t.Parallel()
	failures := []logs.Failure{
		{Kind: "lint", Name: "a<b>,:%", File: "./x,y.go", Line: 3, Column: 7, Message: "\"<&\x01\n"},
		{Kind: "lint", Name: "a<b>,:%", File: "./x,y.go", Line: 8},
		{Kind: "test", Tool: "jest", File: "a b.js"},
		{Kind: "process", Message: "killed"},
		{Kind: "step", Name: "build"},
	}
	for format, check := range map[string]func(string){
		"github": func(out string) {
			assert.Equal(t, "::error file=./x%2Cy.go,line=3,col=7,title=a<b>%2C%3A%25::\"<&\x01%0A\n::error file=./x%2Cy.go,line=8,title=a<b>%2C%3A%25::a<b>,:%25\n::error file=a b.js::\n::error ::killed\n::error title=build::build\n", out)
		},
		"sarif": func(out string) {
			var all struct {
				Runs []struct {
					Tool struct {
						Driver struct{ Rules []struct{ ID string } }
					}
					Results []struct {
						RuleID    string
						Locations []struct {
							PhysicalLocation struct {
								ArtifactLocation struct{ URI string }
								Region           struct{ StartLine int }
							}
						}
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(out), &all))
			assert.Equal(t, []struct{ ID string }{{"a<b>,:%"}, {"jest/test"}}, all.Runs[0].Tool.Driver.Rules)
			want := []string{"a<b>,:% x,y.go 3", "a<b>,:% x,y.go 8", "jest/test a%20b.js 1"} // code scanning refuses a result without a place
			require.Len(t, all.Runs[0].Results, len(want))
			for i, r := range all.Runs[0].Results {
				require.Len(t, r.Locations, 1)
				place := r.Locations[0].PhysicalLocation
				assert.Equal(t, want[i], fmt.Sprint(r.RuleID, " ", place.ArtifactLocation.URI, " ", place.Region.StartLine))
			}
		},
		"junit": func(out string) {
			var suite struct {
				Cases []struct {
					Name string `xml:"name,attr"`
				} `xml:"testcase"`
			}
			require.NoError(t, xml.Unmarshal([]byte(out), &suite))
			assert.Len(t, suite.Cases, 5)
		},
	} {
		var out output
		require.NoError(t, writeReport(process{stdout: &out}, format, logs.Report{Failures: failures}))
		check(out.String())
	}
}
