package logs

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/devkiln/devkiln/share/logs/internal/ascii"
)

// format is the format of a log, as an index into formats.
type format uint8

// The formats that code refers to.
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

// formatRow describes one format. A line is first unwrapped, then read by its
// format's own reader, as JSON, or as text, by rules that know no formats. Its
// format is then determined in the order of the table.
type formatRow struct {
	name    string // value of Analysis.Format
	fields  string // parts of a line, in order, for docs/logs.md
	example string // a log in testdata/cases, without .log

	// first lists the bytes that a line for unwrap or read may start with;
	// "A" stands for capitals, "a" for all letters and "0" for digits.
	first string
	// needs is a set of contents of which such a line has at least one.
	needs contents
	// unwrap returns the length of the text before a program's own line.
	unwrap func(h *head, b []byte) int
	// read reads the whole head of a line and reports whether it has this
	// format.
	read func(h *head, b []byte) bool
	// pattern is a regular expression that matches a line of text whose
	// head states all of states; match is a function that does. If contains
	// is not empty, such a line contains one of its texts, which are looked
	// for first: regular expressions take most of the time of a short log.
	pattern  string
	match    func(b []byte) bool
	contains []string
	states   headStates
	// keys are the members that a JSON value of this format has, all of
	// them.
	keys jsonKey
}

// formats lists all formats. To add one, add a row with its matcher here, and a
// log in testdata/cases.
var formats = [...]formatRow{
	formatNone:          {name: "plain"},
	formatPlain:         {name: "plain", fields: "lines that state neither level nor timestamp", example: "plain-prose"},
	formatText:          {name: "text", fields: "levels and timestamps in any place of a head", example: "loguru"},
	formatJSON:          {name: "json", fields: "values over many lines", example: "json-pretty"},
	formatJSONLines:     {name: "json-lines", fields: "any other JSON value a line", example: "clef"},
	formatLogfmt:        {name: "logfmt", fields: "key=value …", example: "logfmt"},
	formatAccess:        {name: "access", fields: "client, time, request, status, size …", example: "access-combined"},
	formatSyslog5424:    {name: "syslog-rfc5424", fields: "<priority>1, time, host, program, process, id, data, message", example: "syslog-rfc5424", first: "<", needs: hasDigit, unwrap: (*head).priority},
	formatGitHub:        {name: "github-actions", fields: "time, line", example: "github-actions", first: "0a", needs: hasStamp | hasTab, unwrap: (*head).gitHub},
	formatCRI:           {name: "kubernetes-cri", fields: "time, stream, F or P, line", example: "kubernetes-cri", first: "0", needs: hasStamp, unwrap: (*head).runtimeInterface},
	formatJenkins:       {name: "jenkins", fields: "clock, two blanks, line", example: "jenkins", first: "0", needs: hasStamp, unwrap: (*head).jenkins},
	formatSyslog3164:    {name: "syslog-rfc3164", fields: "time, host, program[process]:, message", example: "syslog-rfc3164", first: "0a", needs: hasStamp, unwrap: (*head).syslog},
	formatCompose:       {name: "docker-compose", fields: "service, bar, line", example: "docker-compose", first: "0a[", needs: hasBar, unwrap: (*head).compose},
	formatBuildKit:      {name: "buildkit", fields: "#step, seconds, line", example: "buildkit", first: "#", needs: hasDigit, unwrap: (*head).buildKit},
	formatKubectl:       {name: "kubectl", fields: "[pod/name/container], line", example: "kubectl-prefix", first: "[", needs: hasBracket, unwrap: (*head).kubectl},
	formatAirflow:       {name: "airflow", fields: "[time], {file:line}, LEVEL, dash, line", example: "airflow", first: "[", needs: hasDigit, unwrap: (*head).airflow},
	formatRails:         {name: "rails", fields: "Started …, Processing by …, Completed status", example: "rails", first: "A", needs: hasDigit, read: (*head).rails, pattern: `^(Started|Processing by|Completed) `},
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
	{name: "android", fields: "month-day, clock, process, thread, level letter, tag: message", example: "android-threadtime", first: "A", needs: hasColon, read: (*head).brief, states: stated, pattern: `^\d\d-\d\d `},
	{name: "esp-idf", fields: "level letter, (milliseconds), tag: message", example: "esp-idf", first: "A", needs: hasDigit, read: (*head).espIDF},
	{name: "redis", fields: "process:role, time, level sign, message", example: "redis", first: "0[", needs: hasDigit, read: (*head).redis},
	{name: "kernel", fields: "[seconds since start], message", example: "kernel", states: dated, pattern: `^\[ *\d+\.\d+\](.[^(]|.?$)`},
	{name: "apache-error", fields: "[time] [module:level] [pid] message", example: "apache-error", states: dated, pattern: `^\[[A-Z][a-z]{2,} .*\] \[`},
	{name: "laravel", fields: "[time] channel.LEVEL: message", example: "laravel", states: dated, pattern: `\] [A-Za-z]+\.[A-Z]+:`, contains: []string{"] "}},
	{name: "nginx-error", fields: "time, [level], process#thread: message", example: "nginx-error", states: dated, pattern: `^.{4}/.{15}\[.*#`, contains: []string{"#"}},
	{name: "mysql", fields: "time, thread, [level], [code], [subsystem], message", example: "mysql", states: dated, pattern: `^[^\[]`, contains: []string{"] [MY-", " [Note] ", " [System] "}},
	{name: "postgresql", fields: "time, [process], LEVEL:  message", example: "postgresql", states: dated, pattern: `^[^\[]`, contains: []string{"LOG:  ", "ERROR:  ", "FATAL:  ", "WARNING:  ", "STATEMENT:  "}},
	{name: "python", fields: "time - logger - LEVEL - message", example: "python-asctime", states: levelled, pattern: `^(DEBUG|INFO|WARNING|ERROR|CRITICAL):[^ ].*:|^[^\[].* - (DEBUG|INFO|WARNING|ERROR|CRITICAL) - `, contains: []string{"DEBUG:", "INFO:", "WARNING:", "ERROR:", "CRITICAL:", " - DEBUG - ", " - INFO - ", " - WARNING - ", " - ERROR - ", " - CRITICAL - "}},
	{name: "zap-console", fields: "time, level, caller, message, with tabs between", example: "zap-console", states: dated, pattern: `^[^\[]`, contains: []string{"\tinfo\t", "\tINFO\t", "\tdebug\t", "\tDEBUG\t", "\tERROR\t", "\terror\t"}},
	{name: "mongodb", fields: "time, level letter, COMPONENT, [context], message", example: "mongodb-4.2", states: dated, pattern: `^[^\[].* (NETWORK|CONTROL|STORAGE|COMMAND|REPL|ACCESS) +\[`, contains: []string{" NETWORK ", " CONTROL ", " STORAGE ", " COMMAND ", " REPL ", " ACCESS "}},
	{name: "rust-tracing", fields: "time, LEVEL, module::path: message", example: "rust-tracing", states: stated, pattern: `^\[.*::|^[^\[]*::[^\[]*$`, contains: []string{"::"}},
	{name: "java", fields: "time, LEVEL, class of a package, message", example: "log4j", states: dated | levelled, match: namesClass},
	{name: "cisco", fields: "time, %FACILITY-severity-MNEMONIC: message", example: "cisco-ios", states: dated | levelled, pattern: `%[A-Z].*-`, contains: []string{"%"}},
}

