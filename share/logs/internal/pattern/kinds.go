package pattern

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// kind is the type of a part.
type kind struct {
	first ascii.Set                    // the bytes that the part may start with
	read  func(m *Match, b []byte) int // returns the length of the part at the start of b, or 0
}

// The bytes that parts consist of, or start with.
var (
	anyByte  = ascii.SetWhere(func(byte) bool { return true })
	digit    = ascii.SetWhere(ascii.IsDigit)
	letter   = ascii.SetWhere(ascii.IsLetter)
	capital  = ascii.SetWhere(ascii.IsUpper)
	alphanum = digit.Or(letter)
	ident    = alphanum.Or(ascii.SetOf("-_.$"))
	word     = ascii.SetWhere(func(c byte) bool { return c > ' ' && strings.IndexByte(`[](){}<>|"=,;`, c) < 0 })
	path     = ascii.SetWhere(func(c byte) bool { return c > ' ' && strings.IndexByte(`:()[]{}<>|"',;`, c) < 0 })
)

// kinds are the types of parts by name.
var kinds = map[string]kind{
	"time":       timeKind(func(s *stamp.Stamp, _ []byte) bool { return s.HasDate() }),
	"time:any":   timeKind(func(*stamp.Stamp, []byte) bool { return true }),
	"time:clock": timeKind(func(s *stamp.Stamp, _ []byte) bool { return !s.HasDate() }),
	"time:bsd":   timeKind(func(s *stamp.Stamp, _ []byte) bool { return s.Named && s.Year == 0 }),
	"time:8":     timeKind(func(_ *stamp.Stamp, text []byte) bool { return len(text) == 8 }),
	"time:24":    timeKind(func(_ *stamp.Stamp, text []byte) bool { return len(text) == 24 }),
	"time:utc7":  timeKind(func(_ *stamp.Stamp, text []byte) bool { return len(text) == 28 && text[27] == 'Z' }),
	"time:compact": {digit, func(m *Match, b []byte) int {
		n := stamp.ParseCompact(b, &m.Time)
		m.Time.Shift(len(m.line) - len(b))
		return n
	}},
	"level":    {letter, readLevel},
	"LEVEL":    {capital, readLevel},
	"letter":   {capital, readLetter},
	"priority": {digit, readPriority},
	"status":   {digit, readStatus},
	"program":  proper(ascii.SetWhere(func(c byte) bool { return c > ' ' && c != ':' && c != '[' }), "-(<"),
	"ident":    proper(ident, ""),
	"file":     {path, readFile},
	"number":   run(digit),
	"decimal":  {digit, readDecimal},
	"capitals": run(capital.Or(ascii.SetOf("_"))),
	"word":     run(word),
	"column":   run(ascii.SetWhere(func(c byte) bool { return c != ' ' && c != '\t' })),
	"letters":  run(letter),
	"lowers":   run(ascii.SetWhere(ascii.IsLower)),
}

// run returns the type of parts that consist of some bytes.
func run(set ascii.Set) kind {
	return kind{set, func(_ *Match, b []byte) (n int) {
		for n < min(len(b), maxHead) && set.Has(b[n]) {
			n++
		}
		return n
	}}
}

// proper returns the type of names that consist of some bytes, start with none of
// some signs, and are neither a level nor a number.
func proper(set ascii.Set, signs string) kind {
	names := run(set)
	return kind{set, func(m *Match, b []byte) int {
		n := names.read(m, b)
		return ascii.If(n > 0 && strings.IndexByte(signs, b[0]) < 0 && ascii.Digits(b[:n]) < n && level.Of(b[:n]).Level == level.None, n)
	}}
}

// timeKind returns the type of timestamps that fit.
func timeKind(fits func(s *stamp.Stamp, text []byte) bool) kind {
	return kind{stamp.Starts, func(m *Match, b []byte) int {
		n, s := m.readLead(), m.lead
		if len(b) < len(m.line) {
			n = stamp.Parse(b, &s)
		}
		if n == 0 || !fits(&s, b[:n]) {
			return 0
		}
		s.Shift(len(m.line) - len(b))
		m.Time = s
		return n
	}}
}

// stated returns the length n of a part that states a level, or 0 if it states
// none.
func (m *Match) stated(l level.Level, n int) int {
	m.Level = l
	return ascii.If(l != level.None, n)
}

func readLevel(m *Match, b []byte) int {
	n := ascii.Letters(b[:min(len(b), level.MaxWord+1)])
	return m.stated(level.Of(b[:n]).Level, n)
}

func readLetter(m *Match, b []byte) int { return m.stated(level.Letter[ascii.At(b, 0)], 1) }

func readPriority(m *Match, b []byte) int {
	n := ascii.Digits(b[:min(len(b), 4)])
	value := ascii.Number(b[:n])
	return m.stated(level.Syslog[value&7], ascii.If(value < 192, n))
}

func readStatus(m *Match, b []byte) int {
	if ascii.Digits(b[:min(len(b), 4)]) != 3 || b[0] < '1' || b[0] > '5' {
		return 0
	}
	if b[0] >= '4' { // 4xx is a warning, 5xx an error
		m.Level, m.FromStatus = level.Warning+level.Level(b[0]-'4'), true
	}
	return 3
}

func readDecimal(_ *Match, b []byte) int {
	b = b[:min(len(b), 32)]
	n := ascii.Digits(b)
	return ascii.If(n > 0 && ascii.At(b, n) == '.', n+1+ascii.Digits(b[min(n+1, len(b)):]))
}

func readFile(_ *Match, b []byte) int {
	n, named := ascii.If(len(b) > 2 && ascii.IsLetter(b[0]) && b[1] == ':' && (b[2] == '\\' || b[2] == '/'), 2), false
	for ; n < min(len(b), maxHead) && path.Has(b[n]); n++ {
		named = named || b[n] == '.' || b[n] == '/' || b[n] == '\\'
	}
	return ascii.If(named, n)
}
