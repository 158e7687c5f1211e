package share_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/share"
	"github.com/devkiln/devkiln/share/logs"
	"github.com/devkiln/devkiln/store"
)

// longLog returns a log of the given number of lines. Every hundredth is an
// error, sometimes with a stack trace.
func longLog(lines int) string {
	var b strings.Builder
	for i := 1; i <= lines; i++ {
		switch {
		case i%100 == 0:
			fmt.Fprintf(&b, "2026-11-22T10:%02d:%02dZ ERROR request %d failed: connection to 10.0.0.%d refused\n", i/60%60, i%60, i, i%250)
		case i%100 == 1 && i > 1:
			b.WriteString("\tat com.example.Pool.take(Pool.java:71)\n")
		default:
			fmt.Fprintf(&b, "2026-11-22T10:%02d:%02dZ INFO request %d took %d ms\n", i/60%60, i%60, i, i%77)
		}
	}
	return b.String()
}

// textOf reads a log back.
func textOf(t *testing.T, s *share.Service, l share.Log) string {
	t.Helper()
	var b strings.Builder
	for part, err := range s.LogText(t.Context(), l) {
		require.NoError(t, err)
		b.WriteString(part)
	}
	return b.String()
}

// createFrom shares a text, reads it back and returns both.
func createFrom(t *testing.T, s *share.Service, text string, o share.LogOptions) (share.Log, string) {
	t.Helper()
	made, err := s.CreateLogFrom(t.Context(), iotest.HalfReader(strings.NewReader(text)), o)
	require.NoError(t, err)
	found, err := s.Log(t.Context(), made.ID)
	require.NoError(t, err)
	require.Equal(t, made.Parts, found.Parts)
	return found, textOf(t, s, found)
}

func TestCreateLogFrom_keepsWhatIsShortAsCreateLogDoes(t *testing.T) {
	for name, text := range map[string]string{
		"one line": "ERROR é\r\n",
		"longest":  strings.Repeat("é", share.MaxLogContent),
	} {
		backend := store.NewMemory()
		s, _ := newService(backend)
		made, err := s.CreateLogFrom(t.Context(), iotest.OneByteReader(strings.NewReader(text)), share.LogOptions{Title: "t"})
		require.NoError(t, err, name)
		same, err := s.CreateLog(t.Context(), text, share.LogOptions{Title: "t"})
		require.NoError(t, err)
		same.ID, same.Created, same.Expires = made.ID, made.Created, made.Expires
		assert.Equal(t, same, made, name)
		entries := everyEntry(t, backend)
		require.Len(t, entries, 2, name)
		assert.Equal(t, byte(1), entries[0].Value[0], "the version of the envelope")
		found, err := s.Log(t.Context(), made.ID)
		require.NoError(t, err)
		assert.Equal(t, []share.LogPart{{Line: 1, Bytes: len(text)}}, found.Parts, name)
		assert.True(t, found.Content == text && textOf(t, s, found) == text, name)
	}
}

func everyEntry(t *testing.T, backend store.Backend) []store.Entry {
	t.Helper()
	entries, err := backend.List(t.Context(), "", "", 1000)
	require.NoError(t, err)
	return entries
}

func TestCreateLogFrom_inParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s := must(share.New(backend, share.Options{List: true}))
	text := longLog(60_000)
	log, got := createFrom(t, s, text, share.LogOptions{Title: "nightly", Owner: "me", Expiry: share.Expiry7d})
	require.True(t, got == text, "byte for byte")
	assert.Equal(t, "nightly", log.Title)
	assert.Equal(t, share.FormatText, log.Format)
	assert.EqualValues(t, len(text), log.Bytes)
	want := logs.Summarize(text, logs.Options{Now: log.Created})
	assert.Equal(t, want.Analysis, log.Summary().Analysis)
	assert.Equal(t, want.FirstError, log.Summary().FirstError)
	assert.NotEmpty(t, log.Histogram())

	require.Greater(t, len(log.Parts), 5)
	number := 1
	for i, p := range log.Parts {
		part, err := s.LogPart(t.Context(), log, i)
		require.NoError(t, err)
		assert.Len(t, part, p.Bytes)
		assert.Equal(t, number, p.Line)
		assert.Equal(t, i, log.PartOf(p.Line))
		assert.Regexp(t, `^2026`, part, "a part starts where an entry starts")
		number += strings.Count(part, "\n")
		assert.Equal(t, i, log.PartOf(number-1))
	}
	assert.Empty(t, log.Content)

	count, err := share.Count(t.Context(), backend, share.KindLog)
	require.NoError(t, err)
	assert.EqualValues(t, 1, count)
	page, err := s.Find(t.Context(), share.Query{Owner: "me"})
	require.NoError(t, err)
	require.Len(t, page.Shares, 1)
	assert.Equal(t, len(text), page.Shares[0].Bytes)
	for _, e := range everyEntry(t, backend) {
		assert.Equal(t, log.Expires, e.Expires, "one share, one expiry: %s", e.Key)
	}

	require.ErrorIs(t, s.Delete(t.Context(), share.KindLog, log.ID, "another"), share.ErrNotFound)
	require.NoError(t, s.Delete(t.Context(), share.KindLog, log.ID, "me"))
	assert.Empty(t, everyEntry(t, backend), "nothing of it is left")
	_, err = s.LogPart(t.Context(), log, 0)
	require.ErrorIs(t, err, share.ErrNotFound)
}

