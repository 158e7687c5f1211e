package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// varies matches what differs between runs.
var varies = regexp.MustCompile(idOrTime.String() + `|\d{4}-\d\d-\d\d \d\d:\d\dZ`)

// Every command of docs/tutorial.md, run in order, has the documented output.
func TestTutorial_saysWhatItDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one goroutine")
	}
	t.Parallel()
	page, err := os.ReadFile("../../docs/tutorial.md")
	require.NoError(t, err)
	steps := regexp.MustCompile("(?s)```sh\n([^`]*)```\n\n```text\n([^`]*)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, steps, strings.Count(string(page), "```sh"))
	d := newDesk(t)
	for _, step := range steps {
		said := strings.ReplaceAll(d.run(t, "sh", "-ec", step[1]), d.base, "http://127.0.0.1:8080")
		assert.Equal(t, varies.ReplaceAllString(step[2], "…"), varies.ReplaceAllString(said, "…"), step[1])
	}
	picture, err := os.ReadFile(d.dir + "/kiln.png")
	require.NoError(t, err)
	assert.Equal(t, "\x89PNG", string(picture[:4]))
}
