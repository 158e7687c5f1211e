package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/devkiln/devkiln/share/logs"
)

// writeReport writes what failed in a format for programs.
func writeReport(p process, format string, r logs.Report) error {
	switch format {
	case "github":
		return writeAnnotations(p.stdout, r)
	case "sarif":
		return p.json(sarifOf(r))
	case "junit":
		_, err := io.WriteString(p.stdout, xml.Header)
		if err == nil {
			e := xml.NewEncoder(p.stdout)
			e.Indent("", "  ")
			err = e.Encode(junitOf(r))
		}
		if err == nil {
			_, err = fmt.Fprintln(p.stdout)
		}
		return err
	default:
		return p.json(struct {
			Sentence string         `json:"sentence"`
			Failures []logs.Failure `json:"failures"`
			Report   logs.Report    `json:"report"`
		}{r.Sentence(), r.Failures, r})
	}
}

// writeAnnotations writes workflow commands of GitHub Actions (GitHub docs,
// "Workflow commands for GitHub Actions", section "Setting an error message").
func writeAnnotations(w io.Writer, r logs.Report) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range r.Failures {
		var properties []string
		add := func(name, value string) {
			if value != "" && value != "0" {
				properties = append(properties, name+"="+property.Replace(value))
			}
		}
		add("file", f.File)
		add("line", strconv.Itoa(f.Line))
		add("col", strconv.Itoa(f.Column))
		add("title", f.Name)
		if _, err := fmt.Fprintf(w, "::error %s::%s\n", strings.Join(properties, ","), data.Replace(cmp.Or(f.Reason(), f.Name))); err != nil {
			return err
		}
	}
	return nil
}

// The parts of SARIF 2.1.0 (OASIS) that describe a failure.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"driver"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId,omitempty"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

func sarifOf(r logs.Report) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver.Name, run.Tool.Driver.Version = "devkiln", version()
	for _, f := range r.Failures {
		result := sarifResult{Level: "error", Message: sarifText{cmp.Or(f.Reason(), f.Name, r.Sentence())}, Locations: []sarifLocation{}}
		if f.Kind == "lint" || f.Kind == "compile" {
			result.RuleID = f.Name
		} else if f.Name != "" {
			result.Message.Text = f.Name + ": " + result.Message.Text
		}
		if f.File != "" {
			var place sarifPlace
			place.Artifact.URI = strings.TrimPrefix(filepath.ToSlash(f.File), "./")
			if f.Line > 0 {
				place.Region = &sarifRegion{f.Line, f.Column}
			}
			result.Locations = append(result.Locations, sarifLocation{place})
		}
		run.Results = append(run.Results, result)
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

// The elements of JUnit's XML that programs read: a suite, and a case for each
// failure. Tests that passed have no name in a log.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Seconds  string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string `xml:"classname,attr"`
		Name    string `xml:"name,attr"`
		File    string `xml:"file,attr,omitempty"`
		Line    int    `xml:"line,attr,omitempty"`
		Failure struct {
			Message string `xml:"message,attr"`
			Type    string `xml:"type,attr"`
			Text    string `xml:",chardata"`
		} `xml:"failure"`
	}
)

func junitOf(r logs.Report) junitSuite {
	failed := max(r.Failed, len(r.Failures)+r.Omitted)
	s := junitSuite{Name: "devkiln", Tests: failed + r.Passed + r.Skipped, Failures: failed, Skipped: r.Skipped, Seconds: fmt.Sprintf("%.3f", r.Duration.Seconds())}
	for _, f := range r.Failures {
		c := junitCase{Class: cmp.Or(f.Tool, f.Kind), Name: cmp.Or(f.Name, f.Place(), f.Kind), File: f.File, Line: f.Line}
		c.Failure.Message, c.Failure.Type, c.Failure.Text = f.Reason(), f.Kind, strings.TrimSpace(f.Place()+"\n"+f.Message)
		s.Cases = append(s.Cases, c)
	}
	return s
}
