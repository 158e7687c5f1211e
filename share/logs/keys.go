package logs

import "bytes"

// jsonKey is a set of what a key of a log record means.
type jsonKey uint32

const (
	keyLevel    jsonKey = 1 << iota // level, severity and the like
	keyLogLevel                     // log.level, of the Elastic Common Schema
	keyPriority                     // PRIORITY, of journald
	keyShort                        // s, of MongoDB; l
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
	keyCaller
	keyTarget
	keyFields
	keyC
	keyJournal
	keyECS
	keyTS
	keyNano // nanoOfSecond, of Log4j
	keyTags // tags, of Kibana
	keyType // type, which is a level if its value is one
	keyErrorCode
)

const maxJSONKey = 26

// jsonKeyOf says what a key means, whatever its case and its dashes.
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
		if isUpper(c) {
			c |= 0x20
		}
		buf[n] = c
		n++
	}
	k := buf[:n]
	switch string(k) {
	case "level", "lvl", "severity", "loglevel", "levelname", "severitytext", "@level", "@l", "levelstr", "levelstring", "logseverity", "severitylabel", "severityname":
		return keyLevel
	case "log.level":
		return keyLogLevel | keyECS
	case "priority":
		return keyPriority
	case "s":
		return keyShort
	case "severitynumber":
		return keyNumber
	case "log":
		return keyLog
	case "stream":
		return keyStream
	case "timestamp", "@timestamp", "time", "t", "@t", "datetime", "asctime", "timemillis", "logtimestamp", "eventtime", "timeunixnano":
		return keyTime
	case "realtimetimestamp", "sourcerealtimetimestamp":
		return keyTime | keyJournal
	case "$date":
		return keyDate
	case "shortmessage":
		return keyGELF
	case "msg":
		return keyMsg
	case "message":
		return keyMessage
	case "pid":
		return keyPid
	case "hostname":
		return keyHostname
	case "v":
		return keyV
	case "caller":
		return keyCaller
	case "target":
		return keyTarget
	case "fields":
		return keyFields
	case "c":
		return keyC
	case "epochsecond":
		return keyTime
	case "nanoofsecond":
		return keyNano
	case "tags":
		return keyTags
	case "type":
		return keyType
	case "errorcode":
		return keyErrorCode
	case "ts":
		return keyTime | keyTS
	}
	if bytes.HasSuffix(k, []byte("time")) || bytes.HasSuffix(k, []byte("timestamp")) ||
		bytes.HasSuffix(k, []byte("date")) || bytes.HasSuffix(k, []byte("timesec")) {
		return keySomeTime
	}
	return 0
}
