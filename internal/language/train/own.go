package main

import _ "embed"

// The registries carry little code in some languages, and few logs. What is
// in directory own was written for this program and teaches beside the sources;
// nothing of it is in the tests.

var (
	//go:embed own/dart.txt
	ownDart string
	//go:embed own/julia.txt
	ownJulia string
	//go:embed own/text.txt
	ownText string
)

// ownWindows is how many windows of each length a text of our own gives.
const ownWindows = 150

func own() (s samples) {
	for _, f := range []file{{"own", "dart.txt", "dart", ownDart}, {"own", "julia.txt", "julia", ownJulia}, {"own", "text.txt", "text", ownText}} {
		s.long = append(s.long, cut(f, ownWindows, 5, 30)...)
		s.short = append(s.short, cut(f, ownWindows, 2, 4)...)
	}
	return s
}
