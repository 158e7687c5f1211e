package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"github.com/devkiln/devkiln/internal/nearest"
)

// byteSize is a number of bytes, with or without a unit: 33554432, 32MiB, 10MB.
type byteSize int64

// UnmarshalText implements encoding.TextUnmarshaler.
func (b *byteSize) UnmarshalText(text []byte) error {
	bytes, err := humanize.ParseBytes(string(text))
	if err != nil || bytes > 1<<62 {
		return fmt.Errorf("%q must be a number of bytes such as 33554432, 32MiB or 10MB", text)
	}
	*b = byteSize(bytes)
	return nil
}

// parserMessages are what kong says, and what to say instead.
var parserMessages = []struct {
	said    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`^expected "<([^" >]+)>.*"$`), "the argument $1 is missing"},
	{regexp.MustCompile(`^expected ("[^" <]+")$`), "a command is missing: $1"},
	{regexp.MustCompile(`^expected one of (.*)$`), "a command is missing, one of $1"},
	{regexp.MustCompile(`^(--\S+): expected a valid \d+ bit u?int but got (.*)$`), "$1 $2: must be a whole number"},
	{regexp.MustCompile(`^(--\S+): bool value (.*) but got (.*)$`), "$1 $3: $2"},
	{regexp.MustCompile(`^(--\S+): (".*?") (must .*)$`), "$1 $2: $3"},
	{regexp.MustCompile(`^(--\S+): (needs a value.*)$`), "$1 $2"},
	{regexp.MustCompile(`^(missing flags: .*)$`), "$1"},
	{regexp.MustCompile(`^unknown flag (-.), did you mean .*$`), "unknown flag $1"},
}

// enumError matches what kong says of a flag with a few values.
var enumError = regexp.MustCompile(`^(.*) must be one of (.*) but got "(.*)"$`)

// parserMessage returns an error of kong in plain words, with the command that
// was probably meant and the help to read.
func parserMessage(err error) error {
	failed, ok := errors.AsType[*kong.ParseError](err)
	if !ok {
		return err
	}
	command, root := failed.Context.Selected(), failed.Context.Model.Node
	if command == nil || command == root.DefaultCmd && !slices.Contains(failed.Context.Args, command.Name) {
		command = root
	}
	if word, unknown := strings.CutPrefix(err.Error(), "unexpected argument "); unknown {
		word, _, _ = strings.Cut(word, ", did you mean")
		var names []string
		for _, child := range command.Children {
			names = append(names, child.Name)
		}
		if command.Name == "login" {
			return errors.New("the key is read from standard input, since others can read a command line: devkiln login URL <FILE, or run it without the key and type it")
		}
		if len(names) == 0 {
			return fmt.Errorf("one argument too many: %q; see %s --help", word, command.FullPath())
		}
		return fmt.Errorf("%q is not a command%s", word, cmp.Or(nearest.Question(word, names), "; see "+command.FullPath()+" --help"))
	}
	if m := enumError.FindStringSubmatch(err.Error()); m != nil {
		words := strings.Split(strings.Trim(m[2], `"`), `","`)
		if len(words) == 1 {
			return fmt.Errorf("%s %q: must be %s", m[1], m[3], words[0])
		}
		return fmt.Errorf("%s %q: must be one of %s%s", m[1], m[3], strings.Join(words, ", "), nearest.Question(m[3], words))
	}
	for _, m := range parserMessages {
		if m.said.MatchString(err.Error()) {
			return fmt.Errorf("%s; see %s --help", m.said.ReplaceAllString(err.Error(), m.instead), command.FullPath())
		}
	}
	return err
}
