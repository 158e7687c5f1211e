package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/devkiln/devkiln/share/mask"
)

// masking is the flag --mask: secrets alone, or a list of what to mask.
type masking struct {
	on, secrets      bool // secrets are always masked
	addresses, users bool
}

// IsBool reports that the flag may stand without a value.
func (m *masking) IsBool() bool { return true }

// Decode reads the value of the flag.
func (m *masking) Decode(c *kong.DecodeContext) error {
	*m = masking{on: true}
	if c.Scan.Peek().Type != kong.FlagValueToken {
		return nil
	}
	words := map[string]*bool{"secrets": &m.secrets, "addresses": &m.addresses, "users": &m.users}
	for word := range strings.SplitSeq(fmt.Sprint(c.Scan.Pop().Value), ",") {
		if words[word] == nil {
			return fmt.Errorf("must be a list of secrets, addresses and users, not %q", word)
		}
		*words[word] = true
	}
	return nil
}

// apply masks a text and its title if the flag is set, and reports on stderr what
// was masked, even if nothing was. A text that is too long stays so; the server
// refuses it.
func (m masking) apply(p process, t *text, limit, titleLimit int) {
	if !m.on {
		return
	}
	o := mask.Options{Limit: limit, Addresses: m.addresses, Users: m.users}
	content, found := mask.Secrets(t.content, o)
	o.Limit = titleLimit
	title, more := mask.Secrets(t.title, o)
	t.content, t.title, found = content, title, found.Plus(more)
	if found.Total() == 0 {
		_, _ = fmt.Fprintln(p.stderr, "No secrets were found to mask.")
		return
	}
	_, _ = fmt.Fprintf(p.stderr, "Masked before sending: %s.\n", found)
}
