package pattern

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

var (
	textKind = kind{}
	signKind = kind{read: readSign}
)

// kinds are the types of parts by name.
var kinds = map[string]*kind{
	"time":         {timeReader((*stamp.Stamp).HasDate), startsTime},
	"time:any":     {readAnyTime, startsTime},
	"time:clock":   {timeReader(func(s *stamp.Stamp) bool { return !s.HasDate() }), ascii.IsDigit},
	"time:utc7":    {readUTC7, ascii.IsDigit},
	"time:bsd":     {timeReader(func(s *stamp.Stamp) bool { return s.Named && s.Year == 0 }), ascii.IsLetter},
	"time:compact": {readCompact, ascii.IsDigit},
	"level":        {readLevel, ascii.IsLetter},
	"LEVEL":        {readCapitalLevel, ascii.IsUpper},
	"letter":       {readLetter, ascii.IsUpper},
	"priority":     {readPriority, ascii.IsDigit},
	"status":       {readStatus, ascii.IsDigit},
	"program":      proper(func(c byte) bool { return c > ' ' && c != ':' && c != '[' }, "-(<"),
	"ident":        proper(isIdent, ""),
	"file":         {readFile, nil},
	"number":       run(ascii.IsDigit),
	"decimal":      {readDecimal, ascii.IsDigit},
	"capitals":     run(func(c byte) bool { return ascii.IsUpper(c) || c == '_' }),
	"word":         run(isWord),
	"column":       run(func(c byte) bool { return c != ' ' && c != '\t' }),
	"letters":      run(ascii.IsLetter),
	"lowers":       run(ascii.IsLower),
}

// run returns the type of parts that consist of a kind of bytes.
func run(is func(c byte) bool) *kind {
	return &kind{first: is, read: func(m *Match, _ *node, i int) int {
		end := i
		for end < len(m.line) && end < i+maxHead && is(m.line[end]) {
			end++
		}
		return orNone(end - i)
	}}
}

// proper returns the type of names that consist of a kind of bytes, start with
// none of some signs, and are neither a level nor a number.
func proper(is func(c byte) bool, signs string) *kind {
	name := run(is)
	return &kind{first: is, read: func(m *Match, n *node, i int) int {
		length := name.read(m, n, i)
		if length < 0 || strings.IndexByte(signs, m.line[i]) >= 0 || ascii.Digits(m.line[i:i+length]) == length || level.Of(m.line[i:i+length]).Level != level.None {
			return -1
		}
		return length
	}}
}

// orNone returns n, or -1 if it is 0.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

func isWord(c byte) bool { return c > ' ' && strings.IndexByte(`[](){}<>|"=,;`, c) < 0 }

func isIdent(c byte) bool {
	return ascii.IsLetter(c) || ascii.IsDigit(c) || c == '-' || c == '_' || c == '.' || c == '$'
}

func startsTime(c byte) bool { return ascii.IsDigit(c) || ascii.IsLetter(c) }

var readAnyTime = timeReader(func(*stamp.Stamp) bool { return true })

// timeReader reads a timestamp that fits.
func timeReader(fits func(s *stamp.Stamp) bool) func(m *Match, n *node, i int) int {
	return func(m *Match, n *node, i int) int {
		var s stamp.Stamp
		var length int
		if i == 0 {
			length = m.readLead(m.line)
			s = m.lead
		} else {
			length = stamp.Parse(m.line[i:], &s)
		}
		if length == 0 || n.length > 0 && n.length != length || !fits(&s) {
			return -1
		}
		s.Shift(i)
		m.Time = s
		return length
	}
}

func readUTC7(m *Match, n *node, i int) int {
	length := readAnyTime(m, n, i)
	if length != len("2006-01-02T15:04:05.0000000Z") || m.line[i+length-1] != 'Z' {
		return -1
	}
	return length
}

func readCompact(m *Match, _ *node, i int) int {
	n := stamp.ParseCompact(m.line[i:], &m.Time)
	m.Time.Shift(i)
	return orNone(n)
}

func readLevel(m *Match, _ *node, i int) int {
	n := ascii.Letters(m.line[i:min(len(m.line), i+level.MaxWord+1)])
	m.Level = level.Of(m.line[i : i+n]).Level
	return m.stated(n)
}

// stated returns the length n of a part that states a level, or -1 if it states
// none.
func (m *Match) stated(n int) int {
	if m.Level == level.None {
		return -1
	}
	return n
}

func readCapitalLevel(m *Match, n *node, i int) int {
	length := readLevel(m, n, i)
	if length > 0 && ascii.IsLower(m.line[i+length-1]) {
		return -1
	}
	return length
}

func readLetter(m *Match, _ *node, i int) int {
	m.Level = level.Letter[ascii.At(m.line, i)]
	return m.stated(1)
}

func readSign(m *Match, n *node, i int) int {
	for _, s := range n.signs {
		if bytes.HasPrefix(m.line[i:], []byte(s.text)) {
			m.Level = s.level
			return len(s.text)
		}
	}
	return -1
}

func readPriority(m *Match, _ *node, i int) int {
	n := ascii.Digits(m.line[i:min(len(m.line), i+4)])
	value := ascii.Number(m.line[i : i+n])
	if n == 0 || value > 191 {
		return -1
	}
	m.Level = level.Syslog(value & 7)
	return n
}

func readStatus(m *Match, _ *node, i int) int {
	b := m.line[i:min(len(m.line), i+4)]
	if ascii.Digits(b) != 3 || b[0] < '1' || b[0] > '5' {
		return -1
	}
	switch b[0] {
	case '5':
		m.Level, m.FromStatus = level.Error, true
	case '4':
		m.Level, m.FromStatus = level.Warning, true
	}
	return 3
}

func readDecimal(m *Match, _ *node, i int) int {
	b := m.line[i:min(len(m.line), i+32)]
	n := ascii.Digits(b)
	if n == 0 || ascii.At(b, n) != '.' {
		return -1
	}
	return n + 1 + ascii.Digits(b[n+1:])
}

func readFile(m *Match, _ *node, i int) int {
	b := m.line[i:min(len(m.line), i+maxHead)]
	n := 0
	if len(b) > 2 && ascii.IsLetter(b[0]) && b[1] == ':' && (b[2] == '\\' || b[2] == '/') {
		n = 2
	}
	for n < len(b) && b[n] > ' ' && strings.IndexByte(`:()[]{}<>|"',;`, b[n]) < 0 {
		n++
	}
	if !bytes.ContainsAny(b[:n], `./\`) {
		return -1
	}
	return n
}