func TestDiscard_ofALogInParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s := must(share.New(backend, share.Options{List: true}))
	createFrom(t, s, longLog(20_000), share.LogOptions{})
	page, err := s.Find(t.Context(), share.Query{})
	require.NoError(t, err)
	require.NoError(t, s.Discard(t.Context(), page.Shares[0].Cursor()))
	assert.Empty(t, everyEntry(t, backend))
}

// TestDiscard_ofALogWithADamagedHead examines what remains in the store: parts
// that no one can read any more and that never expire.
func TestDiscard_ofALogWithADamagedHead(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	for name, damage := range map[string]func(b store.Backend, head string) error{
		"damaged": func(b store.Backend, head string) error {
			return b.Put(t.Context(), head, []byte("\x02damaged"), time.Time{})
		},
		"gone": func(b store.Backend, head string) error { return b.Delete(t.Context(), head) },
	} {
		t.Run(name, func(t *testing.T) {
			backend := store.NewMemory()
			s := must(share.New(backend, share.Options{List: true}))
			log, _ := createFrom(t, s, longLog(20_000), share.LogOptions{Expiry: share.ExpiryNever})
			require.NoError(t, damage(backend, "log/"+log.ID))
			page, err := s.Find(t.Context(), share.Query{})
			require.NoError(t, err)
			require.NoError(t, s.Discard(t.Context(), page.Shares[0].Cursor()))
			assert.Empty(t, everyEntry(t, backend))
		})
	}
}

func TestCreateLogFrom_linesLongerThanAPart(t *testing.T) {
	s, _ := newService(store.NewMemory())
	text := "INFO up\nERROR " + strings.Repeat("é", 1<<20) + "\nINFO down"
	log, got := createFrom(t, s, text, share.LogOptions{})
	require.True(t, got == text)
	last := log.Parts[len(log.Parts)-1]
	assert.Equal(t, 2, last.Line, "it goes on in every part")
	assert.Equal(t, 3, log.Summary().Analysis.Lines)
}

func TestCreateLogFrom_formats(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	s, _ := newService(store.NewMemory())
	lines := strings.Repeat(`{"level":"error","msg":"disk full"}`+"\n", 20_000)
	log, _ := createFrom(t, s, lines, share.LogOptions{})
	assert.Equal(t, share.FormatJSON, log.Format)
	log, _ = createFrom(t, s, lines, share.LogOptions{Format: share.FormatText})
	assert.Equal(t, share.FormatText, log.Format)
	_, err := s.CreateLogFrom(t.Context(), strings.NewReader(longLog(20_000)), share.LogOptions{Format: share.FormatJSON})
	assert.ErrorContains(t, err, "format: is json, but content is not JSON lines")
}

// TestCreateLogFrom_masksAcrossParts puts secrets of one line and of many lines
// where parts would end, and everywhere else.
func TestCreateLogFrom_masksAcrossParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 300) + "-----END PRIVATE KEY-----\n"
	s := must(share.New(store.NewMemory(), share.Options{MaskSecrets: true}))
	for name, text := range map[string]string{
		"keys":      strings.Repeat(key, 60),
		"passwords": strings.Repeat("10:00:00 INFO password=hunter2 token=0123456789abcdef ok\n", 20_000),
		"one line":  strings.Repeat("password=hunter2 token=0123456789abcdef ", 28_000),
	} {
		log, got := createFrom(t, s, text, share.LogOptions{Title: "password=hunter2"})
		for _, secret := range []string{"hunter", "unter2", "01234567", "89abcdef", "MIIEvQIBADANBgkqhkiG9w"} {
			assert.Equal(t, -1, strings.Index(got, secret), "%s in %s", secret, name)
		}
		assert.Equal(t, strings.Count(text, "\n"), strings.Count(got, "\n"), name)
		assert.NotContains(t, log.Title, "hunter2")
		if name == "passwords" {
			assert.Equal(t, 40_001, log.Masked.Total(), "with that of the title")
		}
	}
}

