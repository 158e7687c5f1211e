package mask

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

const (
	maxLocal  = 64  // bytes before the @ of an email address (RFC 5321, section 4.5.3.1)
	maxDomain = 255 // bytes after it
	maxIP     = 46
)

// email masks the email address around the @ at an offset, if addresses are
// masked, and returns its end, or 0 if there is none.
func (s *scanner) email(at int) int {
	if !s.options.Addresses {
		return 0
	}
	from, to := at, domainByte.run(s.text, at+1, maxDomain-1)
	for from > max(s.lastSecretEnd(), at-maxLocal) && emailByte[s.text[from-1]] {
		from--
	}
	domain := strings.TrimRight(s.text[at+1:to], "-.")
	if from == at || strings.LastIndexByte(domain, '.') < 1 || strings.HasPrefix(s.text[to:], "@") {
		return 0
	}
	return s.mask(from, at+1+len(domain), "email-address")
}

// emailByte is a byte before the @ of an email address.
var emailByte = setOf(wordBytes + "-.+")

// domainByte is one after it.
var domainByte = setOf(letters + digits + "-.")

// address masks the IP address that starts at an offset, if addresses are
// masked, and returns its end, or 0 if there is none.
func (s *scanner) address(start, end int) int {
	if !s.options.Addresses || end < len(s.text) && s.text[end] != '.' && s.text[end] != ':' {
		return 0
	}
	if start > s.lastSecretEnd() && ipByte[s.text[start-1]] {
		return 0
	}
	text := strings.TrimRight(s.text[start:ipByte.run(s.text, start, maxIP)], ".:")
	to := start + len(text)
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
	if !s.options.Users || start == s.lastSecretEnd() || !slices.Contains(folders, s.text[start-1:end]) {
		return 0
	}
	form, drive := userName, strings.Contains(s.text[max(0, start-len(`C:\`)):start], ":")
	if drive && blankName.MatchString(s.text[end:]) {
		form = blankName
	}
	m := form.FindStringSubmatchIndex(s.text[end:])
	if m == nil || !fitsShortMark(s.text[end+m[2]:end+m[3]]) || slices.Contains(accounts, s.text[end+m[2]:end+m[3]]) {
		return 0
	}
	return s.mask(end+m[2], end+m[3], "user-name")
}

var folders = []string{"/home", "/Users", `\Users`}

// userName is the name of a user in a path, and blankName one that has blanks,
// where a separator shows its end: C:\Users\Ada Lovelace\kiln.
var (
	userName  = regexp.MustCompile(`^[/\\]{1,2}([\w.-]+)`)
	blankName = regexp.MustCompile(`^[/\\]{1,2}([\w.-]+(?: [\w.-]+){1,3})[/\\]`)
)

// accounts are the folders and accounts of build services that are no persons.
var accounts = []string{"Public", "Default", "Shared", "runner", "runneradmin", "vsts", "ubuntu", "circleci", "..."}
