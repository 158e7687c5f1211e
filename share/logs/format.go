package logs

import (
	"bytes"
	"strings"
)

// format is the kind of log that a line is from: an index into formats.
type format uint8

// The formats that code asks for.
const (
	formatNone format = iota
	formatPlain
	formatText
	formatJSON
	formatJSONLines
	formatLogfmt
	formatAccess
	formatSyslog5424
	formatGitHub
	formatCRI
	formatJenkins
	formatSyslog3164
	formatCompose
	formatBuildKit
	formatKubectl
	formatAirflow
	formatRails
	formatJournalExport
)

// formatRow says how one format is recognised. A line is first unwrapped, then
// read by a reader of its own, as JSON or as text, whose rules know no formats.
// What it was is asked in the order of the table.
type formatRow struct {
	name    string // what Analysis.Format says
	fields  string // what stands in a line, in order, for docs/logs.md
	example string // a log of testdata/cases, without .log

	// first are the bytes that a line begins with for unwrap and read; "A"
	// stands for capitals, "a" for all letters and "0" for digits.
	first string
	// needs is what such a line holds at least one of.
	needs contents
	// unwrap returns the length of what stands before a program's own line.
	unwrap func(h *head, b []byte) int
	// read reads the whole head of a line and reports whether it is one.
	read func(h *head, b []byte) bool
	// matches reports whether a line of text is of the format, after its level
	// and timestamp were found.
	matches func(h *head, b []byte) bool
	// marks are texts of which one stands in a line of text, which starts an entry
	// and does not begin with a bracket.
	marks []string
	// keys are the members of a JSON value, all of which it has.
	keys jsonKey
}

