package mask

import (
	"net/netip"
	"slices"
	"strings"
)

const (
	maxLocal   = 64  // bytes before the @ of an email address (RFC 5321, section 4.5.3.1)
	maxDomain  = 255 // bytes after it
	maxAddress = 46  // bytes of an IPv6 address with an IPv4 address at its end, and one more
)

// email masks the email address around the @ at an offset, if addresses are
// masked, and returns its end, or 0 if there is none.
func (s *scanner) email(at int) int {
	if !s.options.Addresses {
		return 0
	}
	from, to := at, at+1
	for from > max(s.lastSecretEnd(), at-maxLocal) && emailByte[s.text[from-1]] {
		from--
	}
	for to < min(len(s.text), at+maxDomain) && domainByte[s.text[to]] {
		to++
	}
	domain := strings.TrimRight(s.text[at+1:to], "-.")
	if from == at || strings.LastIndexByte(domain, '.') < 1 || strings.HasPrefix(s.text[to:], "@") {
		return 0
	}
	return s.mask(from, at+1+len(domain), "email-address")
}

var (
	emailByte  = setOf(wordBytes + "-.+")
	domainByte = setOf(letters + digits + "-.")
)

// address masks the IP address that starts at an offset, if addresses are
// masked, and returns its end, or 0 if there is none.
func (s *scanner) address(start, end int) int {
	if !s.options.Addresses || end < len(s.text) && s.text[end] != '.' && s.text[end] != ':' {
		return 0
	}
	if start > s.lastSecretEnd() && ipByte[s.text[start-1]] {
		return 0
	}
	to := start
	for to < min(len(s.text), start+maxAddress) && ipByte[s.text[to]] {
		to++
	}
	for to > start && (s.text[to-1] == '.' || s.text[to-1] == ':') {
		to--
	}
	text := s.text[start:to]
	if host, _, ok := strings.Cut(text, ":"); ok && strings.Count(text, ":") == 1 { // a port follows
		text = host
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || addr.IsLoopback() || addr.IsUnspecified() || to < len(s.text) && word[s.text[to]] {
		return 0
	}
	return s.mask(start, start+len(text), "ip-address")
}

var ipByte = setOf(digits + "abcdefABCDEF.:")

// user masks the name of a user after the word that names the folder of all
// users, if users are masked, and returns its end, or 0 if there is none.
func (s *scanner) user(start, end int) int {
	if !s.options.Users || start == s.lastSecretEnd() {
		return 0
	}
	folder := s.text[start-1 : end]
	if folder != "/home" && folder != "/Users" && folder != `\Users` {
		return 0
	}
	from := end
	for from < min(len(s.text), end+2) && (s.text[from] == '/' || s.text[from] == '\\') {
		from++
	}
	to := from
	for to < len(s.text) && userByte[s.text[to]] {
		to++
	}
	if windows := s.text[max(0, start-len(`C:\`)):start]; strings.Contains(windows, ":") {
		to += blankNames(s.text[to:], windows[len(windows)-1])
	}
	name := s.text[from:to]
	if from == end || !fitsShortMark(name) || slices.Contains(accounts, name) {
		return 0
	}
	return s.mask(from, to, "user-name")
}

// blankNames returns the length of the further names of a user that s starts
// with, if a separator shows where they end: C:\Users\Ada Lovelace\kiln.
func blankNames(s string, separator byte) int {
	n := strings.IndexByte(s[:min(len(s), maxName)], separator)
	if n < 0 || !strings.HasPrefix(s, " ") || strings.HasSuffix(s[:n], " ") || strings.ContainsAny(s[:n], ":\"/\n") {
		return 0
	}
	return n
}

var userByte = setOf(wordBytes + "-.")

// accounts are the folders and accounts of build services that are no persons.
var accounts = []string{"Public", "Default", "Shared", "runner", "runneradmin", "vsts", "ubuntu", "circleci", "..."}
