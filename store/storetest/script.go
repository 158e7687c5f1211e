package storetest

import (
	"context"
	"embed"
	"errors"
	"fmt"
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
		name, lines, _ := strings.Cut(part, "\n")
		clauses = append(clauses, clause[S]{name, func(t *testing.T, s S) {
			p := newPlayer(t, s)
			rounds := 1
			if text, ok := strings.CutPrefix(lines, "rounds "); ok {
				count, rest, _ := strings.Cut(text, "\n")
				rounds, lines = int(p.number(count)), rest
			}
			for round := range rounds {
				p.round = strconv.Itoa(round)
				for line := range strings.Lines(lines) {
					p.step(line)
				}
			}
		}})
	}
	return clauses
}

// steps makes calls and compares what they return.
func steps(t *testing.T, s store.Store, lines ...string) {
	t.Helper()
	p := newPlayer(t, s)
	for _, line := range lines {
		p.step(line)
	}
}

// player runs one clause. Its calls of Take happen at times around noon.
type player struct {
	t             *testing.T
	ctx           context.Context // of the calls
	s             store.Store
	start         time.Time
	round, winner string // for $r and $w
}

func newPlayer(t *testing.T, s store.Store) *player {
	return &player{t: t, ctx: t.Context(), s: s, start: noon()}
}

var quotedOrPlain = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// step makes the call of a line and compares what it returns.
func (p *player) step(line string) {
	p.t.Helper()
	words := quotedOrPlain.FindAllString(strings.NewReplacer("$r", p.round, "$w", p.winner).Replace(line), -1)
	if len(words) == 0 {
		return
	}
	for i, word := range words {
		if text, err := strconv.Unquote(word); err == nil && word[0] == '"' {
			words[i] = text
		}
	}
	times := 1
	if words[0] == "repeat" {
		times, words = int(p.number(words[1])), words[2:]
	}
	call, want := words, []string(nil)
	if i := slices.Index(words, "->"); i >= 0 {
		call, want = words[:i], words[i+1:]
	}
	if call[0] == "race" {
		p.race(call[1:], want)
		return
	}
	for range times {
		if got, err := p.call(call); !slices.Equal(got, want) {
			p.t.Fatal(mismatch(call, got, want, err))
		}
	}
}

// race makes a call many times at once, with the number of the racer for $i.
// One must win, that is return nothing, and the others must return lost.
func (p *player) race(call, lost []string) {
	p.t.Helper()
	results := make([][]string, racers)
	race(func(i int) (err error) {
		own := slices.Clone(call)
		for j := range own {
			own[j] = strings.ReplaceAll(own[j], "$i", strconv.Itoa(i))
		}
		results[i], err = p.call(own)
		return err
	})
	winners := 0
	for i, result := range results {
		switch {
		case len(result) == 0:
			p.winner = strconv.Itoa(i)
			winners++
		case !slices.Equal(result, lost):
			p.t.Fatalf("one of %d calls of %q at once returned %q, want no error or %q", racers, call, result, lost)
		}
	}
	if winners != 1 {
		p.t.Fatalf("%d of %d calls %q at once returned no error, want exactly one", winners, racers, call)
	}
}

// call calls a method and returns its results as words, or the word for its
// error.
func (p *player) call(words []string) ([]string, error) {
	p.t.Helper()
	got, err := p.results(words[0], words[1:])
	if err != nil {
		got = []string{sentinelOf(err)}
	}
	return got, err
}

// sentinels are the words of scripts for the errors that an error may wrap.
var sentinels = map[string]error{
	"ErrExists": store.ErrExists, "ErrNotFound": store.ErrNotFound, "ErrUnavailable": store.ErrUnavailable, "canceled": context.Canceled,
}

// sentinelOf returns the script's word for an error.
func sentinelOf(err error) string {
	for word, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			return word
		}
	}
	return "refused"
}

