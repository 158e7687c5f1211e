package postgres

import (
	"errors"
	"net/url"
	"strings"
)

// hidden replaces text that is not shown.
const hidden = "xxxxx"

// Redact returns the URL of a database without its password and parameters, for
// display and logging. Since Open accepts more URLs than [url.Parse], it hides
// too much rather than too little if it is not clear what belongs to a password.
func Redact(database string) string {
	scheme, rest, isURL := strings.Cut(database, "://")
	switch {
	case !isURL && strings.Contains(strings.ToLower(database), "pass"):
		return hidden
	case !isURL:
		return database
	}
	at := strings.LastIndexByte(rest, '@')
	host, _, _ := strings.Cut(rest[at+1:], "?")
	if at < 0 {
		return scheme + "://" + host
	}
	user, _, hasPassword := strings.Cut(rest[:at], ":")
	switch {
	case strings.Contains(rest[:at], "?") && strings.Contains(rest[:at], "="): // perhaps ?password=a@b
		return scheme + "://" + hidden
	case hasPassword:
		user += ":" + hidden
	case strings.ContainsAny(user, "/?#"):
		user = hidden
	}
	return scheme + "://" + user + "@" + host
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
