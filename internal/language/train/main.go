// Train makes the weights of package language and measures them.
//
//	train fetch                   gets the archives of sources.txt through go, npm and apt-get
//	train fit -o ../weights.bin   trains on the sources of the train split
//	train evaluate                measures what package language makes of the test split
//
// All take -archives, the directory of the archives. Fetching asks apt-get for
// source packages of Debian 12 and 13, so both must be configured with
// deb-src; reading their archives takes a program xz. Fitting runs for some
// minutes in one goroutine, and the same archives give the same bytes.
//
// No file of the sources enters this repository. What package language embeds
// is statistics over them: one signed byte for each hashed feature and class.
// Every source is under a permissive licence, and files that name a copyleft
// licence in their first four KiB are left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/devkiln/devkiln/internal/language"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return errors.New("say fetch, fit or evaluate")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	dir := flags.String("archives", "archives", "directory of the sources' archives")
	out := flags.String("o", "weights.bin", "file that fit writes the weights to")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	all, err := sources()
	if err != nil {
		return err
	}
	switch args[0] {
	case "fetch":
		return fetch(ctx, *dir, all, stdout)
	case "fit":
		return fitTo(ctx, *out, *dir, all, stdout)
	case "evaluate":
		s, err := collect(ctx, *dir, "test", all)
		if err != nil {
			return err
		}
		_, err = io.WriteString(stdout, evaluate("5 to 30 lines", s.long)+evaluate("2 to 4 lines", s.short))
		return err
	}
	return fmt.Errorf("%q is none of fetch, fit and evaluate", args[0])
}

func fitTo(ctx context.Context, name, dir string, all []source, stdout io.Writer) error {
	s, err := collect(ctx, dir, "train", all)
	if err != nil {
		return err
	}
	classes := language.Classes()
	examples := examplesOf(append(s.long, s.short...), classes)
	weights := fit(examples, len(classes), defaults).round(defaults)
	if err := os.WriteFile(name, weights, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s %s, from %d windows\n", name, checksum(weights), len(examples))
	return err
}
