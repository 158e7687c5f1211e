package main

import (
	"embed"
	"encoding/json"
	"encoding/xml"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/devkiln/devkiln/share/logs"
)

// reports are templates of what failed, for programs:
//
//	github  workflow commands of GitHub Actions (GitHub docs, "Workflow
//	        commands for GitHub Actions", "Setting an error message")
//	junit   a suite with a case for each failure; tests that passed have no
//	        name in a log
//	sarif   the part of SARIF 2.1.0 (OASIS) that describes a failure
//
//go:embed reports
var reports embed.FS

// A failureReport is what the templates show.
type failureReport struct{ logs.Report }

// Failed returns the number of failures, also of those that the log only counts.
func (r failureReport) Failed() int { return max(r.Report.Failed, len(r.Failures)+r.Omitted) }

// Tests returns the number of tests.
func (r failureReport) Tests() int { return r.Failed() + r.Passed + r.Skipped }

// Version returns the version of the program.
func (failureReport) Version() string { return version() }

// writeReport writes what failed in a format for programs.
func writeReport(p process, format string, r logs.Report) error {
	if format == "json" {
		return p.json(struct {
			Sentence string         `json:"sentence"`
			Failures []logs.Failure `json:"failures"`
			Report   logs.Report    `json:"report"`
		}{r.Sentence(), r.Failures, r})
	}
	data := []string{"%", "%25", "\r", "%0D", "\n", "%0A"}
	all, err := template.New("").Funcs(template.FuncMap{
		"data":     strings.NewReplacer(data...).Replace,
		"property": strings.NewReplacer(append(data, ":", "%3A", ",", "%2C")...).Replace,
		"rule":     func(f logs.Failure) bool { return f.Kind == "lint" || f.Kind == "compile" },
		"uri":      func(file string) string { return strings.TrimPrefix(filepath.ToSlash(file), "./") },
		"trim":     strings.TrimSpace,
		"json": func(text string) (string, error) {
			quoted, err := json.Marshal(text)
			return string(quoted), err
		},
		"xml": func(text string) (string, error) {
			var escaped strings.Builder
			err := xml.EscapeText(&escaped, []byte(text))
			return escaped.String(), err
		},
	}).ParseFS(reports, "reports/*")
	if err != nil {
		return err
	}
	return all.ExecuteTemplate(p.stdout, format+".tmpl", failureReport{r})
}
