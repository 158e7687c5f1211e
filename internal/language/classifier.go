package language

import (
	_ "embed"
	"math"
	"slices"
)

// The classifier is a linear softmax over hashed features. weights holds, for
// each of Buckets features, one signed byte for each class; the program in
// directory train writes it and prints how well it does.

//go:embed weights.bin
var weights string

// classes are the languages of the classifier, in the order of their weights.
var classes = [...]string{
	"bash", "c", "c#", "c++", "css", "dart", "diff", "dockerfile", "elixir", "go", "haskell", "html", "java", "javascript", "json", "julia", "kotlin", "lua",
	"makefile", "markdown", "perl", "php", "powershell", "python", "r", "ruby", "rust", "scala", "sql", "swift", "text", "toml", "typescript", "xml", "yaml", "zig",
}

const (
	// ClassifierRead is how many bytes of a text the classifier reads: enough to
	// be sure, few enough to stay fast.
	ClassifierRead = 4 << 10
	// weightScale is what a weight of 1 is worth before it is divided by the
	// square root of the number of features.
	weightScale = 1.0 / 16
)

// Classes returns the languages that the classifier tells apart, in the order
// of their weights.
func Classes() []string { return slices.Clone(classes[:]) }

// classify returns the most probable class of a text and its probability.
func classify(code string) (name string, probability float64) {
	var room [MaxFeatures]uint16
	features := AppendFeatures(room[:0], code[:min(len(code), ClassifierRead)])
	if len(features) == 0 {
		return Text, 0
	}
	var sums [len(classes)]int32
	for _, f := range features {
		row := weights[int(f)*len(classes):][:len(classes)]
		for c := range sums {
			sums[c] += int32(int8(row[c]))
		}
	}
	best := 0
	for c := range sums {
		if sums[c] > sums[best] {
			best = c
		}
	}
	scale := weightScale / math.Sqrt(float64(len(features)))
	total := 0.0
	for _, s := range sums {
		total += math.Exp(scale * float64(s-sums[best]))
	}
	return classes[best], 1 / total
}
