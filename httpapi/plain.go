package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"unicode/utf8"
)

// What is shared can be sent as it is, for shells:
//
//	app 2>&1 | curl --data-binary @- -H "X-API-Key: $KEY" https://kiln.example/logs
//
// The body is the content, whatever its Content-Type says (curl calls it a
// form). The other fields stand in the query. The answer is the link as a line
// of text, and so is a failure.

// servePlain serves a share that is sent as plain text.
func (s *server) servePlain(w http.ResponseWriter, r *http.Request, handler http.Handler) {
	if s.open(w, r, writePlainFailure) {
		handler.ServeHTTP(w, r)
	}
}

func (s *server) plainLog() http.Handler {
	create := operation(decodeLog, checkLog, s.createLog)
	return s.plain("content", []string{"title", "expiry", "format"}, func(c caller, f *fields) (string, error) {
		made, err := create(c, f)
		return c.base() + made.URL, err
	})
}

func (s *server) plainSnippet() http.Handler {
	create := operation(decodeSnippet, checkSnippet, s.createSnippet)
	return s.plain("code", []string{"language", "title", "expiry"}, func(c caller, f *fields) (string, error) {
		if _, told := f.value("language"); !told {
			f.add("language", json.RawMessage(`"auto"`))
		}
		made, err := create(c, f)
		return made.FullURL, err
	})
}

// plain adapts an operation that takes its main field as the body and the
// others from the query, and answers a link.
func (s *server) plain(main string, others []string, do func(caller, *fields) (link string, err error)) http.Handler {
	return s.answer(writePlainFailure, func(w http.ResponseWriter, c caller) (any, error) {
		if err := checkCoding(c.request.Header); err != nil {
			return nil, err
		}
		body, err := s.readBody(w, c.request)
		if err != nil {
			return nil, err
		}
		if !utf8.Valid(body) {
			return nil, invalidText(validPrefix(body))
		}
		f, err := queryFields(c.request.URL.RawQuery, others)
		if err != nil {
			return nil, err
		}
		content, err := json.Marshal(string(body))
		if err != nil {
			return nil, err
		}
		f.add(main, content)
		link, err := do(c, f)
		if err != nil {
			return nil, err
		}
		return opaque{"text/plain; charset=utf-8", []byte(link + "\n")}, nil
	})
}

// queryFields reads fields out of a query.
func queryFields(query string, names []string) (*fields, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fault{"query", "invalid_format", "must be name=value pairs in percent-encoding, joined by &"}
	}
	f := &fields{known: names}
	for name, all := range values {
		if len(all) > 1 {
			return nil, fault{clip(name), "too_many", "must stand in the query once"}
		}
		if !utf8.ValidString(name) || !utf8.ValidString(all[0]) {
			return nil, fault{"query", "invalid_format", "must be valid UTF-8"}
		}
		value, err := json.Marshal(all[0])
		if err != nil {
			return nil, err
		}
		f.add(name, value)
	}
	if details := f.faults(); len(details) > 0 {
		return nil, validationFailed(details)
	}
	f.known = nil
	return f, nil
}
