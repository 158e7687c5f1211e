package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
)

// A comparison is one row of expected.json.
type comparison struct {
	Subject string `json:"subject"` // the heading in the document
	What    string `json:"what"`    // what both benchmarks do
	Peer    string `json:"peer"`    // module or name of the peer
	Ours    string `json:"ours"`    // Devkiln's benchmark, without "Benchmark"
	// Theirs is the peer's benchmark. If empty, Unit is a metric of Ours that
	// is itself the ratio.
	Theirs string  `json:"theirs,omitempty"`
	Unit   string  `json:"unit"` // sec/op, where less is better, or a metric, where more is
	Short  bool    `json:"short,omitempty"`
	Ratio  float64 `json:"ratio"` // expected factor by which ours is better
}

func load(file string) ([]comparison, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var comparisons []comparison
	if err := decoder.Decode(&comparisons); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return comparisons, nil
}

func save(file string, comparisons []comparison) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(comparisons); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

func onlyShort(comparisons []comparison) []comparison {
	return slices.DeleteFunc(slices.Clone(comparisons), func(c comparison) bool { return !c.Short })
}

// values are the measurements of one round, by benchmark and unit.
type values map[string]map[string]float64

// A row is a comparison and the medians of its measurements.
type row struct {
	comparison

	Ratio, Least, Most float64
	OurValue           float64
	TheirValue         float64 // zero if the ratio itself is measured
}

// compare returns a row for each comparison. A benchmark that did not run,
// because it was skipped for example, is an error.
func compare(comparisons []comparison, rounds []values) ([]row, error) {
	var rows []row
	var errs []error
	for _, c := range comparisons {
		var ratios, ours, theirs []float64
		for _, round := range rounds {
			our, found := round[c.Ours][c.Unit]
			their, foundTheirs := round[c.Theirs][c.Unit]
			if !found || c.Theirs != "" && !foundTheirs {
				errs = append(errs, fmt.Errorf("%s: %s: %q or %q did not run, or have no %s", c.Subject, c.What, c.Ours, c.Theirs, c.Unit))
				break
			}
			ours, theirs, ratios = append(ours, our), append(theirs, their), append(ratios, c.ratio(our, their))
		}
		if len(ratios) == len(rounds) {
			rows = append(rows, row{c, median(ratios), slices.Min(ratios), slices.Max(ratios), median(ours), median(theirs)})
		}
	}
	return rows, errors.Join(errs...)
}

// ratio returns the factor by which our value is better.
func (c comparison) ratio(ours, theirs float64) float64 {
	switch {
	case c.Theirs == "":
		return ours
	case c.Unit == "sec/op":
		return theirs / ours
	default:
		return ours / theirs
	}
}

// median returns the median of values, the higher one of two.
func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// rounded returns value with three significant digits.
func rounded(value float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 3, 64), 64) // text that FormatFloat wrote
	return short
}

// check prints each ratio beside the expected one, and returns an error if one
// is below nine tenths of it in every round: a regression lowers all of them,
// other work on the machine only some.
func check(logger *log.Logger, rows []row) error {
	var errs []error
	for _, r := range rows {
		logger.Printf("%-10s %-44s %8.3g (%.3g to %.3g), expected %8.3g", r.Subject, r.What, r.Ratio, r.Least, r.Most, r.comparison.Ratio)
		if r.Most < 0.9*r.comparison.Ratio {
			errs = append(errs, fmt.Errorf("%s: %s: at most %.3g times as good as %s, expected %.3g", r.Subject, r.What, r.Most, r.Peer, r.comparison.Ratio))
		}
	}
	return errors.Join(errs...)
}
