package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/dashboard"
)

// crowd is a password queue whose checks last until they are told to end.
type crowd struct {
	do   func(ctx context.Context, tries int, check func() bool) (bool, error)
	end  chan struct{}
	mu   sync.Mutex
	went []string // who was checked or turned away, in order
	all  sync.WaitGroup
}

// come adds a sign-in to the queue and waits until it is there.
func (c *crowd) come(ctx context.Context, name string, tries int) {
	c.all.Go(func() {
		_, err := c.do(ctx, tries, func() bool {
			c.note(name)
			<-c.end
			return true
		})
		if err != nil {
			c.note(name + ": " + err.Error())
		}
	})
	synctest.Wait()
}

func (c *crowd) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.went = append(c.went, what)
}

// next ends one check and returns what has happened since the last call.
func (c *crowd) next() []string {
	c.end <- struct{}{}
	synctest.Wait()
	return c.since()
}

func (c *crowd) since() (went []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	went, c.went = c.went, nil
	return went
}

func newCrowd() *crowd { return &crowd{do: dashboard.NewHashing(), end: make(chan struct{})} }

// Half of the processors hash while ten sign-ins wait. Addresses with fewer
// tries go first and displace those with more.
func TestSignIn_thoseWhoTriedLeastGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, ctx := newCrowd(), t.Context()
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			c.come(ctx, "running", 5)
		}
		c.since()
		for i := range 10 {
			c.come(ctx, fmt.Sprintf("guesser %d", i), 2)
		}
		assert.Empty(t, c.since())
		c.come(ctx, "eleventh", 2)
		c.come(ctx, "honest", 1)
		crowded := ": " + dashboard.ErrTooManyWaiting.Error()
		assert.Equal(t, []string{"eleventh" + crowded, "guesser 9" + crowded}, c.since())
		assert.Equal(t, []string{"honest"}, c.next())
		assert.Equal(t, []string{"guesser 0"}, c.next())
		close(c.end)
		c.all.Wait()
	})
}

// A cancelled sign-in leaves the queue.
func TestSignIn_leavesTheQueueWhenCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd()
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			c.come(t.Context(), "running", 1)
		}
		gone, leave := context.WithCancel(t.Context())
		c.come(gone, "gone", 1)
		c.come(t.Context(), "stays", 1)
		c.since()
		leave()
		synctest.Wait()
		assert.Equal(t, []string{"gone: context canceled"}, c.since())
		assert.Equal(t, []string{"stays"}, c.next())
		close(c.end)
		c.all.Wait()
	})
}

// All /64 of a /48 share 20 wrong passwords.
func TestSignIn_networkIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.setPassword(t)
		try := func(addr, password string) int {
			q := p.other()
			q.addr = "[" + addr + "]"
			return q.post(t, "/dashboard/sign-in", "password", password).Code
		}
		for i := range 20 {
			require.Equal(t, http.StatusForbidden, try(fmt.Sprintf("2001:db8:7:%x::1", i), "wrong"), i)
		}
		assert.Equal(t, http.StatusTooManyRequests, try("2001:db8:7:ffff::1", password))
		assert.Equal(t, http.StatusSeeOther, try("2001:db8:8::1", password))
		wait(15 * time.Minute)
		assert.Equal(t, http.StatusSeeOther, try("2001:db8:7:ffff::1", password))
	})
}

// A refusal takes a second but costs the server nothing.
func TestSignIn_refusalsAreDelayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.setPassword(t)
		try := func() (status int, took time.Duration) {
			begin := time.Now()
			return p.post(t, "/dashboard/sign-in", "password", "wrong").Code, time.Since(begin)
		}
		for range 5 {
			status, took := try()
			require.Equal(t, http.StatusForbidden, status)
			assert.Zero(t, took)
		}
		status, took := try()
		assert.Equal(t, http.StatusTooManyRequests, status)
		assert.Equal(t, time.Second, took)
	})
}

func TestSetPassword_liftsLockouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPanel(t)
		p.setPassword(t)
		for range 5 {
			p.post(t, "/dashboard/sign-in", "password", "wrong")
		}
		require.Equal(t, http.StatusTooManyRequests, p.post(t, "/dashboard/sign-in", "password", password).Code)
		p.setPassword(t)
		assert.Equal(t, http.StatusSeeOther, p.post(t, "/dashboard/sign-in", "password", password).Code)
	})
}

// Error pages of the dashboard keep its navigation.
func TestFailure_keepsTheNavigation(t *testing.T) {
	p := newPanel(t)
	p.setPassword(t)
	assert.NotContains(t, p.get(t, "/dashboard/nowhere").Body.String(), `aria-label="Dashboard"`)
	p.signIn(t)
	for target, status := range map[string]int{
		"/dashboard/nowhere": http.StatusNotFound, "/dashboard/keys/none": http.StatusNotFound, "/dashboard/shares/log/0123456789abcdef": http.StatusNotFound,
		"/dashboard/shares?after=%00": http.StatusNotFound,
	} {
		w := p.get(t, target)
		assert.Equal(t, status, w.Code, target)
		assert.Contains(t, w.Body.String(), `aria-label="Dashboard"`, target)
		assert.NotContains(t, p.do(t, http.MethodGet, target, nil, "Accept", "*/*").Body.String(), "<", target)
	}
}
