// Package abuse attacks a devkiln serve process the way its operator would fear,
// and measures what the others feel of it. It has tests only. They take minutes
// and want a machine that does nothing else:
//
//	DEVKILN_ABUSE=1 go test -v ./internal/abuse
//
// With -write, the tables that they print replace those in docs/security.md.
package abuse