func (f format) String() string { return formats[f].name }

// byFirst lists, for each byte that a line may start with, the formats that
// unwrap and those that read such a line.
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

// beginsWith reports whether first, as in a formatRow, includes c.
func beginsWith(first string, c byte) bool {
	for i := range len(first) {
		switch f := first[i]; {
		case f == 'A' && ascii.IsUpper(c), f == 'a' && ascii.IsLetter(c), f == '0' && ascii.IsDigit(c), f == c && !ascii.IsLetter(f) && !ascii.IsDigit(f):
			return true
		}
	}
	return false
}

// read reads a line in a fixed layout, and reports whether it has one.
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

// formatOf returns the format of a JSON value.
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

// headStates is a set of what the head of a line states.
type headStates uint8

const (
	dated    headStates = 1 << iota // it starts an entry
	levelled                        // it has a level
	timed                           // it has a timestamp

	stated = dated | levelled | timed
)

// states returns what a line states.
func (h *head) states() (all headStates) {
	if h.strong {
		all |= dated
	}
	if h.level != LevelNone {
		all |= levelled
	}
	if h.stamp.OK {
		all |= timed
	}
	return all
}

// patterns are the compiled patterns of formats.
var patterns = func() (list [len(formats)]*regexp.Regexp) {
	for f := range formats {
		list[f] = regexp.MustCompile(formats[f].pattern)
	}
	return list
}()

// formatOf returns the format of a line of text whose level and timestamp are
// known.
func (h *head) formatOf(b []byte) format {
	b = b[:min(len(b), maxHead)]
	states := h.states()
	for f := range formats {
		if row := &formats[f]; states&row.states == row.states && row.matches(b, patterns[f]) {
			return format(f)
		}
	}
	if states&(dated|levelled) != 0 {
		return formatText
	}
	return formatPlain
}

// matches reports whether a line matches the row, whose compiled pattern is
// given.
func (row *formatRow) matches(b []byte, pattern *regexp.Regexp) bool {
	switch {
	case row.match != nil:
		return row.match(b)
	case row.pattern == "", row.contains != nil && !containsAny(b, row.contains...):
		return false
	}
	return pattern.Match(b)
}

// namesClass reports whether b contains the name of a class in a package:
// org.example.Shop.
func namesClass(b []byte) bool {
	start := 0
	for i, c := range b {
		switch {
		case c == '.' && i > start && ascii.IsLower(b[start]) && ascii.IsUpper(ascii.At(b, i+1)):
			return true
		case c != '.' && c != '_' && !ascii.IsLetter(c) && !ascii.IsDigit(c):
			start = i + 1
		}
	}
	return false
}

// containsAny reports whether b contains any of texts.
func containsAny(b []byte, texts ...string) bool {
	for _, text := range texts {
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// contents is a set of kinds of characters in a text. It lets most rules skip a
// text unread: BenchmarkAnalyze/plain-prose takes half as long.
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
	hasOther // none of these, nor a lower-case letter, a blank, or , ; ' ! ? - _ /
	hasStamp // a timestamp, at the start

	anything = ^contents(0) // contents of a text that was not examined

	// proseOnly is what a text of words alone may hold. No word of such a
	// text is a level.
	proseOnly = hasCapital | hasDot
)

var byteContents = func() (t [256]contents) {
	for i := range t {
		switch c := byte(i); {
		case ascii.IsDigit(c):
			t[i] = hasDigit
		case ascii.IsUpper(c):
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
		case !ascii.IsLetter(c) && strings.IndexByte(" ,;'!?-_/", c) < 0:
			t[i] = hasOther
		}
	}
	return t
}()

// maxGlance is the maximum length in bytes of a line whose contents are
// determined before it is read. For a longer one, this takes more time than it
// saves.
const maxGlance = 64

// contentsOf returns the contents of the beginning of a message.
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
