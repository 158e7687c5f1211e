package mask

import (
	"regexp"
	"strings"
)

// colon masks what the colon at an offset announces, a password in a URL or in
// a line of a password file, and returns where scanning continues.
func (s *scanner) colon(at int) int {
	if slashes := prefixOf(s.text[at:], "://", `:\/\/`); slashes != "" {
		return s.authority(at + len(slashes))
	}
	return max(at+1, s.pgpass(at), s.address(at, at))
}

// authority masks the password in the authority (RFC 3986, section 3.2.1) at
// from, and a token in place of the user. It returns where scanning continues.
func (s *scanner) authority(from int) int {
	t := s.text[from:authorityByte.run(s.text, from, len(s.text))]
	user, host := strings.IndexByte(t, ':'), strings.LastIndexByte(t, '@')
	if user < 0 || host <= user {
		return from
	}
	if _, to, kind := s.formatted(from); to == from+user {
		s.mask(from, to, kind)
	}
	return max(from+user, s.maskPassword(from+user+1, from+host))
}

var authorityByte = setOf("^" + controls + " /?#\"'`\\<>[]{}|")

// pgLine is a line of PostgreSQL's password file (PostgreSQL documentation, "The
// Password File"), host:port:database:user:password. The port must be one that
// is usual, because a line of a compiler has the same form.
var pgLine = regexp.MustCompile(`^[\w.*-]+:(?:5432|5433|6432|\*):([^:\s"]+):[^:\s"]+:(.{3,})`)

// pgpass masks the password of a line whose first colon is at an offset.
func (s *scanner) pgpass(colon int) int {
	const maxHost, maxLine = 64, 512
	if prefixOf(s.text[colon+1:], "5432:", "5433:", "6432:", "*:") == "" {
		return 0
	}
	start := max(s.lastSecretEnd(), colon-maxHost)
	start += strings.LastIndexByte(s.text[start:colon], '\n') + 1
	if start > 0 && s.text[start-1] != '\n' {
		return 0
	}
	end := lineByte.run(s.text, colon, maxLine)
	m := pgLine.FindStringSubmatchIndex(s.text[start:end])
	if m == nil || digit.all(s.text[start+m[2]:start+m[3]]) || end < len(s.text) && lineByte[s.text[end]] {
		return 0
	}
	return s.maskPassword(start+m[4], end)
}

var lineByte = setOf("^\r\n")
