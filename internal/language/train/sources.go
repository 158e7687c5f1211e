package main

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
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

// teaches reports whether files of this class are taken from the source.
func (s source) teaches(class string) bool {
	return len(s.Only) == 0 || slices.Contains(s.Only, class)
}

//go:embed sources.txt
var manifest string

// permissive are the licences that a source may have.
var permissive = []string{
	"Apache-2.0", "Artistic-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "NCSA",
	"0BSD", "PostgreSQL", "Zlib", "blessing", "curl",
}

// sources reads the manifest: a line for each source, its fields in the order
// of the struct and split by blanks. The last, a list of classes split by
// commas, may be missing. Blank lines and lines that start with # are skipped.
func sources() ([]source, error) {
	var all []source
	for lines := bufio.NewScanner(strings.NewReader(manifest)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		if len(f) < 6 || len(f) > 7 || len(f[5]) != hex.EncodedLen(sha256.Size) {
			return nil, fmt.Errorf("sources.txt: %q has the wrong form", lines.Text())
		}
		s := source{Registry: f[0], Name: f[1], Version: f[2], Licence: f[3], Split: f[4], SHA256: f[5]}
		if len(f) == 7 {
			s.Only = strings.Split(f[6], ",")
		}
		for licence := range strings.SplitSeq(s.Licence, "/") {
			if !slices.Contains(permissive, licence) {
				return nil, fmt.Errorf("sources.txt: %s is under %s", s.Name, licence)
			}
		}
		if s.Split != "train" && s.Split != "test" {
			return nil, fmt.Errorf("sources.txt: %s is in %q, neither train nor test", s.Name, s.Split)
		}
		all = append(all, s)
	}
	return all, nil
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
