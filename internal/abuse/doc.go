// Package abuse attacks a devkiln serve process and measures what its other
// users notice. It has tests only, which take minutes and need an otherwise
// idle machine:
//
//	DEVKILN_ABUSE=1 go test -v ./internal/abuse
//
// With -write, the tables that they print replace those in docs/internals/security.md.
package abuse