// formats is the one list of formats. A new one is a row here, with its
// matcher, and a log in testdata/cases.
var formats = [...]formatRow{
	formatNone:          {name: "plain"},
	formatPlain:         {name: "plain", fields: "lines that state neither level nor timestamp", example: "plain-prose"},
	formatText:          {name: "text", fields: "levels and timestamps in any place of a head", example: "loguru"},
	formatJSON:          {name: "json", fields: "values over many lines", example: "json-pretty"},
	formatJSONLines:     {name: "json-lines", fields: "any other JSON value a line", example: "clef"},
	formatLogfmt:        {name: "logfmt", fields: "key=value …", example: "logfmt"},
	formatAccess:        {name: "access", fields: "client, time, request, status, size …", example: "access-combined"},
	formatSyslog5424:    {name: "syslog-rfc5424", fields: "<priority>1, time, host, program, process, id, data, message", example: "syslog-rfc5424", first: "<", needs: hasDigit, unwrap: (*head).priority},
	formatGitHub:        {name: "github-actions", fields: "time, line", example: "github-actions", first: "0a", needs: hasDigit, unwrap: (*head).gitHub},
	formatCRI:           {name: "kubernetes-cri", fields: "time, stream, F or P, line", example: "kubernetes-cri", first: "0", needs: hasDigit, unwrap: (*head).runtimeInterface},
	formatJenkins:       {name: "jenkins", fields: "clock, two blanks, line", example: "jenkins", first: "0", needs: hasDigit, unwrap: (*head).jenkins},
	formatSyslog3164:    {name: "syslog-rfc3164", fields: "time, host, program[process]:, message", example: "syslog-rfc3164", first: "0a", needs: hasDigit, unwrap: (*head).syslog},
	formatCompose:       {name: "docker-compose", fields: "service, bar, line", example: "docker-compose", first: "0a[", needs: hasBar, unwrap: (*head).compose},
	formatBuildKit:      {name: "buildkit", fields: "#step, seconds, line", example: "buildkit", first: "#", needs: hasDigit, unwrap: (*head).buildKit},
	formatKubectl:       {name: "kubectl", fields: "[pod/name/container], line", example: "kubectl-prefix", first: "[", needs: hasBracket, unwrap: (*head).kubectl},
	formatAirflow:       {name: "airflow", fields: "[time], {file:line}, LEVEL, dash, line", example: "airflow", first: "[", needs: hasDigit, unwrap: (*head).airflow},
	formatRails:         {name: "rails", fields: "Started …, Processing by …, Completed status", example: "rails", first: "A", needs: hasDigit, read: (*head).rails, matches: isRails},
	formatJournalExport: {name: "journald-export", fields: "FIELD=value a line", example: "journald-export"},

	{name: "journald-json", fields: "PRIORITY, __REALTIME_TIMESTAMP, MESSAGE", example: "journald-json", keys: keyJournal},
	{name: "docker-json", fields: "log (a line), stream, time", example: "docker-json", keys: keyLog | keyStream},
	{name: "gelf", fields: "short_message, level (0 to 7), timestamp", example: "gelf", keys: keyGELF},
	{name: "otlp", fields: "severityNumber, severityText, timeUnixNano, body", example: "otlp-json", keys: keyNumber},
	{name: "ecs", fields: "@timestamp, log.level, message", example: "ecs-json", keys: keyECS},
	{name: "mongodb-json", fields: "t.$date, s (a letter), c, msg", example: "mongodb-json", keys: keyShort | keyC},
	{name: "bunyan", fields: "name, hostname, pid, level (10 to 60), msg, time, v", example: "bunyan", keys: keyV | keyPid | keyHostname | keyTens},
	{name: "pino", fields: "level (10 to 60), time, pid, hostname, msg", example: "pino", keys: keyPid | keyHostname | keyTens},
	{name: "rust-tracing-json", fields: "timestamp, level, fields, target", example: "rust-tracing-json", keys: keyTarget | keyFields},
	{name: "zap", fields: "level, ts, caller, msg", example: "zap-json", keys: keyTS | keyMsg | keyLevelled},
	{name: "slog", fields: "time, level (capitals), msg", example: "slog-json", keys: keyTime | keyMsg | keyCapitals},
	{name: "zerolog", fields: "level, time, message", example: "zerolog", keys: keyTime | keyMessage | keyLevelled | keySmall},

	{name: "glog", fields: "level letter, month and day, clock, thread, file:line], message", example: "klog", first: "A", needs: hasDigit, read: (*head).glog},
	{name: "ruby", fields: "level letter, [time #process], level -- program: message", example: "ruby-logger", first: "A", needs: hasBracket, read: (*head).ruby},
	{name: "android", fields: "month-day, clock, process, thread, level letter, tag: message", example: "android-threadtime", first: "A", needs: hasColon, read: (*head).brief, matches: isAndroid},
	{name: "esp-idf", fields: "level letter, (milliseconds), tag: message", example: "esp-idf", first: "A", needs: hasDigit, read: (*head).espIDF},
	{name: "redis", fields: "process:role, time, level sign, message", example: "redis", first: "0[", needs: hasDigit, read: (*head).redis},
	{name: "kernel", fields: "[seconds since start], message", example: "kernel", matches: isKernel},
	{name: "apache-error", fields: "[time] [module:level] [pid] message", example: "apache-error", matches: isApacheError},
	{name: "laravel", fields: "[time] channel.LEVEL: message", example: "laravel", matches: isMonolog},
	{name: "nginx-error", fields: "time, [level], process#thread: message", example: "nginx-error", matches: isNginxError},
	{name: "mysql", fields: "time, thread, [level], [code], [subsystem], message", example: "mysql", marks: []string{"] [MY-", " [Note] ", " [System] "}},
	{name: "postgresql", fields: "time, [process], LEVEL:  message", example: "postgresql", marks: []string{"LOG:  ", "ERROR:  ", "FATAL:  ", "WARNING:  ", "STATEMENT:  "}},
	{name: "python", fields: "time - logger - LEVEL - message", example: "python-asctime", matches: isPythonBasic, marks: []string{" - DEBUG - ", " - INFO - ", " - WARNING - ", " - ERROR - ", " - CRITICAL - "}},
	{name: "zap-console", fields: "time, level, caller, message, with tabs between", example: "zap-console", marks: []string{"\tinfo\t", "\tINFO\t", "\tdebug\t", "\tDEBUG\t", "\tERROR\t", "\terror\t"}},
	{name: "mongodb", fields: "time, level letter, COMPONENT, [context], message", example: "mongodb-4.2", matches: isMongo},
	{name: "rust-tracing", fields: "time, LEVEL, module::path: message", example: "rust-tracing", matches: isRust},
	{name: "java", fields: "time, LEVEL, class of a package, message", example: "log4j", matches: isJava},
	{name: "cisco", fields: "time, %FACILITY-severity-MNEMONIC: message", example: "cisco-ios", matches: isCisco},
}

