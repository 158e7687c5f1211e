package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const leaking = "DB_PASSWORD=hunter2\n03:00 ERROR password expired\n"

func TestShare_masksBeforeSending(t *testing.T) {
	t.Parallel()
	s := start(t, none, "--store=memory:")
	variables := []string{"DEVKILN_URL=" + s.base, "DEVKILN_KEY=" + s.key}
	link, stderr, err := piped(t, variables, leaking+"my key is "+s.key+"\n", "log", "--mask", "--title=password=hunter2")
	require.NoError(t, err)
	assert.Equal(t, "Masked before sending: 2 × password, 1 × Devkiln key.\n", stderr)
	log := found(t, s, "log-share", link)
	assert.Equal(t, "DB_PASSWORD=[masked: password]\n03:00 ERROR password expired\nmy key is [masked: devkiln-key]\n", log["content"])
	assert.Equal(t, "password=[masked: password]", log["title"])

	link, stderr, err = piped(t, variables, `const password = "hunter2"`, "snippet", "--mask")
	require.NoError(t, err)
	assert.Equal(t, "Masked before sending: 1 × password.\n", stderr)
	assert.Equal(t, `const password = "[masked: password]"`, found(t, s, "code-snippet-share", link)["code"])

	_, stderr, err = piped(t, variables, "ada@kiln.example at 192.0.2.7 opened /home/ada/x", "log", "--mask=secrets,addresses,users")
	require.NoError(t, err)
	assert.Equal(t, "Masked before sending: 1 × email address, 1 × IP address, 1 × user name.\n", stderr)
	_, _, err = piped(t, variables, "x", "log", "--mask=secrets,names")
	require.ErrorContains(t, err, `--mask "names": must be a list of secrets, addresses and users`)

	_, stderr, err = piped(t, variables, "nothing to hide", "log", "--mask")
	require.NoError(t, err)
	assert.Equal(t, "No secrets were found to mask.\n", stderr)

	link, stderr, err = piped(t, variables, leaking, "log")
	require.NoError(t, err)
	assert.Empty(t, stderr)
	assert.Equal(t, leaking, found(t, s, "log-share", link)["content"])
}

func TestServe_mask(t *testing.T) {
	t.Parallel()
	s := start(t, []string{"DEVKILN_MASK_SECRETS=true"}, "--store=memory:")
	status, made := call(t, http.MethodPost, s.base+"/api/v1/log-share", s.key, `{"content":"password=hunter2","stats":{"errors":1}}`)
	require.Equal(t, http.StatusOK, status)
	assert.Len(t, made, 4, "success, id, url and expiresAt as ever")
	status, log := call(t, http.MethodGet, s.base+"/api/v1/log-share/"+made["id"].(string), s.key, "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "password=[masked: password]", log["content"])
	assert.Len(t, log, 8, "the fields of the contract and no other")
}