func TestCreateLogFrom_fitEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	s := must(share.New(store.NewMemory(), share.Options{MaxLogBytes: 2 << 20}))
	text := longLog(100_000)
	log, got := createFrom(t, s, text, share.LogOptions{FitEnds: true})
	assert.LessOrEqual(t, len(got), 2<<20+100)
	assert.Greater(t, len(got), 4<<20/3)
	front, rest, found := strings.Cut(got, "[")
	require.True(t, found)
	note, back, _ := strings.Cut(rest, "]\n")
	assert.True(t, strings.HasPrefix(text, front))
	assert.True(t, strings.HasSuffix(text, back))
	var lines, failed int
	_, err := fmt.Sscanf(note, "%d lines are left out here, errors among them: %d", &lines, &failed)
	require.NoError(t, err, note)
	assert.Equal(t, 100_000, strings.Count(front+back, "\n")+lines)
	assert.Equal(t, 1000, strings.Count(front+back, "ERROR")+failed)
	assert.Regexp(t, `^2026`, back, "an entry starts behind what is left out")
	whole := log.Summary().Analysis
	assert.Equal(t, strings.Count(got, "ERROR"), whole.Errors, "the line itself is none")

	_, err = s.CreateLogFrom(t.Context(), strings.NewReader(strings.Repeat(text, 2)), share.LogOptions{FitEnds: true})
	require.ErrorContains(t, err, "has more than 8388608 bytes")
}

func TestCreateLogFrom_fitEndsOfManyLines(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	s := must(share.New(store.NewMemory(), share.Options{}))
	text := strings.Repeat("x\n", 1_600_000)
	log, got := createFrom(t, s, text, share.LogOptions{FitEnds: true})
	assert.LessOrEqual(t, log.Lines, share.MaxLogLines+1)
	assert.Greater(t, log.Lines, share.MaxLogLines/2)
	_, note, _ := strings.Cut(got, "[")
	var omitted int
	_, err := fmt.Sscanf(note, "%d lines are left out here", &omitted)
	require.NoError(t, err)
	assert.Equal(t, 1_600_001, log.Lines+omitted)
}

func TestCreateLogFrom_refuses(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s := must(share.New(backend, share.Options{MaxLogBytes: 4 << 20}))
	long := longLog(20_000)
	broken := errors.New("broken off")
	for name, test := range map[string]struct {
		text io.Reader
		o    share.LogOptions
		want string
	}{
		"empty":         {strings.NewReader(""), share.LogOptions{}, "content: must not be empty"},
		"no UTF-8":      {strings.NewReader(long + "\xff" + long), share.LogOptions{}, "content: must be valid UTF-8"},
		"cut character": {strings.NewReader(long + "\xc3"), share.LogOptions{}, "content: must be valid UTF-8"},
		"lines":         {bytes.NewReader(bytes.Repeat([]byte("\n"), 1_600_000)), share.LogOptions{}, "content: has more than 1500000 lines"},
		"bytes":         {strings.NewReader(strings.Repeat(long, 5)), share.LogOptions{}, "content: has more than 4194304 bytes"},
		"options":       {strings.NewReader(long), share.LogOptions{Expiry: "2d", Title: strings.Repeat("t", 1001)}, "title: has 1001 characters, must have at most 1000\nexpiry: must be one of"},
		"breaks off":    {io.MultiReader(strings.NewReader(long), iotest.ErrReader(broken)), share.LogOptions{}, "broken off"},
	} {
		_, err := s.CreateLogFrom(t.Context(), test.text, test.o)
		assert.ErrorContains(t, err, test.want, name)
		if at, ok := errors.AsType[*share.UTF8Error](err); ok {
			assert.EqualValues(t, len(long), at.Offset, name)
		}
	}
	assert.Empty(t, everyEntry(t, backend))
	_, err := must(share.New(bare{backend}, share.Options{})).CreateLogFrom(t.Context(), strings.NewReader(long), share.LogOptions{})
	require.ErrorContains(t, err, "needs a store.Backend")
}

