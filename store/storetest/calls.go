package storetest

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/devkiln/devkiln/store"
	"github.com/devkiln/devkiln/store/driver"
)

// A call of each method, as in a script, in which K stands for a key. Behavior
// common to all methods, such as their result after Close, is checked with each.
var (
	storeCalls   = []string{`create K "" never`, `get K`, `delete K`}
	keyedCalls   = []string{`put K "" never`, `add K 1 never`, `take K 0s 2/1m 0/0s`, `createall first "" never K "" never`, `deleteall there K`}
	otherCalls   = []string{`list "" "" 1`, `count ""`, `sweep 1`, `size`, `ready`}
	backendCalls = append(keyedCalls, otherCalls...)
)

// all makes each call with a key, and compares what it returns.
func (p *player) all(calls []string, key, want string) {
	p.t.Helper()
	for _, call := range calls {
		p.step(strings.ReplaceAll(call, "K", strconv.Quote(key)) + " -> " + want)
	}
}

// illegalKeys checks that calls refuse keys and change nothing.
func illegalKeys[S store.Store](t *testing.T, s S, calls []string) {
	steps(t, s, "create there stays never")
	for _, key := range []string{
		"", " ", "a b", " a", "a ", "a\n", "\x00", "a\x00b", "\x7f", "\x1f", "ä", "日本", "a\xffb",
		strings.Repeat("k", driver.MaxKeyBytes+1), strings.Repeat("k", 1<<16),
	} {
		newPlayer(t, s).all(calls, key, "refused")
	}
	steps(t, s, "get first -> ErrNotFound", "get there -> stays")
}

// canceledContext checks that calls do nothing once their context is done.
func canceledContext[S store.Store](t *testing.T, s S, calls []string) {
	steps(t, s, "create there stays never", `create expired "" past`)
	p := newPlayer(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.ctx = ctx
	p.all(calls, "new", "canceled")
	p.all(calls, "there", "canceled")
	steps(t, s, "get there -> stays", "get new -> ErrNotFound", "get first -> ErrNotFound")
}
