package commandline

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// CheckValues makes the flags of a command and its subcommands refuse a missing
// value: kong takes the next flag as the value, or at the end an empty text.
func CheckValues(command *kong.Node) {
	for _, flag := range command.Flags {
		if !flag.IsBool() {
			flag.Mapper = present{flag.Mapper}
		}
	}
	for _, child := range command.Children {
		CheckValues(child)
	}
}

// present decodes a value that must be present.
type present struct{ kong.Mapper }

// Decode implements kong.Mapper.
func (m present) Decode(c *kong.DecodeContext, target reflect.Value) error {
	token := c.Scan.Peek()
	switch {
	case token.Type == kong.EOLToken:
		return errors.New("needs a value")
	case token.Type == kong.UntypedToken && strings.HasPrefix(token.String(), "--"):
		return fmt.Errorf("needs a value; to give one that begins with --, write --%s=%s", c.Value.Name, token)
	}
	err := m.Mapper.Decode(c, target)
	if err != nil && target.Type() == reflect.TypeFor[time.Duration]() {
		return fmt.Errorf("%q must be a duration such as 30s or 1m30s", token)
	}
	return err
}

// startOfFault matches the flag at the start of each fault in a message, and what
// follows where its value is not stated.
var startOfFault = regexp.MustCompile(`(^|\n|; |: )--([a-z-]+)(:? must )?`)

// Explain replaces the flags in the faults of a message by the variables that set
// them, and adds the values that it does not state, as they were written.
func (env Environment) Explain(message string, args []string, valueOf func(flag string) (string, bool)) string {
	return startOfFault.ReplaceAllStringFunc(message, func(found string) string {
		m := startOfFault.FindStringSubmatch(found)
		name, variable := "--"+m[2], variablePrefix+strings.ToUpper(strings.ReplaceAll(m[2], "-", "_"))
		given := regexp.MustCompile(`(?m)^`+name+`[=\n](.*)$`).FindAllStringSubmatch(strings.Join(args, "\n"), -1)
		if len(given) == 0 && env[variable] != "" {
			name, given = variable, [][]string{{"", env[variable]}}
		}
		if value, ok := valueOf(m[2]); ok && m[3] != "" {
			if len(given) == 1 {
				value = given[0][1]
			}
			m[3] = fmt.Sprintf(" %q: must ", value)
		}
		return m[1] + name + m[3]
	})
}

// isIgnored reports whether a command ignores a flag that it accepts: --version,
// or --store if it is tagged storeless.
func isIgnored(command *kong.Node, flag *kong.Flag) bool {
	return command.Type != kong.ApplicationNode && (flag.Name == "version" || flag.Name == "store" && Has(command, "storeless"))
}

// Has reports whether a command or one of its parents has a tag.
func Has(command *kong.Node, tag string) bool {
	return command != nil && command.Tag != nil && (command.Tag.Has(tag) || Has(command.Parent, tag))
}

// PrintHelp is a help printer for kong that omits the flags a command ignores.
func PrintHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if command := ctx.Selected(); command != nil {
		for _, flag := range flagsOf(command) {
			flag.Hidden = isIgnored(command, flag)
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}
