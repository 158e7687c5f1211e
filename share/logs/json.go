package logs

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
	"github.com/devkiln/devkiln/share/logs/internal/level"
	"github.com/devkiln/devkiln/share/logs/internal/stamp"
)

// jsonScan scans JSON without validating it: it tracks strings and brackets,
// and keeps the outermost level and timestamp. Its state carries over from line
// to line, for values that span several lines. Depth is a counter, so that
// nesting costs no memory.
type jsonScan struct {
	depth     int
	parents   [8]jsonKey // keys of the enclosing objects, down to the depth that matters
	level     Level
	levelRank int
	short     Level // MongoDB's s, which counts only if c follows
	small     int   // a level from 0 to 7, which counts only in GELF
	stamp     stamp.Stamp
	stampRank int
	value     int     // offset in the line of the value being read
	seen      jsonKey // keys at the outermost depth, and the form of the level
	every     bool    // read all keys
	log       []byte  // the line that Docker's json-file driver wraps
	message   []byte  // a message that may have a head of its own
	textAt    int     // offset of the message in the line
	textEnd   int     // offset of its end
}

const (
	noRank    = 1 << 20
	weakRank  = 3 * depthRank
	depthRank = 8
)

func (j *jsonScan) reset() {
	*j = jsonScan{levelRank: noRank, stampRank: noRank, small: -1}
}

// scan reads one line and reports whether the value ends in it.
func (j *jsonScan) scan(b []byte) bool {
	closed := len(b) > 1 && (b[len(b)-1] == '}' || b[len(b)-1] == ',' && b[len(b)-2] == '}')
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = j.str(b, i)
			if closed && j.settled() {
				j.depth = 0
				return true
			}
		case '{', '[':
			j.depth++
			i++
		case '}', ']':
			j.depth--
			i++
			if j.depth <= 0 {
				j.depth = 0
				return true
			}
		default:
			i++
		}
	}
	return false
}

// settled reports whether nothing later in the value can change the outcome.
func (j *jsonScan) settled() bool {
	return !j.every && j.levelRank <= depthRank && j.stampRank <= depthRank && j.seen&keyLog == 0
}

// str reads the string that starts at i and, if it is a key, its value. It
// returns the index at which to continue.
func (j *jsonScan) str(b []byte, i int) int {
	end := stringEnd(b, i+1)
	key := b[i+1 : min(end, len(b))]
	i = ascii.SkipSpace(b, min(end+1, len(b)))
	if i >= len(b) || b[i] != ':' {
		return i
	}
	i = ascii.SkipSpace(b, i+1)
	k := jsonKeyOf(key)
	if j.depth == 1 {
		j.seen |= k
		if k == keyC {
			j.setLevel(j.short, 1)
		}
	}
	return j.valueAt(b, i, k)
}

// valueAt reads the value of key k at i and returns the index at which to
// continue.
func (j *jsonScan) valueAt(b []byte, i int, k jsonKey) int {
	switch c := ascii.At(b, i); {
	case c == '"':
		end := stringEnd(b, i+1)
		if k != 0 {
			j.value = i + 1
			j.text(k, b[i+1:min(end, len(b))])
		}
		return min(end+1, len(b))
	case ascii.IsDigit(c):
		if k != 0 {
			j.value = i
			j.number(k, b[i:])
		}
		return i + 1
	case c == '[' && k&keyTags != 0 && i+1 < len(b) && b[i+1] == '"':
		j.setLevel(level.Value(b[i+2:min(stringEnd(b, i+2), len(b))]), 3)
	case c == '{' && j.depth < len(j.parents):
		j.parents[max(j.depth, 0)] = k
	}
	return i
}

// text handles the string value v of key k.
func (j *jsonScan) text(k jsonKey, v []byte) {
	switch {
	case k&outermost != 0 && j.depth == 1 && j.outermostText(k, v):
	case ascii.IsDigit(ascii.At(v, 0)):
		j.number(k, v)
	case k&keyLogLevel != 0:
		j.setLevel(level.Value(v), 0)
	case k&(keyLevel|keyPriority) != 0:
		rank := 1
		if j.parent()&keyLog != 0 {
			rank = 0
			j.seen |= keyECS
		}
		j.setLevel(level.Value(v), rank)
		j.seen &^= keyCapitals
		if len(v) > 1 && ascii.IsUpper(v[0]) && ascii.IsUpper(v[1]) {
			j.seen |= keyCapitals
		}
	case k&(keyTime|keySomeTime|keyDate) != 0:
		j.setStamp(k, v)
	}
}

// outermost are the keys that count only at the outermost depth, 1.
const outermost = keyLog | keyMessage | keyMsg | keyShort | keyType | keyErrorCode

