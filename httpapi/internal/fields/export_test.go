package fields

// All yields the fields as sent, in their order.
func (s *Set) All(yield func(name string, value []byte) bool) {
	for _, f := range s.sent {
		if !yield(string(f.name), f.value) {
			return
		}
	}
}
