package language

import (
	"regexp"
	"strings"
)

// Files often begin with a long comment, whose words are prose and tell nothing
// about the language of what follows; how it is set off from the code does.

// comment is one between marks, or lines that begin with one. A single # may be
// a heading of Markdown.
var comment = regexp.MustCompile(`^\s*(/\*+|\{-|<#|--\[\[)(?s:.*?)(?:\*/|-\}|#>|\]\])[ \t]*(?:\n|$)` +
	`|^[ \t]*(//[/!]?|---?|;;|%+)(?:[ @].*)?(?:\n|$)` +
	`|^(#'?)(?: .*)?\n(?:#'?(?: .*)?(?:\n|$))+`)

// withoutComment returns code with no more than the mark of the comment that it
// begins with. Where there is nothing else it reports that.
func withoutComment(code string) (rest string, alone bool) {
	mark, rest := "", code
	for {
		rest = strings.TrimLeft(rest, "\n")
		m := comment.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		mark, rest = m[1]+m[2]+m[3]+"\n", rest[len(m[0]):]
	}
	if strings.TrimSpace(rest) == "" {
		return code, mark != "" && mark[0] != '#' && mark != "---\n"
	}
	return mark + rest, false
}
