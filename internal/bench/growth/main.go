// Command growth measures how a SQLite store scales: the same work on files of
// 20,000, 200,000 and 1,000,000 logs of 1 KB. In the folder internal/bench,
//
//	go run ./growth -dir FOLDER         fills the files missing in FOLDER, and measures
//	go run ./growth -dir FOLDER -write  writes the table of docs/internals/scale.md too
//	go run ./growth -postgres URL       compares 10,000,000 small shares in PostgreSQL with and without partitions
//
// The files take turns, round by round, each time in a new process, so that
// other load on the machine affects all of them. A table holds medians.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	documentFile = "../../docs/internals/scale.md"
	tableBegin   = "<!-- growth -->\n"
	tableEnd     = "<!-- /growth -->\n"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("growth", flag.ContinueOnError)
	dir := flags.String("dir", "", "the folder of the files, which stay there")
	rounds := flags.Int("rounds", 5, "how often each file is measured")
	write := flags.Bool("write", false, "write the table into "+documentFile)
	step := flags.String("step", "", "do one step in this process: fill or measure")
	logs := flags.Int("logs", 0, "the logs of the file of -step; the shares of -postgres, 10,000,000 unless told")
	database := flags.String("postgres", "", "the URL of a PostgreSQL database with 15 GB of room, to compare partitions")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *database != "" {
		table, err := comparePartitions(ctx, *database, cmp.Or(*logs, 10_000_000), *rounds)
		_, written := io.WriteString(out, table)
		return errors.Join(err, written)
	}
	if *dir == "" {
		return errors.New("-dir is missing: a folder with 2 GB of room")
	}
	at := file{*dir, *logs}
	switch *step {
	case "fill":
		return at.fill(ctx)
	case "measure":
		figures, err := at.measure(ctx)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(figures)
	}
	table, err := compare(ctx, *dir, *rounds)
	if err != nil {
		return err
	}
	if _, err = io.WriteString(out, table); err != nil || !*write {
		return err
	}
	return insert(documentFile, table)
}

// compare measures all files in turn and returns their table.
func compare(ctx context.Context, dir string, rounds int) (string, error) {
	sizes := []int{20_000, 200_000, 1_000_000}
	for _, logs := range sizes {
		if _, err := os.Stat(file{dir, logs}.ids()); errors.Is(err, os.ErrNotExist) {
			if _, err := step(ctx, "fill", dir, logs); err != nil {
				return "", err
			}
		}
	}
	measured := make([][][]figure, len(sizes))
	for range rounds {
		for i, logs := range sizes {
			line, err := step(ctx, "measure", dir, logs)
			if err != nil {
				return "", err
			}
			var round []figure
			if err := json.Unmarshal(line, &round); err != nil {
				return "", err
			}
			measured[i] = append(measured[i], round)
		}
	}
	return table("logs of 1 KB in the file", sizes, measured), nil
}

// step runs one step in a process of its own.
func step(ctx context.Context, name, dir string, logs int) ([]byte, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, executable, "-step", name, "-dir", dir, "-logs", strconv.Itoa(logs))
	cmd.Stderr = os.Stderr
	return cmd.Output()
}

// figure is a measurement of a round, and a row of a table.
type figure struct {
	Name, Format string
	Value        float64
}

// table returns the medians of the measurements as Markdown: a column for each
// file or layout, in which the ratio to the first column precedes the figure.
func table[C any](title string, columns []C, measured [][][]figure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", title)
	for _, column := range columns {
		fmt.Fprintf(&b, " %v |", column)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for row, f := range measured[0][0] {
		fmt.Fprintf(&b, "| %s |", f.Name)
		for i := range columns {
			value := median(measured[i], row)
			fmt.Fprintf(&b, " **%.2f** · "+f.Format+" |", value/median(measured[0], row), value)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func median(rounds [][]figure, row int) float64 {
	values := make([]float64, len(rounds))
	for i, round := range rounds {
		values[i] = round[row].Value
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// insert replaces the table in a document.
func insert(document, table string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !found || !ended {
		return fmt.Errorf("%s has no place for the table: %s", filepath.Base(document), tableBegin)
	}
	return os.WriteFile(document, []byte(before+tableBegin+table+tableEnd+after), 0o644)
}
