package main

import (
	"cmp"
	"embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/devkiln/devkiln/internal/terminal"
	"github.com/devkiln/devkiln/share/logs"
)

// maxAnalyzed limits the bytes of a log that are read into memory.
const maxAnalyzed = 256 << 20

var wholeLog = limit{maxAnalyzed, "256 MiB", false}

// analyzeCmd summarizes a log.
type analyzeCmd struct {
	File   string  `arg:"" optional:"" help:"The log; - or no argument means standard input. At most 256 MiB."`
	JSON   bool    `name:"json" xor:"as" help:"Print the summary with all failures and groups as JSON."`
	Format *string `xor:"as" placeholder:"FORMAT" enum:"json,github,sarif,junit" help:"Print what failed for a program: json, github (annotations of GitHub Actions), sarif or junit."`
	Fail   bool    `help:"Exit with 1 if anything failed."`
}

// Run prints the summary.
func (c analyzeCmd) Run(p process) error {
	log, err := readText(p, c.File, wholeLog)
	if err != nil {
		return err
	}
	summary := logs.Summarize(log, logs.Options{Now: time.Now()})
	switch {
	case c.JSON:
		err = p.json(summary)
	case c.Format != nil:
		err = writeReport(p, *c.Format, summary.Report)
	default:
		_, err = io.WriteString(p.stdout, terminal.Visible(summary.String())+groupsText("\n", summary.Groups))
	}
	if err == nil && c.Fail && len(summary.Report.Failures) > 0 {
		return errors.New(summary.Report.Sentence())
	}
	return err
}

// groupsText returns the first 20 groups of errors and warnings under a title, if there are
// any.
func groupsText(title string, groups []logs.Group) string {
	var b strings.Builder
	for i, g := range groups {
		if g.Level < logs.LevelWarning || i == 20 {
			break
		}
		fmt.Fprintf(&b, "%s%v × %d · L%d to L%d · %s\n", title, g.Level, g.Count, g.First, g.Last, terminal.Visible(g.Shape))
		title = ""
	}
	return b.String()
}

// compareCmd compares two logs.
type compareCmd struct {
	Earlier string `arg:"" help:"The earlier log, such as the log of a build that passed; - means standard input. At most 256 MiB."`
	Later   string `arg:"" help:"The later log; - means standard input."`
	JSON    bool   `name:"json" xor:"as" help:"Print all groups that differ as JSON."`
	Unified bool   `short:"u" xor:"as" help:"Print the lines that differ, as diff -u does."`
}

// Run prints what is new and what is gone.
func (c compareCmd) Run(p process) error {
	if c.Earlier == "-" && c.Later == "-" {
		return usageError{errors.New("only one of the logs can be standard input")}
	}
	earlier, err := readText(p, c.Earlier, wholeLog)
	if err != nil {
		return err
	}
	later, err := readText(p, c.Later, wholeLog)
	if err != nil {
		return err
	}
	if c.Unified { // with 3 lines around differences
		return p.print("%s", terminal.Visible(logs.Unified(logs.Diff(earlier, later), 3)))
	}
	difference := logs.Compare(earlier, later)
	if c.JSON {
		return p.json(difference)
	}
	return p.print("%s%s%d new, %d gone, %d more or less often, %d the same\n",
		groupsText("New:\n", difference.Added), groupsText("Gone:\n", difference.Gone), len(difference.Added), len(difference.Gone), len(difference.Changed), difference.Same)
}

// reports are templates of what failed, for programs:
//
//	github  workflow commands of GitHub Actions (GitHub docs, "Workflow
//	        commands for GitHub Actions", "Setting an error message")
//	junit   a suite with a case for each failure; tests that passed have no
//	        name in a log
//	sarif   the part of SARIF 2.1.0 (OASIS) that describes a failure with a
//	        place: GitHub's code scanning refuses a whole file for one without
//
//go:embed reports
var reports embed.FS

// A failureReport is what the templates show.
type failureReport struct{ logs.Report }

// Failed returns the number of failures, also of those that the log only counts.
func (r failureReport) Failed() int { return max(r.Report.Failed, len(r.Failures)+r.Omitted) }

// Tests returns the number of tests.
func (r failureReport) Tests() int { return r.Failed() + r.Passed + r.Skipped }

// Located returns the failures that have a place in the source.
func (r failureReport) Located() []logs.Failure {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f logs.Failure) bool { return f.File == "" })
}

// Rules returns the first failure of each rule among those that have a place.
func (r failureReport) Rules() (first []logs.Failure) {
	seen := make(map[string]bool)
	for _, f := range r.Located() {
		if !seen[ruleID(f)] {
			seen[ruleID(f)], first = true, append(first, f)
		}
	}
	return first
}

// isRule reports whether the name of a failure is that of a rule.
func isRule(f logs.Failure) bool { return f.Kind == "lint" || f.Kind == "compile" }

// ruleID returns what is the same of a failure in every run of a tool.
func ruleID(f logs.Failure) string {
	if isRule(f) && f.Name != "" {
		return f.Name
	}
	return cmp.Or(f.Tool, "log") + "/" + f.Kind
}

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
		"rule":     isRule,
		"ruleID":   ruleID,
		"uri": func(file string) string {
			return (&url.URL{Path: strings.TrimPrefix(filepath.ToSlash(file), "./")}).EscapedPath()
		},
		"trim": strings.TrimSpace,
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
