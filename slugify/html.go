package slugify

import (
	"html"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// inlineElements are the elements that may occur within a word. The tags of all
// others are breaks.
var inlineElements = strings.Fields("a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup u var wbr")

// textOfHTML returns the text of HTML: it decodes entities, and drops tags,
// comments, scripts and styles. It reads every byte once: an unclosed tag ends
// the text, as in browsers.
func textOfHTML(source string) string {
	var b strings.Builder
	for rest := norm.NFC.String(source); rest != ""; {
		text, behind, found := strings.Cut(rest, "<")
		b.WriteString(html.UnescapeString(text))
		if !found {
			break
		}
		name := elementName(behind)
		switch {
		case strings.HasPrefix(behind, "!--"):
			_, rest, _ = strings.Cut(behind[1:], "-->")
		case name == "":
			rest = behind
			b.WriteByte(' ')
		case name == "script" || name == "style":
			rest = afterTag(afterElement(behind, name))
			b.WriteByte(' ')
		default:
			rest = afterTag(behind)
			if !slices.Contains(inlineElements, strings.TrimPrefix(name, "/")) {
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// elementName returns the name of the tag that s continues after its "<", in
// lower case: "/p" for a closing tag, "!doctype" for a declaration. It returns
// "" if s continues no tag.
func elementName(s string) string {
	const most = 16
	name, closes := strings.CutPrefix(s[:min(len(s), most)], "/")
	if end := strings.IndexAny(name, " \t\n\f\r/>"); end >= 0 {
		name = name[:end]
	}
	isDeclaration := !closes && strings.IndexAny(name, "!?") == 0
	switch {
	case name == "" || !isLatin(name[0]) && !isDeclaration:
		return ""
	case closes:
		return "/" + strings.ToLower(name)
	}
	return strings.ToLower(name)
}

func isLatin(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// afterTag returns what follows the first ">" outside quotes.
func afterTag(s string) string {
	for s != "" {
		i := strings.IndexAny(s, `>"'`)
		if i < 0 {
			return ""
		}
		quote := s[i]
		s = s[i+1:]
		if quote == '>' {
			return s
		}
		_, s, _ = strings.Cut(s, string(quote))
	}
	return ""
}

// afterElement skips the text of an element that cannot contain tags, and
// returns s from its closing tag on.
func afterElement(s, name string) string {
	closing := "</" + name
	for i := range len(s) {
		if s[i] == '<' && len(s)-i >= len(closing) && strings.EqualFold(s[i:i+len(closing)], closing) {
			return s[i:]
		}
	}
	return ""
}
