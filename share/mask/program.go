package mask

import (
	"slices"
	"strings"
)

// A program has an argument that is a password, or a user and a password.
type program struct {
	flags  []string // without their dashes
	glued  bool     // the value may follow without a blank: -phunter2
	spaced bool     // the value may follow after a blank
	pair   bool     // user:password
}

var (
	mysql   = program{flags: []string{"p"}, glued: true}
	curl    = program{flags: []string{"u", "user"}, spaced: true, pair: true}
	sshpass = program{flags: []string{"p"}, glued: true, spaced: true}
	redis   = program{flags: []string{"a", "pass"}, spaced: true}
	login   = program{flags: []string{"p"}, spaced: true}
	docker  = program{}
)

// programNamed returns the program with a name, or nil.
func programNamed(name string) *program {
	switch name {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb":
		return &mysql
	case "curl":
		return &curl
	case "sshpass":
		return &sshpass
	case "redis":
		return &redis // redis-cli
	case "docker", "podman":
		return &docker
	default:
		return nil
	}
}

// flag masks a password in the argument whose flag starts with a word. It
// returns where scanning continues, or 0 if there is none. It remembers the
// program whose arguments follow.
func (s *scanner) flag(start, end int) int {
	if p := programNamed(s.text[start:end]); p != nil {
		s.program = p
		return 0
	}
	if s.program == nil {
		return 0
	}
	if s.program == &docker && s.text[start:end] == "login" {
		s.program = &login
	}
	length := s.program.flagLength(s.text[max(s.lastSecretEnd(), start-len(" --")):start], s.text[start:end])
	if length == 0 {
		return 0
	}
	at := s.blanks(start + length)
	if glued := at == start+length; glued && !s.program.glued || !glued && !s.program.spaced {
		return 0
	}
	return s.password(at)
}

// flagLength returns the length of the flag that a word after dashes starts
// with, or 0: a letter after one dash, a word after two.
func (p *program) flagLength(dashes, word string) int {
	switch {
	case strings.HasSuffix(dashes, " -") && slices.Contains(p.flags, word[:1]):
		return 1
	case dashes == " --" && len(word) > 1 && slices.Contains(p.flags, word):
		return len(word)
	default:
		return 0
	}
}

// password masks the password of a program at an offset and returns its end, or
// 0 if there is none.
func (s *scanner) password(at int) int {
	quote := quoteAt(s.text, at)
	from := at + len(quote)
	to := s.bareEnd(from)
	if quote != "" {
		to = quotedEnd(s.text, from, quote)
	}
	if s.program.pair {
		colon := strings.IndexByte(s.text[from:to], ':')
		if colon < 0 {
			return 0
		}
		from += colon + 1
	}
	if t := s.text[from:to]; !fitsShortMark(t) || placeholder(t, true) || (value{spaced: true}).endsString(t) || marked(s.text[to:]) {
		return 0
	}
	return s.maskAs(from, to, "password")
}
