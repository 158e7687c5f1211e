package httpapi_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi"
	"github.com/devkiln/devkiln/store"
)

func TestNew_namesAllThatCannotWork(t *testing.T) {
	_, err := httpapi.New(httpapi.Options{BaseURL: &url.URL{Path: "/tools"}, CORSOrigins: []string{"*", "https://a.test/", "a.test"}, MaxMemory: -1, BodyTimeout: -time.Second})
	for _, want := range []string{"Options.Shares is nil", "Options.Keys is nil", "Options.Limiter is nil", `Options.BaseURL is "/tools"`, `Options.CORSOrigins[1] is "https://a.test/"`, `Options.CORSOrigins[2] is "a.test"`, "Options.MaxMemory is -1", "Options.BodyTimeout is -1s"} {
		require.ErrorContains(t, err, want)
	}
}

func TestNew_takesABaseURLThatLinksCanBeMadeOf(t *testing.T) {
	for base, legal := range map[string]bool{
		"https://kiln.test/tools": true, "http://kiln.test:8080": true,
		"/tools": false, "//kiln.test": false, "kiln.test": false, "ftp://kiln.test": false, "https://": false,
		"https://kiln.test?a=b": false, "https://kiln.test/#a": false, "https://me:secret@kiln.test": false,
	} {
		o := options(t, store.NewMemory())
		var err error
		o.BaseURL, err = url.Parse(base)
		require.NoError(t, err)
		_, err = httpapi.New(o)
		assert.Equal(t, legal, err == nil, base)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret")
		}
	}
}