// outermostText handles the string value of an outermost key, and reports
// whether that is all there is to handle.
func (j *jsonScan) outermostText(k jsonKey, v []byte) bool {
	switch {
	case k&keyLog != 0:
		j.log = v
		j.textAt, j.textEnd = j.value, j.value+len(v)
	case k&(keyMessage|keyMsg) != 0:
		j.textAt, j.textEnd = j.value, j.value+len(v)
		if k&keyMessage != 0 && len(v) > 0 && !ascii.IsLower(v[0]) {
			j.message = v
		}
	case k&keyType != 0:
		if l := level.Value(v); l >= LevelWarning {
			j.setLevel(l, weakRank)
		}
	case k&keyErrorCode != 0:
		if ascii.Letters(v) > 3 && !deniesError(v) {
			j.setLevel(LevelError, weakRank+1) // AWS CloudTrail
		}
	case len(v) == 1 || len(v) == 2 && v[0] == 'D' && ascii.IsDigit(v[1]):
		j.short = level.Letter[v[0]]
	default:
		return false
	}
	return true
}

// number handles a value that is a number or a string that starts with a digit.
func (j *jsonScan) number(k jsonKey, v []byte) {
	n := ascii.Digits(v[:min(len(v), 20)])
	switch {
	case k&(keyPriority|keyNumber|keyLevel) != 0 && n <= 2:
		j.numericLevel(k, ascii.Number(v[:n]), n)
	case k&keyNano != 0 && j.stamp.Epoch && n <= 9:
		j.stamp.SetNanoseconds(ascii.Number(v[:n]))
	case k&(keyTime|keySomeTime|keyDate) != 0:
		j.setStamp(k, v)
	}
}

// numericLevel handles a level of one or two digits.
func (j *jsonScan) numericLevel(k jsonKey, n, digits int) {
	switch {
	case k&keyPriority != 0 && digits == 1:
		j.setLevel(level.Syslog(n), 1)
	case k&keyNumber != 0 && n >= 1 && n <= 24:
		j.setLevel(LevelTrace+Level((n-1)/4), 2)
	case k&keyLevel == 0 || j.depth != 1:
	case digits == 2:
		j.setLevel(level.Tens(n), 2)
		j.seen |= keyTens
	case digits == 1:
		j.small = n
	}
}

func (j *jsonScan) parent() jsonKey {
	if j.depth >= 2 && j.depth-1 < len(j.parents) {
		return j.parents[j.depth-1]
	}
	return 0
}

func (j *jsonScan) setLevel(l Level, rank int) {
	rank += j.depth*depthRank - depthRank
	if l != LevelNone && rank < j.levelRank {
		j.level, j.levelRank = l, rank
	}
}

func (j *jsonScan) setStamp(k jsonKey, v []byte) {
	rank := j.depth*depthRank - depthRank
	switch {
	case k&keyDate != 0 && j.parent()&keyTime != 0:
		rank -= depthRank - 1
	case k&keyTime == 0:
		rank += 2
	}
	if rank >= j.stampRank {
		return
	}
	var s stamp.Stamp
	if stamp.Parse(v, &s) > 0 && (s.Month != 0 || s.Epoch) {
		s.Shift(j.value)
		j.stamp, j.stampRank = s, rank
	}
}

// outcome returns the level of the whole record.
func (j *jsonScan) outcome() Level {
	if j.level == LevelNone && j.seen&keyGELF != 0 {
		return level.Syslog(j.small)
	}
	return j.level
}

// cutLine is the length from which a line may have been cut at maxAnalyzed,
// less its end and some trailing blanks. The rest of the JSON in such a line is
// not awaited.
const cutLine = maxAnalyzed - 64

// startJSON reads a line that begins a JSON value.
func (t *tracker) startJSON(b []byte, h *head) {
	t.json.reset()
	t.json.every = t.messages || t.entries < maxSniffed
	if b[0] == '[' && len(b) > 1 {
		b = b[1:]
		h.at++
	}
	t.inJSON = !t.json.scan(b) && len(b) < cutLine
	t.jsonWrapped = h.wrapped
	h.strong, h.json = true, true
	switch {
	case t.inJSON:
		h.format = formatJSON
	case h.format == formatNone && t.json.every:
		h.format = t.json.formatOf()
	}
	h.takeFuller(&t.json.stamp)
	if t.json.textEnd > 0 {
		h.message, h.messageEnd = h.at+t.json.textAt, h.at+t.json.textEnd
	}
	if l := t.json.outcome(); l != LevelNone {
		h.level = l
	} else if t.json.log != nil && t.json.seen&keyStream != 0 {
		t.unescaped = unescape(t.unescaped[:0], t.json.log)
		h.strong, h.json, h.wrapped = false, false, true
		outer := h.stamp
		t.inner(t.formats.unwrap(h, trimEnd(t.plain(t.unescaped))), h)
		if h.stamp != outer {
			h.stamp.Start, h.stamp.End = 0, 0
		}
		t.inJSON = false
	} else if t.json.message != nil && !t.inJSON && !h.nested {
		h.level = t.messageLevel(t.json.message)
	}
}

// messageLevel returns the level of a JSON value that states none but whose
// message is a line with a head of its own, or LevelNone.
func (t *tracker) messageLevel(message []byte) Level {
	t.unescaped = unescape(t.unescaped[:0], message)
	outer, value := t.head, t.json
	t.head = head{nested: true}
	t.inner(t.formats.unwrap(&t.head, trimEnd(t.plain(t.unescaped))), &t.head)
	level := t.head.level
	if !t.head.strong && !t.head.emphatic {
		level = LevelNone
	}
	t.head, t.json, t.inJSON = outer, value, false
	return level
}

