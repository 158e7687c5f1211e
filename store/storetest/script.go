package storetest

import (
	"embed"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/devkiln/devkiln/store"
)

// Most clauses are a sequence of calls and their expected results. They are in
// store.txt, which describes the syntax, and in backend.txt. Clauses with
// races, waiting or many keys are written in Go.
//
//go:embed store.txt backend.txt
var scripts embed.FS

// scripted returns the clauses of a file.
func scripted[S store.Store](file string) []clause[S] {
	text, err := scripts.ReadFile(file)
	if err != nil {
		panic(err) // embedded
	}
	var clauses []clause[S]
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		name, steps, _ := strings.Cut(part, "\n")
		clauses = append(clauses, clause[S]{name, func(t *testing.T, s S) {
			p := player{t, s, noon()}
			for line := range strings.Lines(steps) {
				p.step(line)
			}
		}})
	}
	return clauses
}

// player runs one clause. Its calls of Take happen at times around noon.
type player struct {
	t    *testing.T
	s    store.Store
	noon time.Time
}

var quotedOrPlain = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// step makes the call of a line and compares what it returns.
func (p player) step(line string) {
	p.t.Helper()
	words := quotedOrPlain.FindAllString(line, -1)
	if len(words) == 0 {
		return
	}
	for i, word := range words {
		if text, err := strconv.Unquote(word); err == nil && word[0] == '"' {
			words[i] = text
		}
	}
	call, want := words, []string(nil)
	if i := slices.Index(words, "->"); i >= 0 {
		call, want = words[:i], words[i+1:]
	}
	got, err := p.call(call[0], call[1:])
	if err != nil {
		got = []string{sentinelOf(err)}
	}
	if !slices.Equal(got, want) {
		p.t.Fatalf("%s returns %.60q, %v", strings.TrimSpace(line), got, err)
	}
}

// sentinelOf returns the script's word for an error.
func sentinelOf(err error) string {
	switch {
	case errors.Is(err, store.ErrExists):
		return "exists"
	case errors.Is(err, store.ErrNotFound):
		return "not-found"
	case errors.Is(err, store.ErrUnavailable):
		return "unavailable"
	default:
		return "refused"
	}
}

// call calls a method and returns its results as words.
func (p player) call(method string, args []string) ([]string, error) {
	p.t.Helper()
	ctx := p.t.Context()
	switch method {
	case "create", "put", "createall":
		return nil, p.write(method, args)
	case "get":
		value, err := p.s.Get(ctx, args[0])
		got := []string{string(value)}
		scribble(value[:cap(value)])
		if err != nil && value != nil {
			err = errors.New("a value beside an error")
		}
		return got, err
	case "delete":
		return nil, p.s.Delete(ctx, args[0])
	}
	b := p.s.(store.Backend)
	switch method {
	case "deleteall":
		return nil, b.DeleteAll(ctx, args...)
	case "list":
		entries, err := b.List(ctx, args[0], args[1], int(p.number(args[2])))
		return wordsOf(entries, false), err
	case "show":
		entries, err := b.List(ctx, args[0], "", 10)
		return wordsOf(entries, true), err
	case "count":
		return words(b.Count(ctx, args[0]))
	case "add":
		return words(b.Add(ctx, args[0], p.number(args[1]), p.expiry(args[2])))
	case "sweep":
		n, err := b.Sweep(ctx, int(p.number(args[0])))
		return words(int64(n), err)
	case "take":
		return p.take(args)
	}
	p.t.Fatalf("a store has no method %s", method)
	return nil, nil
}

// write calls a method that takes entries, and then overwrites their values.
func (p player) write(method string, args []string) error {
	p.t.Helper()
	var entries []store.Entry
	for e := range slices.Chunk(args, 3) {
		entries = append(entries, store.Entry{Key: e[0], Value: []byte(e[1]), Expires: p.expiry(e[2])})
	}
	defer func() {
		for _, e := range entries {
			scribble(e.Value)
		}
	}()
	switch method {
	case "create":
		return p.s.Create(p.t.Context(), entries[0].Key, entries[0].Value, entries[0].Expires)
	case "put":
		return p.s.(store.Backend).Put(p.t.Context(), entries[0].Key, entries[0].Value, entries[0].Expires)
	default:
		return p.s.(store.Backend).CreateAll(p.t.Context(), entries...)
	}
}

// take calls Take with limits such as 3/1m for the window and 2/24h for the
// period.
func (p player) take(args []string) ([]string, error) {
	p.t.Helper()
	var limits store.Limits
	per, window, _ := strings.Cut(args[2], "/")
	limits.PerWindow, limits.Window = int(p.number(per)), p.duration(window)
	per, period, _ := strings.Cut(args[3], "/")
	limits.PerPeriod, limits.Period = p.number(per), p.duration(period)
	u, err := p.s.(store.Backend).Take(p.t.Context(), args[0], p.noon.Add(p.duration(args[1])), limits)
	got := []string{"full", strconv.Itoa(u.InWindow), "-", strconv.FormatInt(u.InPeriod, 10)}
	if u.Taken {
		got[0] = "taken"
	}
	if !u.Oldest.IsZero() {
		got[2] = u.Oldest.Sub(p.noon).String()
	}
	return got, err
}

// words returns a number as words.
func words(n int64, err error) ([]string, error) {
	return []string{strconv.FormatInt(n, 10)}, err
}

// wordsOf returns the keys of entries, or their values and whether they expire.
func wordsOf(entries []store.Entry, whole bool) []string {
	var all []string
	for _, e := range entries {
		switch {
		case !whole:
			all = append(all, e.Key)
		case e.Expires.IsZero():
			all = append(all, string(e.Value), "never")
		default:
			all = append(all, string(e.Value), "expires")
		}
		scribble(e.Value)
	}
	return all
}

// expiry parses never, past, future, now (the instant of the call), an RFC 3339
// time or seconds since 1970.
func (p player) expiry(word string) time.Time {
	p.t.Helper()
	switch word {
	case "never":
		return never
	case "past":
		return past()
	case "now":
		return time.Now()
	case "future":
		return future()
	}
	if seconds, err := strconv.ParseInt(word, 10, 64); err == nil {
		return time.Unix(seconds, 0)
	}
	at, err := time.Parse(time.RFC3339Nano, word)
	done(p.t, err, "an expiry")
	return at
}

func (p player) number(word string) int64 {
	p.t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	done(p.t, err, "a number")
	return n
}

func (p player) duration(word string) time.Duration {
	p.t.Helper()
	d, err := time.ParseDuration(word)
	done(p.t, err, "a duration")
	return d
}
