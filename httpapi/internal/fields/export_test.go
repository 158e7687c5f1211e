package fields

import "github.com/go-json-experiment/json/jsontext"

// All yields the fields as sent, in their order.
func (s *Set) All(yield func(name string, value jsontext.Value) bool) {
	for _, f := range s.sent {
		if !yield(string(f.name), f.value) {
			return
		}
	}
}