func (f format) String() string { return formats[f].name }

// byFirst lists, for each byte that a line may begin with, the formats that
// unwrap and that read such a line.
var byFirst = func() (lists [256]struct{ unwrap, read []format }) {
	for f := range formats {
		row := &formats[f]
		for c := 0; row.first != "" && c < len(lists); c++ {
			switch {
			case !beginsWith(row.first, byte(c)):
			case row.unwrap != nil:
				lists[c].unwrap = append(lists[c].unwrap, format(f))
			default:
				lists[c].read = append(lists[c].read, format(f))
			}
		}
	}
	return lists
}()

// beginsWith reports whether first, as in a formatRow, stands for c.
func beginsWith(first string, c byte) bool {
	for i := range len(first) {
		switch f := first[i]; {
		case f == 'A' && isUpper(c), f == 'a' && isLetter(c), f == '0' && isDigit(c), f == c && !isLetter(f) && !isDigit(f):
			return true
		}
	}
	return false
}

// read reads a line that has a layout of its own.
func (h *head) read(b []byte) bool {
	for _, f := range byFirst[b[0]].read {
		if row := &formats[f]; h.holds&row.needs != 0 && row.read(h, b) {
			if h.format == formatNone {
				h.format = f
			}
			return true
		}
	}
	return false
}

// formatOf names the format of a JSON value.
func (j *jsonScan) formatOf() format {
	seen := j.seen
	if j.level != LevelNone {
		seen |= keyLevelled
	}
	if seen&keyCapitals == 0 {
		seen |= keySmall
	}
	for f := range formats {
		if keys := formats[f].keys; keys != 0 && seen&keys == keys {
			return format(f)
		}
	}
	return formatJSONLines
}

// formatOf names the format of a line of text whose level and timestamp are
// known.
func (h *head) formatOf(b []byte) format {
	b = b[:min(len(b), maxHead)]
	for f := range formats {
		row := &formats[f]
		if row.matches != nil && row.matches(h, b) || h.strong && b[0] != '[' && containsAny(b, row.marks...) {
			return format(f)
		}
	}
	if h.strong || h.level != LevelNone {
		return formatText
	}
	return formatPlain
}

// stated reports whether a line states both a level and a timestamp.
func (h *head) stated() bool { return h.strong && h.level != LevelNone && h.stamp.ok }

