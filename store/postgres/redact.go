package postgres

import (
	"errors"
	"net/url"
	"strings"
)

// hidden replaces text that is not shown.
const hidden = "xxxxx"

// Redact returns the URL of a database without its passwords, for display and
// logging. Since Open accepts more URLs than [url.Parse], it hides too much
// rather than too little if it is not clear what belongs to a password.
func Redact(database string) string {
	scheme, rest, isURL := strings.Cut(database, "://")
	if !isURL {
		if strings.Contains(strings.ToLower(database), "pass") {
			return hidden
		}
		return database
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return scheme + "://" + redactQuery(rest)
	}
	_, err := url.Parse(database)
	switch user, _, hasPassword := strings.Cut(rest[:at], ":"); {
	case err == nil && !strings.ContainsAny(rest[:at], "/?#") && hasPassword:
		return scheme + "://" + user + ":" + hidden + "@" + redactQuery(rest[at+1:])
	case err == nil && !strings.ContainsAny(rest[:at], "/?#"):
		return scheme + "://" + user + "@" + redactQuery(rest[at+1:])
	case strings.Contains(rest[:at], "="): // perhaps password=a@b
		return scheme + "://" + hidden
	}
	return scheme + "://" + hidden + "@" + redactQuery(rest[at+1:])
}

// redactQuery hides the values in a query that are passwords, or may be part of
// one.
func redactQuery(rest string) string {
	path, query, hasQuery := strings.Cut(rest, "?")
	if !hasQuery {
		return rest
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		key, _, hasValue := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		switch {
		case !hasValue:
			pairs[i] = hidden
		case err != nil, strings.Contains(strings.ToLower(name), "password"):
			pairs[i] = key + "=" + hidden
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}

// errAmbiguous is returned for a URL whose password has no clear end.
var errAmbiguous = errors.New("postgres: the URL cannot be read; in a password, write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25")

// checkURL returns an error for a URL with an unescaped @ or / in its password,
// part of which would be taken for the host, the port or the database.
func checkURL(database string) error {
	_, rest, isURL := strings.Cut(database, "://")
	if !isURL {
		return nil
	}
	if end := strings.IndexAny(rest, "@/"); end >= 0 && rest[end] == '@' {
		rest = rest[end+1:]
	}
	if path, _, _ := strings.Cut(rest, "?"); strings.Contains(path, "@") {
		return errAmbiguous
	}
	return nil
}

// parseError returns the error for a URL that pgx rejects. If url.Parse rejects
// it too, the error of pgx may show part of the password.
func parseError(database string, err error) error {
	if _, unclear := url.Parse(database); unclear != nil {
		return errAmbiguous
	}
	return err
}
