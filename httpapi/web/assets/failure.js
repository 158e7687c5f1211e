// Who failed first in a run of tests or a build, and why. A name and a reason are
// told together only if both belong to the same failure: between the lines that
// name it and the next name. Where that is not sure, the name stands alone.

const names = [
  /^\s*--- FAIL: (\S+)/,
  /^\s*FAIL\s+(\S.* > .+)/,
  /^\s*(?:FAIL|ERROR): ([\w./-]+)(?: \([\w.]+\))?$/,
  /^\s*not ok \d+ (?:- )?(.+)/,
  /^(?:FAILED|ERROR) (\S*(?:::|\/)\S*?)(?: - (.*))?$/,
  /^_{3,} (?:ERROR at \w+ of )?(\S.*?) _{3,}$/,
  /^\s*(?:[×✕✗✖●]|\d+\)) (?!\d+ problems|Console$|Error:$|Failure:$)(\S.*?)(?: \(?[\d.]+ ?m?s\)?|:)?$/,
  /^test (\S+)(?: - should panic)? \.\.\. FAILED$/,
  /^---- (\S+) stdout ----$/,
  /^(?:\[ERROR\] )?([\w$.]+)\(?[^<]*<<< (?:ERROR|FAILURE)!$/,
  /^\[  FAILED  \] (?!\d+ tests?)(\S+?),? (?:\(|where)/,
];

// What stands between the output of two tests, and no name of a failure.
const others = /^\s*(?:=== (?:RUN|CONT|NAME|PAUSE) |--- (?:PASS|SKIP)|ok |PASS|FAIL\b|\[ +(?:RUN|OK) |[✓✔√] |\W*\d+ (?:passing|failing|passed|failed|runs?|tests?|examples?)\b|=+ .* =+$|[Ff]ailures:$|Finished in )/;

// A line that states a reason; its text, or the text of the next line, is that.
const reasons = [
  /^\s*(?:E {3,})?((?:[\w.$\\]*(?:Error|Exception)|panic): \S.*)/,
  /^E {3,}(\S.*)/,
  /^\s*(?:[\w./-]+\.go:\d+: )(\S.*)/,
  /^\s+Error:\s+(\S.*)/,
  /^note: (test did not panic as expected.*)/,
  /^thread '.*' .*panicked at '(.*)', /,
];
const above = /^thread '.*' .*panicked at .*:$/;
const expected = /^\s*(?:expected|right)\s*: *(\S.*)/i;
const actual = /^\s*(?:actual|received|got|left)\s*: *(\S.*)/i;
const sides = /^\s*- Expected(?: .*)?$/; // above the lines of a difference
const wanted = /(?:[=:]|\bgot) ([^=:,;]+)[,;] want:? (.+)$/;
const matcher = /\bexpected (.+?) to (?:be|(?:deeply |strictly )?equal) (.+?)(?: \/\/ .*)?$/;

const first = (text, patterns) => {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
};

// startOf returns where the output of a test begins that is named below it.
function startOf(rows, at, name) {
  const start = new RegExp(`^(?:=== (?:RUN|CONT|NAME) +|\\[ RUN +\\] )${name.replaceAll(/[^\w\s]/g, String.raw`\$&`)}$`);
  const from = rows.slice(0, at).findLastIndex((row) => start.test(row));
  return (from < 0 ? at : from) + 1;
}

// differs returns both sides of a difference of one line each.
function differs(rows) {
  const [gone, come] = [/^\s*- (\S.*)/, /^\s*\+ (?!Received)(\S.*)/].map((sign) => rows.map((row) => sign.exec(row)?.[1]).filter(Boolean));
  return gone.length === 1 && come.length === 1 ? { expected: gone[0].trim(), actual: come[0].trim() } : {};
}

// told returns what lines say about a failure, up to the next name.
function told(rows, from, to) {
  const found = { line: -1, why: '', expected: '', actual: '' };
  for (let i = from; i < to; i++) {
    const why = above.test(rows[i - 1] ?? '') ? rows[i] : first(rows[i], reasons)?.[1];
    if (why && !found.why) Object.assign(found, { line: i, why: why.trim() });
    const [, is, want] = wanted.exec(why ?? '') ?? matcher.exec(why ?? '') ?? [];
    found.expected ||= want ?? expected.exec(rows[i])?.[1].trim() ?? '';
    found.actual ||= is ?? actual.exec(rows[i])?.[1].trim() ?? '';
    if (sides.test(rows[i])) Object.assign(found, differs(rows.slice(i + 1, Math.min(to, i + 12))));
    if (found.line < 0 && (found.expected || found.actual)) found.line = i;
  }
  return found.why || (found.expected && found.actual) ? found : null;
}

// endOf returns where the lines below a name end that tell of it.
function endOf(rows, at) {
  const end = rows.findIndex((row, i) => i > at && (others.test(row) || first(row, names)));
  return end < 0 ? rows.length : end;
}

// same tells whether two names are of one test: the longer one has the file or
// the group before the other.
const same = (a, b) => a === b || a.endsWith(` ${b}`) || a.endsWith(`:${b}`) || b.endsWith(` ${a}`) || b.endsWith(`:${a}`);

// reasonOf returns what is told of the failure that a row names, null if nothing
// is: in that row, above it or below.
function reasonOf(rows, i, match) {
  if (match[2]) return { line: i, why: match[2], expected: '', actual: '' };
  const start = startOf(rows, i, match[1]);
  return (start <= i && told(rows, start, endOf(rows, start - 1))) || told(rows, i + 1, endOf(rows, i));
}

// one returns a failure by the row that names it first: its name, its reason, and
// the line of that or else of the name.
function one(rows, from) {
  let [what, line] = ['', -1];
  for (let i = from; i < rows.length; i++) {
    const match = first(rows[i], names);
    if (!match) continue;
    const inGroup = i < line + 20 && match[1].startsWith(`${what}/`); // which fails with its first test
    if (!what || inGroup) [what, line] = [match[1], i];
    else if (!same(what, match[1])) continue;
    const found = reasonOf(rows, i, match);
    if (found) return { what, ...found };
  }
  return what ? { what, line, why: '', expected: '', actual: '' } : null;
}

const most = 20; // failures that are told apart

// failuresIn returns the failures that tools report in lines, those with a reason
// first, in the order of these: many tools list names before they tell why. A name
// stands at a line or below, or above it with what belongs to it.
export function failuresIn(rows, at) {
  const heading = rows.slice(0, at).findLastIndex((row) => first(row, names));
  const all = [];
  for (let i = heading >= 0 && endOf(rows, heading) > at ? heading : at; i < rows.length && all.length < most; i++) {
    const match = first(rows[i], names);
    if (!match || all.some(({ what }) => same(what, match[1]) || what.startsWith(`${match[1]}/`))) continue;
    all.push(one(rows, i));
  }
  return all.sort((a, b) => (a.why || a.actual ? 0 : 1e9) + a.line - (b.why || b.actual ? 0 : 1e9) - b.line);
}

// What runners of tests say at their ends.
const totals = [/^\s*Tests:?\s+(\d+) failed\b.*?\((\d+)\)\s*$/, /^Tests:\s+(\d+) failed\b.*?(\d+) total\s*$/];

// resultIn says how many tests failed, where a runner does.
export function resultIn(rows) {
  for (const row of rows.toReversed()) {
    const [, failed, all] = first(row, totals) ?? [];
    if (all) return `${failed} of ${all} tests failed`;
  }
  return '';
}