// unwrapJSON removes the wrapper from a continuation line of a JSON value whose
// first line had one.
func (t *tracker) unwrapJSON(b []byte) []byte {
	if !t.jsonWrapped || len(b) == 0 {
		return b
	}
	t.head = head{}
	return t.formats.unwrap(&t.head, b)
}

// continueJSON reads a continuation line of a JSON value. It returns false if
// the line does not continue the value.
func (t *tracker) continueJSON(b []byte) bool {
	if len(b) > 0 && !ascii.IsSpace(b[0]) && !isJSONContinuation(b) {
		t.inJSON = false
		return false
	}
	t.inJSON = !t.json.scan(b)
	t.entry.level = t.json.outcome()
	t.entry.stamp = t.json.stamp
	return true
}

// isJSONContinuation reports whether an unindented line can continue a JSON
// value that began on an earlier line.
func isJSONContinuation(b []byte) bool {
	opens := b[0] == '{' || b[0] == '['
	return strings.IndexByte(`}],"`, b[0]) >= 0 || opens && (len(b) == 1 || ascii.IsSpace(b[1]))
}

// jsonKey is a set of meanings of a key in a log record.
type jsonKey uint32

const (
	keyLevel    jsonKey = 1 << iota // level, severity and the like
	keyLogLevel                     // log.level, of the Elastic Common Schema
	keyPriority                     // PRIORITY, of journald
	keyShort                        // s, of MongoDB
	keyNumber                       // severityNumber, of OpenTelemetry
	keyLog                          // log
	keyStream                       // stream
	keyTime                         // timestamp, time, ts and the like
	keySomeTime                     // any other name that ends in time or date
	keyDate                         // $date, of MongoDB
	keyGELF                         // short_message
	keyMsg
	keyMessage
	keyPid
	keyHostname
	keyV
	keyTarget
	keyFields
	keyC
	keyJournal
	keyECS
	keyTS
	keyNano // nanoOfSecond, of Log4j
	keyTags // tags, of Kibana
	keyType // type, whose value may be a level
	keyErrorCode

	// Form of the level.
	keyLevelled // the value states a level
	keyCapitals // in capitals
	keySmall    // not in capitals
	keyTens     // as a two-digit number, as in pino
)

const maxJSONKey = 26

// keyMeanings maps keys, in lower case and without dashes, underscores and
// blanks, to their meanings.
var keyMeanings = func() map[string]jsonKey {
	meanings := map[string]jsonKey{}
	for meaning, names := range map[jsonKey]string{
		keyLevel: "level lvl severity loglevel levelname severitytext @level @l levelstr levelstring logseverity severitylabel severityname",
		keyTime:  "timestamp @timestamp time t @t datetime asctime timemillis logtimestamp eventtime timeunixnano epochsecond",

		keyTime | keyTS:      "ts",
		keyTime | keyJournal: "realtimetimestamp sourcerealtimetimestamp",
		keyLogLevel | keyECS: "log.level",

		keyPriority: "priority", keyNumber: "severitynumber", keyShort: "s", keyC: "c", keyV: "v", keyLog: "log", keyStream: "stream",
		keyDate: "$date", keyNano: "nanoofsecond", keyGELF: "shortmessage", keyMsg: "msg", keyMessage: "message", keyPid: "pid",
		keyHostname: "hostname", keyTarget: "target", keyFields: "fields", keyTags: "tags", keyType: "type",
		keyErrorCode: "errorcode",
	} {
		for name := range strings.FieldsSeq(names) {
			meanings[name] = meaning
		}
	}
	return meanings
}()

// jsonKeysOf returns the meanings of the members in a row of formats.tsv.
func jsonKeysOf(members string) (keys jsonKey) {
	for name := range strings.FieldsSeq(members) {
		switch name {
		case "level:any":
			keys |= keyLevelled
		case "level:CAPITALS":
			keys |= keyCapitals
		case "level:small":
			keys |= keySmall
		case "level:10":
			keys |= keyTens
		case "log.level":
			keys |= keyECS
		default:
			keys |= jsonKeyOf([]byte(name)) &^ (keyPriority | keySomeTime)
		}
	}
	return keys
}

// jsonKeyOf returns the meaning of a key, ignoring case, dashes, underscores
// and blanks.
func jsonKeyOf(key []byte) jsonKey {
	if len(key) == 0 || len(key) > maxJSONKey {
		return 0
	}
	var buf [maxJSONKey]byte
	n := 0
	for _, c := range key {
		if c == '_' || c == '-' || c == ' ' {
			continue
		}
		if ascii.IsUpper(c) {
			c |= 0x20
		}
		buf[n] = c
		n++
	}
	k := buf[:n]
	if meaning := keyMeanings[string(k)]; meaning != 0 {
		return meaning
	}
	if hasSuffix(k, "time") || hasSuffix(k, "timestamp") ||
		hasSuffix(k, "date") || hasSuffix(k, "timesec") {
		return keySomeTime
	}
	return 0
}
