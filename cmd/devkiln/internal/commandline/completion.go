package commandline

// kong has no completion of its own. Its extension depends on posener/complete
// v1, last released in 2019, so this walks kong's model instead.

import (
	"embed"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Script returns the completion script for bash, zsh or fish. It calls devkiln
// complete for the candidates, so it never goes stale. Any other shell is an
// error.
func Script(shell string) (string, error) {
	text, err := scripts.ReadFile("scripts/devkiln." + shell)
	return string(text), err
}

//go:embed scripts
var scripts embed.FS

// Candidates returns the candidates for the last word.
func Candidates(root *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	node, before := root, ""
	for _, word := range words[:len(words)-1] {
		if child := childOf(node, word); child != nil {
			node = child
		}
		if word != "=" { // bash splits --flag=value at "="
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

// flagsOf returns the flags that a command accepts, including those of its
// parents and of its default command.
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
		if isIgnored(node, flag) {
			continue
		}
		names = append(names, "--"+flag.Name)
		if flag.Tag.Negatable != "" {
			names = append(names, "--no-"+flag.Name)
		}
	}
	return names
}

// values returns the values of an enum or of the tag values, or nil.
func values(v *kong.Value) []string {
	if v.Enum == "" {
		return strings.FieldsFunc(v.Tag.Get("values"), func(c rune) bool { return c == ',' })
	}
	return v.EnumSlice()
}

// after prepends before to each word.
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
