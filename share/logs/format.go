package logs

import (
	"bytes"
	"strings"
)

// format is the kind of log that a line is from.
type format uint8

const (
	formatNone format = iota
	formatPlain
	formatText
	formatJSON
	formatJSONLines
	formatBunyan
	formatPino
	formatSlog
	formatZap
	formatZerolog
	formatECS
	formatGELF
	formatOTLP
	formatRustJSON
	formatMongoJSON
	formatJournalJSON
	formatDockerJSON
	formatLogfmt
	formatSyslog3164
	formatSyslog5424
	formatJournalExport
	formatKernel
	formatGlog
	formatAndroid
	formatAccess
	formatApacheError
	formatNginxError
	formatJava
	formatPython
	formatRust
	formatRuby
	formatRails
	formatLaravel
	formatMongo
	formatMySQL
	formatPostgres
	formatRedis
	formatCompose
	formatCRI
	formatGitHub
	formatCisco
	formatZapConsole
	formatCount
)

// formatNames are what Analysis.Format says.
const formatNames = "plain plain text json json-lines bunyan pino slog zap zerolog ecs gelf otlp rust-tracing-json mongodb-json " +
	"journald-json docker-json logfmt syslog-rfc3164 syslog-rfc5424 journald-export kernel glog android access apache-error " +
	"nginx-error java python rust-tracing ruby rails laravel mongodb mysql postgresql redis docker-compose kubernetes-cri " +
	"github-actions cisco zap-console "

func (f format) String() string {
	names := formatNames
	for range f {
		_, names, _ = strings.Cut(names, " ")
	}
	name, _, _ := strings.Cut(names, " ")
	return name
}

// flavour names the JSON that a record is in, after the keys that are peculiar
// to each logger.
func (j *jsonScan) flavour() format {
	has := func(keys jsonKey) bool { return j.seen&keys == keys }
	switch {
	case has(keyJournal):
		return formatJournalJSON
	case has(keyLog | keyStream):
		return formatDockerJSON
	case has(keyGELF):
		return formatGELF
	case has(keyNumber):
		return formatOTLP
	case has(keyECS):
		return formatECS
	case has(keyShort | keyC):
		return formatMongoJSON
	case has(keyV|keyPid|keyHostname) && j.number10:
		return formatBunyan
	case has(keyPid|keyHostname) && j.number10:
		return formatPino
	case has(keyTarget | keyFields):
		return formatRustJSON
	case has(keyTS|keyMsg) && j.level != LevelNone:
		return formatZap
	case has(keyTime|keyMsg) && j.capitals:
		return formatSlog
	case has(keyTime|keyMessage) && j.level != LevelNone && !j.capitals:
		return formatZerolog
	}
	return formatJSONLines
}

// sniff names the layout of a line of text whose level and timestamp are known.
func (h *head) sniff(b []byte) format {
	b = b[:min(len(b), maxHead)]
	has := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	bracket := bytes.IndexByte(b, '[') >= 0
	switch {
	case bytes.HasPrefix(b, []byte("Started ")) || bytes.HasPrefix(b, []byte("Processing by ")) || bytes.HasPrefix(b, []byte("Completed ")):
		return formatRails
	case h.level != LevelNone && !h.stamp.ok && isPythonBasic(b):
		return formatPython
	case !h.strong && h.level != LevelNone:
		return formatText
	case !h.strong:
		return formatPlain
	case b[0] == '[':
		return h.sniffBracket(b)
	case len(b) > 30 && b[4] == '/' && b[20] == '[' && has("#"):
		return formatNginxError
	case len(b) > 28 && b[10] == 'T' && b[19] == '.' && b[27] == 'Z' && b[28] == ' ':
		return formatGitHub
	case h.stamp.month != 0 && h.stamp.year == 0 && b[2] == '-' && h.level != LevelNone:
		return formatAndroid
	case bracket && (has("] [MY-") || has(" [Note] ") || has(" [System] ")):
		return formatMySQL
	case has(":  ") && (has("LOG:  ") || has("ERROR:  ") || has("FATAL:  ") || has("WARNING:  ") || has("STATEMENT:  ")):
		return formatPostgres
	case has(" - ") && (has(" - DEBUG - ") || has(" - INFO - ") || has(" - WARNING - ") || has(" - ERROR - ") || has(" - CRITICAL - ")):
		return formatPython
	case bytes.IndexByte(b, '\t') >= 0 && (has("\tinfo\t") || has("\tINFO\t") || has("\tdebug\t") || has("\tDEBUG\t") || has("\tERROR\t") || has("\terror\t")):
		return formatZapConsole
	case bracket && has("  [") && (has(" NETWORK ") || has(" CONTROL ") || has(" STORAGE ") || has(" COMMAND ") || has(" REPL ") || has(" ACCESS ")):
		return formatMongo
	case h.level != LevelNone && h.stamp.ok && has("::") && !has(" ["):
		return formatRust
	case h.level != LevelNone && h.stamp.ok && hasClass(b):
		return formatJava
	case has(": %") || has(" %") && h.level != LevelNone && has("-") && hasFacility(b):
		return formatCisco
	}
	return formatText
}

func (h *head) sniffBracket(b []byte) format {
	switch {
	case !h.stamp.ok && h.level == LevelNone:
		return formatKernel
	case h.level != LevelNone && h.stamp.ok && bytes.Contains(b, []byte("::")):
		return formatRust
	case weekday(b[1:]) > 0 && bytes.Contains(b, []byte("] [")):
		return formatApacheError
	case bytes.Contains(b, []byte("] ")) && isMonolog(b[bytes.Index(b, []byte("] "))+2:]):
		return formatLaravel
	case h.level != LevelNone && hasClass(b):
		return formatJava
	}
	return formatText
}

// isMonolog says that b starts with channel.LEVEL: .
func isMonolog(b []byte) bool {
	n := letters(b)
	if n == 0 || n >= len(b) || b[n] != '.' {
		return false
	}
	m := letters(b[n+1:])
	return m > 0 && n+1+m < len(b) && b[n+1+m] == ':' && caseOf(b[n+1:n+1+m]) == upperCase
}

// isPythonBasic says that b starts with LEVEL:logger: .
func isPythonBasic(b []byte) bool {
	n := letters(b)
	return n > 0 && n+1 < len(b) && b[n] == ':' && b[n+1] != ' ' && bytes.IndexByte(b[n+1:], ':') > 0
}

// hasClass says that b holds the dotted name of a class as Java has them:
// com.example.Main, o.e.Main.
func hasClass(b []byte) bool {
	start := 0
	for i, c := range b {
		switch {
		case c == '.' && i > start && i+1 < len(b) && isUpper(b[i+1]) && b[start] >= 'a' && isLetter(b[start]):
			return true
		case !isLetter(c) && !isDigit(c) && c != '.' && c != '_':
			start = i + 1
		}
	}
	return false
}

// hasFacility says that b holds %FACILITY-n- .
func hasFacility(b []byte) bool {
	i := bytes.IndexByte(b, '%')
	return i >= 0 && i+1 < len(b) && isUpper(b[i+1])
}
