package mask

import (
	"slices"
	"strings"
)

// colon masks what the colon at an offset announces, a password in a URL or in
// a line of a password file, and returns where scanning continues.
func (s *scanner) colon(at int) int {
	for _, slashes := range [...]string{"://", `:\/\/`} {
		if strings.HasPrefix(s.text[at:], slashes) {
			return s.authority(at + len(slashes))
		}
	}
	return max(at+1, s.pgpass(at), s.address(at, at))
}

// authority masks the password in the authority (RFC 3986, section 3.2.1) at
// from, and a token in place of the user. It returns where scanning continues.
func (s *scanner) authority(from int) int {
	first, last := 0, 0
	for i := from; i < len(s.text) && !endsAuthority[s.text[i]]; i++ {
		switch {
		case s.text[i] == ':' && first == 0:
			first = i
		case s.text[i] == '@':
			last = i
		}
	}
	if first == 0 || last <= first {
		return from
	}
	if _, to, kind := formatted(s.text, from, wordEnd(s.text, from), false); to == first {
		s.mask(from, to, kind)
	}
	pass := s.text[first+1 : last]
	if !fitsShortMark(pass) || placeholder(pass, true) {
		return first
	}
	return s.maskAs(first+1, last, "password")
}

var endsAuthority = endsOf("/?#\"'`\\<>[]{}| ")

// pgpass masks the password in a line of PostgreSQL's password file (PostgreSQL
// documentation, "The Password File"), host:port:database:user:password, whose
// first colon is at an offset. The port must be one that is usual, because a
// line of a compiler has the same form.
func (s *scanner) pgpass(colon int) int {
	const maxHost, maxFields = 64, 256
	rest := s.text[colon+1 : min(len(s.text), colon+maxFields)]
	port, rest, ok := strings.Cut(rest[:min(len(rest), lineEnd(rest, 0))], ":")
	if !ok || !slices.Contains([]string{"5432", "5433", "6432", "*"}, port) {
		return 0
	}
	start := colon - 1
	for start > max(s.lastSecretEnd(), colon-maxHost) && pgHost[s.text[start-1]] {
		start--
	}
	fields := strings.SplitN(rest, ":", 3)
	if start > 0 && s.text[start-1] != '\n' || len(fields) < 3 || digit.all(fields[0]) || strings.ContainsAny(fields[0]+fields[1], " \t\"") {
		return 0
	}
	pass := strings.TrimSuffix(fields[2], "\r")
	from := colon + len(":") + len(port) + len(":") + len(rest) - len(fields[2])
	if !fitsShortMark(pass) || placeholder(pass, true) {
		return 0
	}
	return s.mask(from, from+len(pass), "password")
}

var pgHost = setOf(wordBytes + "-.*")
