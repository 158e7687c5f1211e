package head

import (
	"bytes"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/pattern"
)

// place is what compilers that do not write the word error start a message with.
var place = pattern.MustCompile("{file}:{row:number}:{column:number}: {message}")

// diagnose determines the level of a line whose head states none by its message.
// The messages of daemons in syslog have many failures that are none of the
// daemon's own, so that one counts only if it says both what was not possible and
// why.
func (h *Head) diagnose(b []byte, m *pattern.Match) {
	b = b[:min(len(b), MaxLen)]
	switch {
	case h.Format == formatAccess || h.Format == formatLogfmt:
		return
	case h.Level != level.None:
		if h.Level == level.Info && b[0] == '[' && ascii.ContainsAny(b, "] BUILD FAILURE", " FAILURE [", " FAILED ***") {
			h.Level = level.Error // the verdicts of Maven and ScalaTest
		}
		return
	case !h.Strong:
		if h.Level = level.OfMessage(b, h.Indented); h.Level == level.None && place.Match(b, m) {
			h.Level = level.Error
		}
	default:
		message := bytes.TrimLeft(b[max(0, min(int(h.Stamp.End)-h.At, len(b))):], " ]:-")
		syslog := strings.HasPrefix(h.Format.String(), "syslog-") || h.Stamp.Named && h.Stamp.Year == 0
		if syslog || !h.Stamp.OK || int(h.Stamp.Start)-h.At > 1 || ascii.At(message, 0) == '<' {
			h.Level = level.OfReport(message)
		} else {
			h.Level = level.OfMessage(message, h.Indented)
		}
	}
	h.Diagnosed = h.Level != level.None
}
