package main

import (
	_ "embed"
	"slices"
	"strings"
)

// source is one package of a registry, pinned by its checksum.
type source struct {
	Registry string // go, npm or debian
	Name     string
	Version  string
	Licence  string // SPDX
	Split    string // train or test
	SHA256   string // of the archive: the module's zip, the package's tgz, the .orig.tar
	Only     []string
}

// teaches reports whether files of this class are used from the source.
func (s source) teaches(class string) bool {
	return len(s.Only) == 0 || slices.Contains(s.Only, class)
}

//go:embed sources.txt
var manifest string

// sources parses the manifest: a line per source, with its fields in the order
// of the struct, separated by blanks. The last field, a list of classes
// separated by commas, may be missing. Lines that start with # are skipped.
func sources() []source {
	var all []source
	for line := range strings.Lines(manifest) {
		f := append(strings.Fields(line), "")
		if f[0] == "#" || f[0] == "" {
			continue
		}
		only := strings.FieldsFunc(f[6], func(c rune) bool { return c == ',' })
		all = append(all, source{f[0], f[1], f[2], f[3], f[4], f[5], only})
	}
	return all
}
