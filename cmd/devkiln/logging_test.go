package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// paper is a log that was written.
type paper struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes++
	return p.text.Write(b)
}

func (p *paper) lines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Split(strings.TrimSuffix(p.text.String(), "\n"), "\n")
}

func TestRequestsAreLoggedTogetherAndEventsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		written := &paper{}
		out := newLines(written)
		write := func(w interface{ Write([]byte) (int, error) }, line string) {
			n, err := w.Write([]byte(line + "\n"))
			require.NoError(t, err)
			require.Equal(t, len(line)+1, n)
		}
		for i := range 3 {
			write(late{out}, fmt.Sprint("request ", i))
			time.Sleep(30 * time.Millisecond)
		}
		synctest.Wait()
		assert.Equal(t, []string{""}, written.lines(), "90 ms are not late yet")
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		assert.Equal(t, []string{"request 0", "request 1", "request 2"}, written.lines())

		write(late{out}, "request 3")
		write(out, "event")
		assert.Equal(t, []string{"request 3", "event"}, written.lines()[3:])
		write(late{out}, "request 4")
		out.flush()
		assert.Equal(t, "request 4", written.lines()[5])

		time.Sleep(time.Second)
		synctest.Wait()
		assert.Len(t, written.lines(), 6)
	})
}

// Whoever logs from many goroutines at once finds all lines, whole and in order.
func TestLinesAreWholeAndInOrder(t *testing.T) {
	const writers, each = 8, 2000
	written := &paper{}
	out := newLines(written)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				line := fmt.Appendf(nil, "%d %d %s\n", w, i, strings.Repeat("x", i%300))
				if i%100 == 0 {
					_, _ = out.Write(line)
				} else {
					_, _ = late{out}.Write(line)
				}
			}
		})
	}
	wg.Wait()
	out.flush()
	next := make([]int, writers)
	for _, line := range written.lines() {
		var w, i int
		_, err := fmt.Sscanf(line, "%d %d", &w, &i)
		require.NoError(t, err)
		require.Equal(t, next[w], i)
		require.Equal(t, fmt.Sprintf("%d %d %s", w, i, strings.Repeat("x", i%300)), line)
		next[w]++
	}
	for _, n := range next {
		assert.Equal(t, each, n)
	}
	assert.Less(t, written.writes, writers*each/10)
}
