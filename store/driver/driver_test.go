package driver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/devkiln/devkiln/store/driver"
)

func TestCheckKey(t *testing.T) {
	for key, want := range map[string]string{
		"a":                                     "",
		"!~":                                    "",
		strings.Repeat("k", driver.MaxKeyBytes): "",
		"":                                      "key has 0 bytes, must have 1 to 256",
		strings.Repeat("k", driver.MaxKeyBytes+1): "key has 257 bytes, must have 1 to 256",
		"a b": "has byte 0x20 at 1, must be printable ASCII without spaces",
		"ä":   "has byte 0xc3 at 0",
	} {
		err := driver.CheckKey(key)
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
}
