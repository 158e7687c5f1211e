package mask

import (
	"slices"
	"strings"
)

// programs holds the flags of programs, without their dashes, whose value is a
// password or, for those of curl, a user and a password. The value of a flag with
// a blank follows after one, that of another without: -phunter2.
var programs = map[string][]string{
	"mysql": {"p"}, "mysqldump": {"p"}, "mysqladmin": {"p"}, "mysqlimport": {"p"}, "mariadb": {"p"},
	"sshpass": {"p", "p "}, "curl": {"u ", "user "},
	"redis": {"a ", "pass "}, // redis-cli
	"login": {"p "},          // docker login and others
}

// programInitials has the first letter of each program, so that few words are
// looked up.
const programInitials = "mscrl"

// flag masks a password in the argument whose flag starts with a word. It
// returns where scanning continues, or 0 if there is none. It remembers the
// flags of the program whose arguments follow.
func (s *scanner) flag(start, end int) int {
	w := s.text[start:end]
	if strings.IndexByte(programInitials, w[0]) >= 0 && programs[w] != nil {
		s.flags = programs[w]
		return 0
	}
	dashes := s.text[max(s.lastSecretEnd(), start-len(" --")):start]
	if s.flags == nil || dashes != " --" && !strings.HasSuffix(dashes, " -") {
		return 0
	}
	if dashes != " --" {
		w = w[:1]
	}
	at := s.blanks(start + len(w))
	if given := w + s.text[start+len(w):min(at, start+len(w)+1)]; !slices.Contains(s.flags, strings.ReplaceAll(given, "\t", " ")) {
		return 0
	}
	v := value{spaced: true}
	s.read(&v, at)
	if w[0] == 'u' {
		colon := strings.IndexByte(s.text[v.from:v.to], ':')
		if colon < 0 {
			return 0
		}
		v.from += colon + 1
	}
	return s.maskPassword(v.from, v.to)
}

// maskPassword masks a text in the place of a password unless it stands for
// one, and returns its end, or 0.
func (s *scanner) maskPassword(from, to int) int {
	if t := s.text[from:to]; !fitsShortMark(t) || placeholder(t, true) || marked(s.text[to:]) {
		return 0
	}
	return s.maskAs(from, to, "password")
}
