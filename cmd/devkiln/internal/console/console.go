// Package console runs commands in a pseudo-terminal, so that they format their
// output for people.
package console

// Options configures the terminal and limits the output of a command.
type Options struct {
	Columns, Rows int // of its terminal
	MaxBytes      int // of its output
}

// A Result is the output of a command, including escape sequences, and its exit
// status, which is -1 if a signal ended it.
type Result struct {
	Output string
	Status int
}
