package language

import (
	"regexp"
	"strings"
)

// Files often begin with a long comment, whose prose says nothing about the
// language of the code after it. The marks of the comment do.

// comment matches a block comment or a run of line comments. A single # may be
// a Markdown heading.
var comment = regexp.MustCompile(`^\s*(/\*+|\{-|<#|--\[\[)(?s:.*?)(?:\*/|-\}|#>|\]\])[ \t]*(?:\n|$)` +
	`|^[ \t]*(//[/!]?|---?|;;|%+)(?:[ @].*)?(?:\n|$)` +
	`|^(#'?)(?: .*)?\n(?:#'?(?: .*)?(?:\n|$))+`)

// withoutComment returns code with its leading comment reduced to the mark. If
// nothing follows the comment, it returns code and reports whether it is surely
// a comment.
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
