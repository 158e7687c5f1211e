package commandline

import "github.com/alecthomas/kong"

// isIgnored reports whether a command ignores a flag that it accepts: --version,
// --store if it is tagged storeless, or settings of the server other than its
// address if it is tagged address.
func isIgnored(command *kong.Node, flag *kong.Flag) bool {
	switch {
	case command.Type == kong.ApplicationNode:
		return false
	case flag.Name == "version", flag.Name == "store" && command.Tag.Has("storeless"):
		return true
	}
	return command.Tag.Has("address") && flag.Tag.Has("variable") && !flag.Tag.Has("address")
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