// bare is a store that is not a Backend.
type bare struct{ store.Store }

func TestCreateLogFrom_isDoneOnceForAKey(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s, _ := newService(backend)
	o := share.LogOptions{Owner: "me", IdempotencyKey: "k"}
	text := longLog(20_000)
	first, err := s.CreateLogFrom(t.Context(), strings.NewReader(text), o)
	require.NoError(t, err)
	entries := len(everyEntry(t, backend))
	again, err := s.CreateLogFrom(t.Context(), strings.NewReader(text), o)
	require.NoError(t, err)
	assert.True(t, again.Replayed)
	assert.Equal(t, first.ID, again.ID)
	assert.Len(t, everyEntry(t, backend), entries)
	_, err = s.CreateLogFrom(t.Context(), strings.NewReader(text+"!"), o)
	require.ErrorIs(t, err, share.ErrKeyReused)
}

func TestCheck_missesAPart(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s, _ := newService(backend)
	log, _ := createFrom(t, s, longLog(20_000), share.LogOptions{})
	faults := func() (all []string) {
		require.NoError(t, share.Check(t.Context(), backend, func(f share.Finding) {
			if f.Fault != nil {
				all = append(all, f.Key+" "+f.Fault.Error())
			}
		}))
		return all
	}
	assert.Empty(t, faults())
	require.NoError(t, backend.Delete(t.Context(), "part/"+log.ID+"/0001"))
	require.Len(t, faults(), 1)
	assert.Contains(t, faults()[0], "log/"+log.ID+" part/"+log.ID+"/0001: store: not found")
	require.NoError(t, backend.Put(t.Context(), "part/"+log.ID+"/0001", []byte{1, 2, 3}, log.Expires))
	assert.Contains(t, faults()[0], "part/"+log.ID+"/0001 envelope cannot be decompressed")
}

// A log that is deleted while the store is checked is not damaged.
func TestCheck_besideADeletion(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	backend := store.NewMemory()
	s, _ := newService(backend)
	for range 2 {
		createFrom(t, s, longLog(20_000), share.LogOptions{Owner: "o"})
	}
	heads := 0
	require.NoError(t, share.Check(t.Context(), backend, func(f share.Finding) {
		assert.NoError(t, f.Fault, f.Key)
		if !f.Share {
			return
		}
		heads++
		for _, key := range keysOf(t, backend) {
			if kind, id, _ := strings.Cut(key, "/"); kind == string(share.KindLog) && key != f.Key {
				require.NoError(t, s.Delete(t.Context(), share.KindLog, id, "o"))
			}
		}
	}))
	assert.Equal(t, 2, heads, "the second was listed before it was deleted")
}

// TestLogWriter_heldIsBounded bounds the memory of an upload of 32 MiB.
func TestLogWriter_heldIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	s, _ := newService(store.NewMemory())
	w := s.NewLog(share.LogOptions{})
	text, most := longLog(100_000), int64(0)
	for written := 0; written+len(text) < 32<<20; written += len(text) {
		_, err := io.Copy(w, struct{ io.Reader }{strings.NewReader(text)})
		require.NoError(t, err)
		most = max(most, w.Held())
	}
	assert.Less(t, most, int64(12<<20))
}

func TestLogWriter_ofAnUploadThatIsGone(t *testing.T) {
	backend := store.NewMemory()
	s, _ := newService(backend)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.CreateLogFrom(ctx, strings.NewReader(longLog(20_000)), share.LogOptions{})
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, everyEntry(t, backend))
}

// The statistics of a log in several parts are those of its whole text.
func TestLog_statisticsOfParts(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	s, _ := newService(store.NewMemory())
	log, err := s.CreateLogFrom(t.Context(), strings.NewReader(strings.Repeat("2026-11-24 10:00:00 ERROR disk\n", 30_000)), share.LogOptions{})
	require.NoError(t, err)
	require.Greater(t, len(log.Parts), 1)
	found, err := s.Log(t.Context(), log.ID)
	require.NoError(t, err)
	for _, l := range []share.Log{log, found} {
		require.JSONEq(t, `{"lines":30000,"errors":30000,"warnings":0,"info":0,"debug":0,"other":0,
			"firstTimestamp":"2026-11-24T10:00:00.000Z","lastTimestamp":"2026-11-24T10:00:00.000Z"}`, string(l.Statistics()))
	}
}
