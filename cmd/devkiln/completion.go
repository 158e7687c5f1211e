package main

// kong completes nothing by itself. An extension of it stands on the first
// posener/complete, whose last release is of 2019; 100 lines over kong's own model
// do.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints what makes a shell complete command lines.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// scripts ask the program itself what can follow, so that they never go stale.
var scripts = map[string]string{
	"bash": `_devkiln() {
	local IFS=$'\n'
	COMPREPLY=($(devkiln complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _devkiln devkiln
`,
	"zsh": `#compdef devkiln
_devkiln() {
	local -a found
	found=("${(@f)$(devkiln complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n ${found[1]} ]]; then
		compadd -- "${found[@]}"
	else
		compset -P '--*='
		_files
	fi
}
compdef _devkiln devkiln
`,
	"fish": `function __devkiln_found
	devkiln complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c devkiln -f -a '(__devkiln_found)'
complete -c devkiln -n 'not __devkiln_found | string length -q' -F
`,
}

// Help implements kong.HelpProvider.
func (completionCmd) Help() string {
	return `bash, for this session and for all:

    source <(devkiln completion bash)
    devkiln completion bash >~/.local/share/bash-completion/completions/devkiln

zsh, behind compinit in ~/.zshrc:

    source <(devkiln completion zsh)

fish:

    devkiln completion fish >~/.config/fish/completions/devkiln.fish`
}

// Run prints the script.
func (c completionCmd) Run(p process) error {
	_, err := fmt.Fprint(p.stdout, scripts[c.Shell])
	return err
}

// completeCmd is what the scripts call: it prints what the last word can be.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the candidates, one a line. None means a file or free text.
func (c completeCmd) Run(p process, command *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, candidate := range candidates(command.Model.Node, words) {
		if _, err := fmt.Fprintln(p.stdout, candidate); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns what the last of some words can be.
func candidates(root *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	node, before := root, ""
	for _, word := range words[:len(words)-1] {
		if child := childOf(node, word); child != nil {
			node = child
		}
		if word != "=" { // bash splits --flag=value there
			before = word
		}
	}
	last := words[len(words)-1]
	if last == "=" {
		last = ""
	}
	if flag := flagOf(node, before); flag != nil && !flag.IsBool() {
		return starting(values(flag.Value), last)
	}
	if name, start, found := strings.Cut(last, "="); found && flagOf(node, name) != nil {
		return after(name+"=", starting(values(flagOf(node, name).Value), start))
	}
	if strings.HasPrefix(last, "-") {
		return starting(flagNames(node), last)
	}
	var names []string
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	for _, positional := range node.Positional {
		names = append(names, values(positional)...)
	}
	return starting(names, last)
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// flagsOf returns the flags that a command takes, those of its parents too.
// Without a command, the server is meant.
func flagsOf(node *kong.Node) []*kong.Flag {
	var flags []*kong.Flag
	if node.DefaultCmd != nil {
		flags = append(flags, node.DefaultCmd.Flags...)
	}
	for n := node; n != nil; n = n.Parent {
		flags = append(flags, n.Flags...)
	}
	return flags
}

func flagOf(node *kong.Node, word string) *kong.Flag {
	for _, flag := range flagsOf(node) {
		if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
			return flag
		}
	}
	return nil
}

func flagNames(node *kong.Node) []string {
	var names []string
	for _, flag := range flagsOf(node) {
		if unneeded(node, flag) {
			continue
		}
		names = append(names, "--"+flag.Name)
		if flag.Tag.Negatable != "" {
			names = append(names, "--no-"+flag.Name)
		}
	}
	return names
}

// values returns what a flag or an argument can be, nothing if that is free.
func values(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

// after puts what stands before them to some words.
func after(before string, words []string) []string {
	for i := range words {
		words[i] = before + words[i]
	}
	return words
}

func starting(words []string, prefix string) []string {
	var found []string
	for _, word := range words {
		if strings.HasPrefix(word, prefix) && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	slices.Sort(found)
	return found
}
