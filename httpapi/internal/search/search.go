// Package search matches text with regular expressions that strangers wrote, at
// a bounded cost.
//
// Package regexp takes time proportional to the instructions of an expression
// and the length of the text, and memory proportional to the former. Counted
// repetitions are what makes a short expression large: (a?){1000} has 2,000
// instructions, and package regexp accepts millions. So an expression is
// measured before it is compiled, and a text too long to match at once is read
// through a reader that ends with its context.
package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
)

const (
	// MaxLength is the maximum length of an expression in bytes.
	MaxLength = 1000
	// MaxInstructions is the maximum number of instructions of an expression, or
	// of all expressions of a query.
	MaxInstructions = 1000
	// MaxTime is the maximum duration of a search. What it has not reached by
	// then it must report.
	MaxTime = 800 * time.Millisecond // with the page around it, at most a second
)

// ErrTooComplex is the error for an expression of more than [MaxInstructions].
var ErrTooComplex = errors.New("this expression is too complex")

// An Expression is a regular expression in RE2's syntax.
type Expression struct {
	re           *regexp.Regexp
	Instructions int // of its program, about
}

// Compile parses an expression. The error describes what is wrong with it, for
// its author to read.
func Compile(source string) (*Expression, error) {
	if len(source) > MaxLength {
		return nil, fmt.Errorf("this expression has more than %d bytes", MaxLength)
	}
	parsed, err := syntax.Parse(source, syntax.Perl)
	if syntaxError := (*syntax.Error)(nil); errors.As(err, &syntaxError) {
		if syntaxError.Code == syntax.ErrLarge || syntaxError.Code == syntax.ErrNestingDepth {
			return nil, ErrTooComplex
		}
		return nil, fmt.Errorf("%s: %s", syntaxError.Code, syntaxError.Expr)
	}
	e := &Expression{Instructions: size(parsed)}
	if e.Instructions > MaxInstructions {
		return nil, ErrTooComplex
	}
	e.re, err = regexp.Compile(source)
	return e, err
}

// size returns how many instructions an expression compiles to, not counting
// those that begin and end it. It is an upper bound: the compiler removes empty
// parts. A repetition repeats the instructions of what it repeats.
func size(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += size(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpConcat:
		return n
	case syntax.OpAlternate:
		return n + len(re.Sub) - 1
	case syntax.OpCapture, syntax.OpStar: // x* is (x+)? if x can be empty
		return n + 2
	case syntax.OpRepeat:
		return repeatedSize(n, re.Min, re.Max)
	default: // one rune, an assertion, ? or +
		return n + 1
	}
}

// repeatedSize returns the size of n instructions repeated from to to times,
// where to is -1 for any number of times. syntax.Parse limits the product of
// nested counts to 1,000, so that it does not overflow.
func repeatedSize(n, from, to int) int {
	if to < 0 {
		return n*from + n + 2
	}
	return n*to + (to - from) + 1
}

// maxSteps limits what is matched at once: instructions times bytes, of which
// 1,000,000 take some 20 ms at worst.
const maxSteps = 1_000_000

// Match reports whether the text matches. The error is that of ctx, which may
// end during the call.
func (e *Expression) Match(ctx context.Context, text string) (bool, error) {
	if e.Instructions*len(text) <= maxSteps {
		return e.re.MatchString(text), ctx.Err()
	}
	found := e.re.MatchReader(&reader{text: strings.NewReader(text), ended: ctx.Err})
	return found, ctx.Err()
}

// Find returns the first text that the expression matches, or "" if there is
// none or the text is too long to match at once.
func (e *Expression) Find(text string) string {
	if e.Instructions*len(text) > maxSteps {
		return ""
	}
	return e.re.FindString(text)
}

// A reader reads a text, or a part of it if a context ends meanwhile. Then what
// an expression matches means nothing.
type reader struct {
	text  *strings.Reader
	ended func() error
	left  int // runes until the next call of ended
}

// ReadRune implements io.RuneReader.
func (r *reader) ReadRune() (rune, int, error) {
	if r.left == 0 {
		if r.ended() != nil {
			return 0, 0, io.EOF
		}
		r.left = 256
	}
	r.left--
	return r.text.ReadRune()
}
