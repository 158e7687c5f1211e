package dashboard_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
