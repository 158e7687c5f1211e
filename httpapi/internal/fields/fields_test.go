package fields_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/devkiln/devkiln/httpapi/internal/fields"
)

// FuzzParse verifies that an accepted body has the meaning that encoding/json
// gives it, and that a body that encoding/json rejects is rejected.
func FuzzParse(f *testing.F) {
	for _, body := range []string{
		`{"a": "b", "c" : [1, {"d": ":,}"}] , "e":{"f":"g","h":-1.5e+3},"":null}`, `{"\u0061\"": "\ud83d\ude00\/\b\f\n\r\t\\"}`,
		`{"a":1,"\u0061":2}`, `{"a":1:2}`, `{:1}`, `[{"a":1}]`, `{"a":"\`, `{"a":"\u00`, "\ufeff{}", `{"a":"` + "\x00" + `"}`, `{}{}`, `{"a":--1}`, `"a":1`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		set, err := fields.Parse(body)
		if err != nil {
			return
		}
		values, texts := make(map[string]json.RawMessage), make(map[string]string)
		for name, value := range set.All {
			values[name] = json.RawMessage(value)
			if value[0] == '"' {
				texts[name] = set.Text(name)
			}
		}
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(bytes.TrimPrefix(body, []byte("\ufeff")), &want))
		require.Equal(t, want, values)
		for name, text := range texts {
			var s string
			require.NoError(t, json.Unmarshal(want[name], &s))
			require.Equal(t, s, text)
		}
		for name, value := range want {
			_, isText := texts[name]
			require.Equal(t, value[0] == '"', isText)
		}
	})
}

func TestFromQuery_namesAllThatIsAtFault(t *testing.T) {
	for range 20 { // the order must not depend on map iteration
		f, err := fields.FromQuery("title=a&title=b&expiry=1h&expiry=2h&colour=red&colour=blue&format=json", "title", "expiry", "format")
		require.NoError(t, err)
		require.EqualError(t, f.Check(nil), `expiry: must appear once in the query
title: must appear once in the query
colour: is not a field of this operation`)
	}
}
