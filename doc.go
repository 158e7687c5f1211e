// Package devkiln is the root of the module. Five small developer utilities are
// packages below it that need no server:
//
//   - gradient: CSS gradients, built, parsed, sampled and painted; start with
//     New. gradient/export writes them for other targets.
//   - slugify: slugs for URLs and file names; start with Make.
//   - screenshot: pictures of code as PNG, SVG and WebP; start with New.
//     screenshot/highlight colours code without drawing it.
//   - share: shares of logs and snippets that expire; start with New.
//     share/logs analyses logs, share/mask masks secrets and share/seal encrypts,
//     all without a store.
//   - store: the stores of shares, in memory; store/sqlite and store/postgres
//     keep them, and store/storetest tests another one.
//
// The service is made of them:
//
//   - httpapi/server: the whole service inside a program; start with New.
//   - httpapi: the API alone, as an http.Handler.
//   - httpapi/client: calls a server; start with New.
//   - httpapi/mcp: tools for agents.
//   - cmd/devkiln: the command, which is also the server.
//
// The programs in examples show the packages in use.
package devkiln

import (
	"slices"

	"github.com/devkiln/devkiln/internal/invalid"
)

// InvalidFields returns what is wrong with the inputs that errors of the
// packages are about, by field: the name in the HTTP API, such as colors[2]. It
// looks into wrapped and joined errors; of several about one field, it returns
// the first. Errors of other kinds have none.
func InvalidFields(err error) map[string]string {
	faults, _ := invalid.Of(err)
	fields := make(map[string]string, len(faults))
	for _, f := range slices.Backward(faults) {
		fields[f.Field] = f.Message
	}
	return fields
}
