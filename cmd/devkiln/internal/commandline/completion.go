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

// Candidates returns the candidates for the last word, sorted.
func Candidates(root *kong.Node, words []string) []string {
	node, before, last := root, "", ""
	for i, word := range words {
		if i == len(words)-1 {
			last = word
			break
		}
		if child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word }); child >= 0 {
			node = node.Children[child]
		}
		if word != "=" { // bash splits --flag=value at "="
			before = word
		}
	}
	name, start, hasValue := strings.Cut(last, "=")
	var found []string
	switch {
	case takesValue(node, before):
		found, last = values(flagOf(node, before).Value), strings.TrimPrefix(last, "=")
	case hasValue && takesValue(node, name):
		for _, value := range starting(values(flagOf(node, name).Value), start) {
			found = append(found, name+"="+value)
		}
	case strings.HasPrefix(last, "-"):
		found = flagNames(node)
	default:
		for _, child := range node.Children {
			if !child.Hidden {
				found = append(found, child.Name)
			}
		}
		for _, positional := range node.Positional {
			found = append(found, values(positional)...)
		}
	}
	return starting(found, last)
}

// flagsOf returns the flags that a command accepts, including those of its
// parents and of its default command.
func flagsOf(node *kong.Node) []*kong.Flag {
	flags := slices.Concat(node.AllFlags(false)...)
	if node.DefaultCmd != nil {
		flags = append(flags, node.DefaultCmd.Flags...)
	}
	return flags
}

// flagOf returns the flag that a word names, or nil.
func flagOf(node *kong.Node, word string) *kong.Flag {
	for _, flag := range flagsOf(node) {
		if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
			return flag
		}
	}
	return nil
}

func takesValue(node *kong.Node, word string) bool {
	flag := flagOf(node, word)
	return flag != nil && !flag.IsBool()
}

func flagNames(node *kong.Node) (names []string) {
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

// starting returns the distinct words with a prefix, sorted.
func starting(words []string, prefix string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, prefix) })
	slices.Sort(words)
	return slices.Compact(words)
}
