package httpapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/internal/contract"
	"github.com/devkiln/devkiln/screenshot"
)

const staticKey = contract.StaticKey

// TestContract plays every case in testdata/contract, each against its own
// server in a bubble whose clock starts on 2000-01-01.
func TestContract(t *testing.T) {
	cases, err := contract.Load("testdata/contract")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(cases), 300)
	long := func(s contract.Step) bool {
		return s.PadTo > 0 || s.Base64 != nil || s.Times > 1000 || bytes.Contains(s.Body, []byte(`"$repeat"`))
	}
	for _, c := range cases {
		if testing.Short() && slices.ContainsFunc(c.Steps, long) {
			continue // of one goroutine
		}
		t.Run(c.File+"/"+c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				assert.NoError(t, player(t, c.Server).Play(t.Context(), c))
			})
		})
	}
}

// player starts the server for a case.
func player(t *testing.T, s contract.Server) *contract.Player {
	p := contract.Start(t, s)
	p.Observe = promises
	return p
}

// promises checks what every response of the API guarantees, regardless of the
// case.
func promises(r *http.Request, _ []byte, response *http.Response, text []byte) error {
	if response.StatusCode == http.StatusNoContent || response.StatusCode == http.StatusNotModified {
		return nil
	}
	clean := path.Clean(r.URL.Path)
	if clean != "/api" && !strings.HasPrefix(clean, "/api/") {
		return nil
	}
	for name, want := range map[string]string{
		"Content-Type":           "application/json; charset=utf-8",
		"Cache-Control":          "no-store",
		"X-Content-Type-Options": "nosniff",
		"Content-Length":         strconv.Itoa(len(text)),
	} {
		if got := response.Header.Get(name); got != want {
			return fmt.Errorf("%s is %q, must be %q", name, got, want)
		}
	}
	var a struct {
		Success   *bool
		Error     *struct{ Code, Message string }
		RequestID string
		Config    json.RawMessage
		WebURL    string
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return err
	}
	id := response.Header.Get("X-Request-Id")
	switch good := response.StatusCode == http.StatusOK; {
	case id == "":
		return errors.New("no X-Request-Id")
	case a.Success == nil || *a.Success != good || (a.Error == nil) != good:
		return errors.New("success, error and status do not agree")
	case !good && (a.RequestID != id || a.Error.Code == "" || a.Error.Message == ""):
		return errors.New("a failure without its id, code or message")
	case a.WebURL != "":
		return opens(a.WebURL, a.Config)
	}
	return nil
}

// opens checks that a link to the web tool carries the config.
func opens(link string, config json.RawMessage) error {
	_, fragment, _ := strings.Cut(link, "#")
	carried, err := screenshot.ParseFragment(fragment)
	if err != nil {
		return err
	}
	var returned screenshot.Config
	if err := json.Unmarshal(config, &returned); err != nil {
		return err
	}
	if !reflect.DeepEqual(carried, returned) {
		return errors.New("the link carries another config")
	}
	return nil
}
