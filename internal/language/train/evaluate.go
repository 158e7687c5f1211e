package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/devkiln/devkiln/internal/language"
)

// score counts what detection made of the windows of one class.
type score struct {
	windows, right int
	mistakes       map[string]int
}

// evaluate has package language detect every window, with the weights and the
// rules that it was built with, and returns a line for each class and the
// average over the classes, each of which counts the same.
func evaluate(title string, windows []window) string {
	scores := map[string]*score{}
	sure, sureRight, ruled, ruledRight := 0, 0, 0, 0
	for _, w := range windows {
		s := scores[w.language]
		if s == nil {
			s = &score{mistakes: map[string]int{}}
			scores[w.language] = s
		}
		name, confidence := language.Guess(w.text)
		right := 0
		if name == w.language {
			right = 1
		} else {
			s.mistakes[name]++
		}
		s.windows++
		s.right += right
		if confidence >= 0.5 {
			sure++
			sureRight += right
		}
		if confidence == 1 {
			ruled++
			ruledRight += right
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d windows\n", title, len(windows))
	sum := 0.0
	for _, class := range language.Classes() {
		s := scores[class]
		if s == nil {
			fmt.Fprintf(&b, "  %-11s no windows\n", class)
			continue
		}
		share := float64(s.right) / float64(s.windows)
		sum += share
		fmt.Fprintf(&b, "  %-11s %5.1f%% of %4d%s\n", class, 100*share, s.windows, worst(s.mistakes))
	}
	fmt.Fprintf(&b, "  average %.1f%%; confidence of 0.5 and more: %.1f%% of the windows, %.1f%% of them right; a rule decided %d, %d of them right\n",
		100*sum/float64(len(scores)), percent(sure, len(windows)), percent(sureRight, sure), ruled, ruledRight)
	return b.String()
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(whole, 1)) }

// worst names the three most frequent mistakes.
func worst(mistakes map[string]int) string {
	names := make([]string, 0, len(mistakes))
	for name := range mistakes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if mistakes[a] != mistakes[b] {
			return mistakes[b] - mistakes[a]
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for _, name := range names[:min(3, len(names))] {
		fmt.Fprintf(&b, "  %s %d", name, mistakes[name])
	}
	return b.String()
}
