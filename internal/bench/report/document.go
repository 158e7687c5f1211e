package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/perf/benchunit"
)

//go:embed document.md.tmpl
var documentText string

// A section is the rows of one subject.
type section struct {
	Subject string
	Rows    []row
}

// sections groups adjacent rows of the same subject.
func sections(rows []row) []section {
	var all []section
	for _, r := range rows {
		if len(all) == 0 || all[len(all)-1].Subject != r.Subject {
			all = append(all, section{Subject: r.Subject})
		}
		last := &all[len(all)-1]
		last.Rows = append(last.Rows, r)
	}
	return all
}

// Verdict returns the ratio in words, which say so if the peer is better.
func (r row) Verdict() string {
	if r.Ratio < 1 {
		return fmt.Sprintf("%.3g, **the peer is better**", r.Ratio)
	}
	return fmt.Sprintf("%.3g", r.Ratio)
}

// Value returns a measured value with its unit, or a dash for zero.
func (r row) Value(v float64) string {
	if v == 0 || r.Theirs == "" {
		return "–"
	}
	unit := strings.TrimPrefix(r.Unit, "sec/op")
	if unit == "" {
		unit = "s"
	}
	scaled := benchunit.Scale(v, benchunit.ClassOf(r.Unit)) // 2.000µ
	number := strings.TrimRight(scaled, "pnµmkMGT")
	return number + " " + scaled[len(number):] + unit
}

// Version returns the version of the peer for the document.
func (m machine) Version(peer string) string {
	return strings.TrimSpace(peer + " " + m.Versions[peer])
}

// writeDocument writes the document for the measurements.
func writeDocument(file string, m machine, rows []row) error {
	page, err := template.New("document").Parse(documentText)
	if err != nil {
		return err
	}
	var peers []string
	for _, r := range rows {
		if name := m.Version(r.Peer); !slices.Contains(peers, name) {
			peers = append(peers, name)
		}
	}
	slices.Sort(peers)
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{"Machine": m, "Peers": strings.Join(peers, ", "), "Sections": sections(rows)})
	if err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
