package httpapi

import "github.com/devkiln/devkiln/share/mask"

// masked is the response to a request for a text without its secrets.
type masked struct {
	Success bool   `json:"success"`
	Result  string `json:"result"`
	Found   int    `json:"found"`
}

func (s *server) maskSecrets(q *request) (response, error) {
	q.fields.Require("text")
	text, _ := q.fields.Lookup("text")
	if err := q.fields.Check(nil); err != nil {
		return response{}, err
	}
	out := masked{Success: true}
	var found mask.Found
	out.Result, found = mask.Secrets(text, mask.Options{})
	for _, n := range found {
		out.Found += n
	}
	return encodeJSON(out)
}
