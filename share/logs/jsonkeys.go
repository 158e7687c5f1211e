package logs

import (
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

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
	keyType // type, whose value may be a level

	// Form of the level.
	keyCapitals // in capitals
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

		keyPriority: "priority", keyNumber: "severitynumber", keyShort: "s", keyC: "c", keyV: "v", keyLog: "log", keyStream: "stream", keyLog | keyStream: "output",
		keyDate: "$date", keyGELF: "shortmessage", keyMsg: "msg", keyMessage: "message", keyPid: "pid",
		keyHostname: "hostname", keyTarget: "target", keyFields: "fields", keyType: "type",
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
		case "level:CAPITALS":
			keys |= keyCapitals
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
	if ascii.HasSuffix(k, "time") ||
		ascii.HasSuffix(k, "date") || ascii.HasSuffix(k, "timesec") {
		return keySomeTime
	}
	return 0
}
