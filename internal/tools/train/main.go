// Train produces the weights.bin of package internal/language.
//
//	fetch.sh DIR                         gets the sources of sources.txt
//	train -sources DIR -o weights.bin fit         trains on those of the train split
//	train -sources DIR -o SET windows             writes pieces of those of the test split
//
// The pieces are files SET/LANGUAGE/NUMBER.txt, of 5 to 30 lines, and
// SET-short/LANGUAGE/NUMBER.txt, of 2 to 4. The benchmark of language detection
// in internal/bench reads such directories. Fitting takes some minutes in one
// goroutine, and the same sources yield the same bytes.
//
// No file of the sources is part of this repository. Package language embeds
// only statistics of them: one signed byte for each hashed feature and class.
// Every source is under a permissive licence, and files that name a copyleft
// licence in their first four KiB are left out.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"github.com/devkiln/devkiln/internal/language"
)

func main() {
	dir := flag.String("sources", "sources", "directory of the sources")
	out := flag.String("o", "weights.bin", "file or directory to write")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "fit":
		err = fitTo(*out, *dir)
	case "windows":
		err = writeWindows(*out, *dir)
	default:
		err = fmt.Errorf("%q is neither fit nor windows", flag.Arg(0))
	}
	if err != nil {
		log.Fatalln("train:", err)
	}
}

func fitTo(name, dir string) error {
	s, err := collect(dir, "train", sources())
	if err != nil {
		return err
	}
	classes := language.Classes()
	examples := examplesOf(append(s.long, s.short...), classes)
	return os.WriteFile(name, fit(examples, len(classes)).round(), 0o644)
}

func writeWindows(name, dir string) error {
	s, err := collect(dir, "test", sources())
	if err != nil {
		return err
	}
	for set, windows := range map[string][]window{name: s.long, name + "-short": s.short} {
		for i, w := range windows {
			file := filepath.Join(set, w.language, strconv.Itoa(i)+".txt")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(w.text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
