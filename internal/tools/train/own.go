package main

import _ "embed"

// The registries have little code in some languages, and few logs. The texts in
// directory own were written for this program and are trained on too; none of
// them is in the tests.

var (
	//go:embed own/dart.txt
	ownDart string
	//go:embed own/julia.txt
	ownJulia string
	//go:embed own/text.txt
	ownText string
)

// ownWindows is the number of windows of each length from each of our own
// texts.
const ownWindows = 150

func own() (s samples) {
	for _, f := range []file{{"own", "dart.txt", "dart", ownDart}, {"own", "julia.txt", "julia", ownJulia}, {"own", "text.txt", "text", ownText}} {
		s.long = append(s.long, cut(f, ownWindows, 5, 30)...)
		s.short = append(s.short, cut(f, ownWindows, 2, 4)...)
	}
	return s
}
