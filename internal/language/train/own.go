package main

import (
	"embed"
	"path"
	"strings"
)

// The registries carry little code in some languages, and few logs. What is
// in directory own was written for this program and teaches beside the sources;
// nothing of it is in the tests.
//
//go:embed own/*.txt
var ownFiles embed.FS

// ownWindows is how many windows of each length a file of our own gives.
const ownWindows = 150

func own() (samples, error) {
	entries, err := ownFiles.ReadDir("own")
	if err != nil {
		return samples{}, err
	}
	var s samples
	for _, entry := range entries {
		text, err := ownFiles.ReadFile(path.Join("own", entry.Name()))
		if err != nil {
			return samples{}, err
		}
		f := file{"own", entry.Name(), strings.TrimSuffix(entry.Name(), ".txt"), string(text)}
		s.long = append(s.long, cut(f, ownWindows, 5, 30)...)
		s.short = append(s.short, cut(f, ownWindows, 2, 4)...)
	}
	return s, nil
}