// containsAny reports whether b holds one of some texts.
func containsAny(b []byte, texts ...string) bool {
	for _, text := range texts {
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

func isRails(_ *head, b []byte) bool {
	return hasPrefix(b, "Started ") || hasPrefix(b, "Processing by ") || hasPrefix(b, "Completed ")
}

func isKernel(h *head, b []byte) bool {
	end := bytes.IndexByte(b, ']')
	return h.strong && b[0] == '[' && end > 0 && at(b, end+2) != '(' && isUptime(bytes.Trim(b[1:end], " "))
}

func isApacheError(h *head, b []byte) bool {
	return h.strong && b[0] == '[' && weekday(b[1:]) > 0 && containsAny(b, "] [")
}

// isMonolog looks for channel.LEVEL: behind the time in brackets.
func isMonolog(h *head, b []byte) bool {
	_, b, ok := bytes.Cut(b, []byte("] "))
	if !ok || !h.strong {
		return false
	}
	n := letters(b)
	if n == 0 || n >= len(b) || b[n] != '.' {
		return false
	}
	m := letters(b[n+1:])
	return m > 0 && n+1+m < len(b) && b[n+1+m] == ':' && caseOf(b[n+1:n+1+m]) == upperCase
}

func isNginxError(h *head, b []byte) bool {
	return h.strong && len(b) > 30 && b[4] == '/' && b[20] == '[' && containsAny(b, "#")
}

func isAndroid(h *head, b []byte) bool {
	return h.stated() && h.stamp.month != 0 && h.stamp.year == 0 && b[2] == '-'
}

// isPythonBasic reports whether b starts with LEVEL:logger: .
func isPythonBasic(h *head, b []byte) bool {
	n := letters(b)
	return h.level != LevelNone && !h.stamp.ok && n > 2 && n+1 < len(b) && b[n] == ':' && b[n+1] != ' ' && bytes.IndexByte(b[n+1:], ':') > 0 && lookUp(b[:n]).level != LevelNone
}

func isMongo(h *head, b []byte) bool {
	return h.strong && b[0] != '[' && containsAny(b, "  [") &&
		containsAny(b, " NETWORK ", " CONTROL ", " STORAGE ", " COMMAND ", " REPL ", " ACCESS ")
}

func isRust(h *head, b []byte) bool {
	return h.stated() && containsAny(b, "::") && (b[0] == '[' || !containsAny(b, " ["))
}

// isJava looks for the dotted name of a class: com.example.Main, o.e.Main.
func isJava(h *head, b []byte) bool {
	if h.level == LevelNone || !h.strong || b[0] != '[' && !h.stamp.ok {
		return false
	}
	start := 0
	for i, c := range b {
		switch {
		case c == '.' && i > start && isUpper(at(b, i+1)) && b[start] >= 'a' && isLetter(b[start]):
			return true
		case !isLetter(c) && !isDigit(c) && c != '.' && c != '_':
			start = i + 1
		}
	}
	return false
}

func isCisco(h *head, b []byte) bool {
	i := bytes.IndexByte(b, '%')
	return h.strong && h.level != LevelNone && i > 0 && isUpper(at(b, i+1)) && containsAny(b, "-")
}

// at returns the byte of b at i, or 0 beyond its end.
func at(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// contents says which kinds of characters a text holds, so that most rules need
// not look at it: BenchmarkAnalyze/plain-prose takes half as long.
type contents uint16

const (
	hasDigit    contents = 1 << iota
	hasColon             // :
	hasBracket           // [ or <
	hasCapital           // a capital
	hasCapitals          // two capitals in a row
	hasDot
	hasName  // a dot before anything but a blank
	hasBar   // |
	hasTab   // a tab
	hasOther // none of these, nor a small letter, a blank, or , ; ' ! ? - _ /

	anything = ^contents(0) // what a text may hold that was not looked at

	// proseOnly is what a text may hold that is nothing but words. No word of such
	// a text is a level.
	proseOnly = hasCapital | hasDot
)

var byteContents = func() (t [256]contents) {
	for i := range t {
		switch c := byte(i); {
		case isDigit(c):
			t[i] = hasDigit
		case isUpper(c):
			t[i] = hasCapital
		case c == ':':
			t[i] = hasColon
		case c == '[' || c == '<':
			t[i] = hasBracket
		case c == '.':
			t[i] = hasDot
		case c == '|':
			t[i] = hasBar
		case c == '\t':
			t[i] = hasTab
		case !isLetter(c) && strings.IndexByte(" ,;'!?-_/", c) < 0:
			t[i] = hasOther
		}
	}
	return t
}()

// maxGlance is how long a line may be for its contents to be found before it is
// read: of a longer one that takes more time than it saves.
const maxGlance = 64

// contentsOf returns what the beginning of a message holds.
func contentsOf(b []byte) (all contents) {
	before := contents(0)
	for _, c := range b[:min(len(b), maxHead)] {
		kind := byteContents[c]
		all |= kind | before&kind&hasCapital<<1
		if before == hasDot && c != ' ' {
			all |= hasName
		}
		before = kind
	}
	return all
}
