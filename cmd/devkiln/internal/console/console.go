// Package console runs commands under a pseudo-terminal, so that they write what
// they write for people.
package console

// Options bound what a command gets and may write.
type Options struct {
	Columns, Rows int // of its terminal
	MaxBytes      int // of its output
}

// A Result is what a command wrote, with the escape sequences, and its exit
// status: -1 where a signal ended it.
type Result struct {
	Output string
	Status int
}
