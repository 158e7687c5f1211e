package language

import (
	_ "embed"
	"math"
	"slices"
)

// The classifier is a linear softmax over hashed features. weights holds, for
// each of Buckets features, one signed byte for each class; the program in
// internal/tools/train writes it and prints how well it does.

//go:embed weights.bin
var weights []byte

// classes are the languages of the classifier, in the order of their weights.
var classes = [...]string{
	"bash", "c", "c#", "c++", "css", "dart", "diff", "dockerfile", "elixir", "go", "haskell", "html", "java", "javascript", "json", "julia", "kotlin", "lua",
	"makefile", "markdown", "perl", "php", "powershell", "python", "r", "ruby", "rust", "scala", "sql", "swift", "text", "toml", "typescript", "xml", "yaml", "zig",
}

const (
	// ClassifierRead is the number of bytes of a text that the classifier
	// reads: enough to be sure, few enough to stay fast.
	ClassifierRead = 4 << 10
	// weightScale is the value of a weight of 1, before division by the
	// square root of the number of features.
	weightScale = 1.0 / 16
)

// Classes returns the languages that the classifier distinguishes, in the order
// of their weights.
func Classes() []string { return slices.Clone(classes[:]) }

// almost is the highest probability that classify returns: only a rule is
// certain.
const almost = 0.999

// classify returns the most probable class of a text and its probability.
func classify(code string) (name string, probability float64) {
	var room [MaxFeatures]uint16
	features := AppendFeatures(room[:0], code[:min(len(code), ClassifierRead)])
	if len(features) == 0 {
		return Text, 0
	}
	sums := sum(features)
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
	return classes[best], min(1/total, almost)
}

// sum adds up the weights of the features for each class.
func sum(features []uint16) (sums [len(classes)]int32) {
	for _, f := range features {
		for c, weight := range weights[int(f)*len(classes):][:len(classes)] {
			sums[c] += int32(int8(weight))
		}
	}
	return sums
}
