// Command report compares Devkiln with its peers. In the folder internal/bench,
//
//	go run ./report         compares each ratio with that of expected.json
//	go run ./report -short  does so only for fast benchmarks, as CI does
//	go run ./report -write  regenerates expected.json and docs/internals/benchmarks.md
//
// It fails if a ratio is below nine tenths of the expected one in every round. A
// comparison is a row of expected.json; its benchmarks are those of the module.
//
// Ratios depend on the processor. After -write, lower by hand those of
// expected.json that another processor does not reach: those of short
// comparisons are the smallest of four machines, Intel Xeon and AMD EPYC.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"
)

const (
	expectedFile = "expected.json"
	documentFile = "../../docs/internals/benchmarks.md"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], log.New(os.Stdout, "", 0))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, logger *log.Logger) error {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	short := flags.Bool("short", false, "only the comparisons that are marked short")
	write := flags.Bool("write", false, "write "+expectedFile+" and "+documentFile)
	rounds := flags.Int("rounds", 5, "how often everything is measured")
	each := flags.Duration("benchtime", 200*time.Millisecond, "how long each benchmark runs in a round")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *short && *write {
		return errors.New("-short and -write exclude each other: what is written is whole")
	}
	comparisons, err := load(expectedFile)
	if err != nil {
		return err
	}
	if *short {
		comparisons = onlyShort(comparisons)
	}
	measured, machine, err := measure(ctx, comparisons, *rounds, *each, logger)
	if err != nil {
		return err
	}
	rows, err := compare(comparisons, measured)
	if err != nil {
		return err
	}
	if !*write {
		return check(logger, rows)
	}
	for i := range rows {
		comparisons[i].Ratio = rounded(rows[i].Least) // so that CI reports regressions, not noise
	}
	return errors.Join(save(expectedFile, comparisons), writeDocument(documentFile, machine, rows))
}
