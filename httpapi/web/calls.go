package web

import "strings"

// shellCommand returns words as a command for a shell, quoted where necessary.
func shellCommand(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		flag, value, ok := strings.Cut(word, "=")
		if ok && strings.HasPrefix(flag, "--") {
			quoted[i] = flag + "=" + shellWord(value)
		} else {
			quoted[i] = shellWord(word)
		}
	}
	return strings.Join(quoted, " ")
}

// shellWord quotes s for a shell if necessary.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
