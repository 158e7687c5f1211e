package commandline

import "github.com/alecthomas/kong"

// isIgnored reports whether a command ignores a flag that it accepts: --version,
// or --store if it is tagged storeless.
func isIgnored(command *kong.Node, flag *kong.Flag) bool {
	return command.Type != kong.ApplicationNode && (flag.Name == "version" || flag.Name == "store" && IsStoreless(command))
}

// IsStoreless reports whether a command needs no store.
func IsStoreless(command *kong.Node) bool {
	return command != nil && command.Tag != nil && (command.Tag.Has("storeless") || IsStoreless(command.Parent))
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
