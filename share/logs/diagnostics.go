package logs

import (
	"bytes"

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
func (t *tracker) diagnose(b []byte, h *head) {
	b = b[:min(len(b), maxHead)]
	switch {
	case h.format == formatAccess || h.format == formatLogfmt:
		return
	case h.level != LevelNone:
		if h.level == LevelInfo && b[0] == '[' && ascii.ContainsAny(b, "] BUILD FAILURE", " FAILURE [", " FAILED ***") {
			h.level = LevelError // the verdicts of Maven and ScalaTest
		}
		return
	case !h.strong:
		if h.level = level.OfMessage(b, h.indented); h.level == LevelNone && place.Match(b, &t.formats.match) {
			h.level = LevelError
		}
	default:
		message := bytes.TrimLeft(b[max(0, min(int(h.stamp.End)-h.at, len(b))):], " ]:-")
		syslog := h.format == formatSyslog3164 || h.format == formatSyslog5424 || h.stamp.Named && h.stamp.Year == 0
		if syslog || !h.stamp.OK || int(h.stamp.Start)-h.at > 1 || ascii.At(message, 0) == '<' {
			h.level = level.OfReport(message)
		} else {
			h.level = level.OfMessage(message, h.indented)
		}
	}
	h.diagnosed = h.level != LevelNone
}