// mismatch says in a sentence that a call returned something else than wanted.
func mismatch(call, got, want []string, err error) string {
	list := func(words []string) string { return strings.Trim(fmt.Sprintf("%.60q", words), "[]") }
	returned, wanted := strings.TrimPrefix(list(got)+" and no error", " and "), list(want)
	if err != nil {
		returned = fmt.Sprintf("the error %q", err)
	}
	switch {
	case len(want) == 0:
		wanted = "no error"
	case want[0] == "refused":
		wanted = "an error about the argument, which wraps none of ErrExists, ErrNotFound and ErrUnavailable"
	case sentinels[want[0]] != nil:
		wanted = fmt.Sprintf("an error that wraps %s (%q)", want[0], sentinels[want[0]])
	}
	method := strings.Replace(strings.ToUpper(call[0][:1])+call[0][1:], "all", "All", 1)
	return fmt.Sprintf("%s(%s) returned %s, want %s", method, list(call[1:]), returned, wanted)
}

func (p *player) results(method string, args []string) ([]string, error) {
	p.t.Helper()
	ctx := p.ctx
	switch method {
	case "create", "put", "createall":
		return nil, p.write(method, args)
	case "get":
		value, err := p.s.Get(ctx, args[0])
		got := []string{string(value)}
		overwrite(value[:cap(value)])
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
		return words(store.Add(ctx, b, args[0], p.number(args[1]), p.expiry(args[2])))
	case "sweep":
		n, err := b.Sweep(ctx, int(p.number(args[0])))
		return words(int64(n), err)
	case "take":
		return p.take(args)
	case "size":
		return words(b.Size(ctx))
	case "ready":
		return nil, b.Ready(ctx)
	}
	p.t.Fatalf("a store has no method %s", method)
	return nil, nil
}

// write calls a method that takes entries, and then overwrites their values.
func (p *player) write(method string, args []string) error {
	p.t.Helper()
	var entries []store.Entry
	for e := range slices.Chunk(args, 3) {
		entries = append(entries, store.Entry{Key: e[0], Value: []byte(e[1]), Expires: p.expiry(e[2])})
	}
	defer func() {
		for _, e := range entries {
			overwrite(e.Value)
		}
	}()
	switch method {
	case "create":
		return p.s.Create(p.ctx, entries[0].Key, entries[0].Value, entries[0].Expires)
	case "put":
		return p.s.(store.Backend).Put(p.ctx, entries[0].Key, entries[0].Value, entries[0].Expires)
	default:
		return p.s.(store.Backend).CreateAll(p.ctx, entries...)
	}
}

// take calls Take with limits such as 3/1m for the window and 2/24h for the
// period.
func (p *player) take(args []string) ([]string, error) {
	p.t.Helper()
	var limits store.Limits
	per, window, _ := strings.Cut(args[2], "/")
	limits.PerWindow, limits.Window = int(p.number(per)), p.duration(window)
	per, period, _ := strings.Cut(args[3], "/")
	limits.PerPeriod, limits.Period = p.number(per), p.duration(period)
	u, err := store.Take(p.ctx, p.s.(store.Backend), args[0], p.start.Add(p.duration(args[1])), limits)
	got := []string{"full", strconv.Itoa(u.InWindow), "-", strconv.FormatInt(u.InPeriod, 10)}
	if u.Taken {
		got[0] = "taken"
	}
	if !u.Oldest.IsZero() {
		got[2] = u.Oldest.Sub(p.start).String()
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
		overwrite(e.Value)
	}
	return all
}

// expiry parses never, past, future, now (the instant of the call), an RFC 3339
// time or seconds since 1970.
func (p *player) expiry(word string) time.Time {
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

func (p *player) number(word string) int64 {
	p.t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	done(p.t, err, "a number")
	return n
}

func (p *player) duration(word string) time.Duration {
	p.t.Helper()
	d, err := time.ParseDuration(word)
	done(p.t, err, "a duration")
	return d
}
