// What a text is and how its lines look, told in the browser: for what is not
// shared yet, and for what the server cannot read. The server knows more
// languages and formats, and decides about what it is sent.

import { failuresIn } from './failure.js';
import { changed, filesOf, isDiff } from './diff.js';

// What the tools of builds and tests write about a failure, and hardly anybody else.
const failed = new RegExp([
  String.raw`^\s*(?:--- FAIL: |FAIL(?:\s|$)|FAILED\b|\[  FAILED  \] |test \S+ .*FAILED$|FAILURE: |BUILD FAILED|Failures:$|not ok \d|panic: |fatal: |Traceback \(most recent|thread '.*' .*panicked|npm (?:ERR!|error) |error\[E\d+\]|ERR_|[×✕✗✖●] )`,
  String.raw`^make(?:\[\d+\])?: \*\*\*|^(?:E {3,}|AssertionError|[\w.]+Error: )|^\S+?(?::\d+|\(\d+,\d+\))(?::\d+)?:? (?:- )?(?:fatal )?error\b`,
  String.raw`^\W*\d+ (?:tests?|examples?|specs?|runs), .*\b(?:failures?|errors)|\b[1-9]\d* (?:failed|failing)\b|^FAILURES!$|^There (?:was|were) \d+ (?:failure|error)|^(?:│ )?Error: [A-Z]`,
].join('|'));

const levels = [
  ['F', /^\s*panic: |\b(?:FATAL|CRITICAL|PANIC|EMERG)\b|\blevel"?[=:]\s*"?(?:fatal|critical|panic)\b/],
  ['E', /\b(?:ERROR|SEVERE|ERR)\b|\blevel"?[=:]\s*"?error\b|^\s*(?!Error Trace)(?:\w+[.:])*\w*(?:Error|Exception)\b[: ]|^error\b|\[error\]/],
  ['E', failed],
  ['W', /\b(?:WARN|WARNING)\b|\blevel"?[=:]\s*"?warn(?:ing)?\b|^(?:warning|npm warn)\b|\[warn(?:ing)?\]/],
  ['I', /\b(?:INFO|NOTICE)\b|\blevel"?[=:]\s*"?info\b|\[info\]/],
  ['D', /\bDEBUG\b|\blevel"?[=:]\s*"?debug\b/],
  ['T', /\bTRACE\b/],
];
const stamp = /^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S*(?: [+-]\d{4})?|\d\d:\d\d:\d\d\S*|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d)/;
const stamped = new RegExp(`${stamp.source} ?`); // a time is hidden with its blank

// The times that GitHub Actions, GitLab and Jenkins write before every line, and
// what is for their pages, not for readers.
export const wrapper = /^\ufeff?(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{7}Z|\d{6}Z \d\d[OE]) ?|\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] )/;
const marker = /^(?:##\[\w+\]|::(?:end)?group::|section_(?:start|end):\d+:[^\r]*\r?(?=.*$))/;
export const bare = (line) => line.slice(0, 300).replace(wrapper, '');

// levelOf returns the letter of the level of a line, '' if it has none.
const levelOf = (line) => levels.find(([, pattern]) => pattern.test(line))?.[0] ?? '';

const passed = /^\s*(?:[✓✔√❯]|PASS|ok |--- PASS|Start at |Duration )/;

const thrown = /^[\w.$]+(?:Error|Exception)\b/;

// A frame of a stack trace takes a line or, in Go and Python, two.
const call = /^\s+at \S|^\s+File ".*", line \d|^\s+\.\.\. \d+ (?:more|common)|^\s+\d+: (?:0x[\da-f]+ - )?\S+$|^\s+from \S+:\d+:in |^\s+#\d+ /;
const place = /^\t\S+:\d+(?: \+0x[\da-f]+)?$/; // of a call in Go
const source = /^\s+File "/; // of what is on the next line in Python
const isFrame = (rows, i) => call.test(rows[i]) || place.test(rows[i]) || place.test(rows[i + 1] ?? '') || (source.test(rows[i - 1] ?? '') && /^\s/.test(rows[i]));

// tracesOn tells whether a line without indent continues the trace of a panic of Go.
const tracesOn = (text, above) => (text === '' && (/^\s*(?:panic: |\[signal )/.test(above) || place.test(above)))
  || /^(?:\[signal |goroutine \d+ \[)/.test(text)
  || (/^created by |^[\w./-]+\.\S*\(.*\)$/.test(text) && (/^goroutine /.test(above) || place.test(above)));

// levelIn returns the level of a line of a log after another: its letter, in lower
// case if the line tells more of that one. What is indented, such as a stack
// trace, does, and so does an exception below an error or what failed in a file of
// tests.
function levelIn(line, before = { text: '', level: '' }) {
  const text = bare(line);
  const above = bare(before.text);
  const letter = levelOf(text);
  if (before.level && (tracesOn(text, above) || /^(?:Caused by: |\s+at )/.test(text) || (stamp.test(above) && thrown.test(text)))) return before.level.toLowerCase();
  if (!letter) return /^\s+\S/.test(text) && !passed.test(text) ? before.level.toLowerCase() : '';
  if (stamp.test(text) || before.level.toUpperCase() !== letter) return letter;
  const deeper = text.search(/\S/) - above.search(/\S/);
  const explains = before.level === letter && (stamp.test(above) || (/^\s*FAIL\b/.test(above) && /^\w+Error\b/.test(text)));
  const below = deeper > 0 || (deeper === 0 && before.level !== letter && /^\s/.test(text));
  return explains || below ? letter.toLowerCase() : letter;
}

// Languages by what only they have: each pattern that occurs is a point.
const languages = [
  ['go', 'Go', /^package \w+\s*$/m, /^func (?:\(\w+ \*?\w+\) )?\w+\(/m, /:= |\bfmt\.\w+\(/],
  ['rust', 'Rust', /\bfn \w+.*(?:->|\{)/, /\blet (?:mut )?\w+.*;/, /\bimpl\b|\buse \w+::|println!/],
  ['python', 'Python', /^\s*(?:async )?def \w+\(.*:\s*$/m, /^\s*(?:if|for|while|class|with|try)\b.*:\s*$/m, /^(?:from [\w.]+ )?import [\w., ]+$/m],
  ['typescript', 'TypeScript', /^\s*(?:export )?(?:interface|type|enum) \w+/m, /[\w)\]]\??: (?:string|number|boolean|void|unknown|any|Promise)\b/, /\b(?:const|let) \w+.* = |=> /],
  ['javascript', 'JavaScript', /\b(?:const|let|var) \w+.* = /, /=> |\bfunction\b/, /\b(?:require\(|console\.|document\.|await |import .* from )/],
  ['java', 'Java', /\b(?:public|private|protected) (?:static |final )*[\w<>[\]]+ \w+/, /\bpublic class \w+|^import java/m, /System\.out|@Override/],
  ['c#', 'C#', /^using [\w.]+;/m, /^namespace [\w.]+/m, /\b(?:public|private) (?:async )?[\w<>]+ \w+.*(?:\{|=>)/],
  ['c++', 'C++', /^#include <\w+>/m, /\bstd::|\btemplate ?</, /\b(?:int|void|auto) \w+\(.*\) ?\{/],
  ['c', 'C', /^#include [<"][\w/]+\.h[>"]/m, /\b(?:int|void|char|struct) \*?\w+[ (]/, /\bprintf\(|->/],
  ['ruby', 'Ruby', /^\s*def \w+[^:]*$/m, /^\s*end\s*$/m, /\bputs \b|\bdo \|\w+\||^require /m],
  ['php', 'PHP', /<\?php/, /<\?php/, /\$\w+ = /],
  ['html', 'HTML', /<!doctype html|<html\b/i, /<(?:div|p|span|body|head|a|ul)\b[^>]*>/i],
  ['css', 'CSS', /^[.#@:]?[\w-][^{}\n]*\{\s*$/m, /^\s+[a-z-]+: [^;{}]+;\s*$/m],
  ['sql', 'SQL', /\bselect\b[\s\S]+\bfrom\b|\b(?:insert into|create table|update \w+ set)\b/i, /;\s*$|\bwhere\b|\bjoin\b/i],
  ['bash', 'Shell', /^#!.*\b(?:ba|z)?sh\b/, /^\s*(?:if \[|fi$|done$|esac$|export \w+=|echo )/m, /\$\{?\w+|\$\(/],
  ['dockerfile', 'Dockerfile', /^FROM \S+/m, /^(?:RUN|COPY|CMD|ENTRYPOINT|WORKDIR) /m],
  ['yaml', 'YAML', /^[\w-]+:(?: \S.*)?$/m, /^\s+(?:- )?[\w-]+: ?.*$/m],
  ['markdown', 'Markdown', /^#{1,4} \S/m, /^[-*] \S|\[[^\]]+\]\([^)]+\)|^```/m],
];

// nameOf returns the name of a language for people, if it is known here.
export const nameOf = (id) => [...languages, ['diff', 'Diff'], ['json', 'JSON'], ['jsx', 'JavaScript'], ['tsx', 'TypeScript']].filter(([one]) => one === id).map(([, name]) => name);

function languageOf(text) {
  const points = ([, , ...patterns]) => patterns.filter((pattern) => pattern.test(text)).length;
  const best = languages.reduce((a, b) => (points(b) > points(a) ? b : a));
  return points(best) >= 2 ? best : null;
}

const isJSON = (text) => {
  try {
    return /^\s*[[{]/.test(text) && Boolean(JSON.parse(text));
  } catch {
    return false;
  }
};

export const plain = (text) => text.replaceAll(/\x1b\[[\d;:?]*[A-Za-z]/g, ''); // escape codes are for terminals

export const counted = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

// What only says that something failed.
const vague = /^\W*(?:\d|FAIL|BUILD|ERROR: |Traceback|There (?:was|were)|make|Tests?[: ]|test result|Process|npm error (?:code|A complete)|exit)|\b\d+ (?:failed|failures?)\b/i;

// failuresAt returns the failures that tools report around a row.
function failuresAt(rows, at) {
  const from = Math.max(0, at - 200);
  const near = rows.slice(from, at + 600).map((row) => bare(row).replace(marker, ''));
  const found = failuresIn(near, at - from);
  if (found.length > 0) return found.map((failure) => ({ ...failure, line: from + failure.line }));
  const line = near.findIndex((row, i) => i >= at - from && failed.test(row) && !vague.test(row));
  return line < 0 ? [] : [{ what: near[line].trim(), line: from + line, why: '', expected: '', actual: '' }];
}

// errorsIn returns how many lines of a log are errors, the first of them, and the
// failures that tools report, the one to begin with first.
export function errorsIn(rows) {
  let first = 0;
  let errors = 0;
  let before;
  for (const [i, row] of rows.entries()) {
    before = { text: row, level: levelIn(row, before) };
    if (!'FE'.includes(before.level || '-')) continue;
    if (errors === 0) first = i;
    errors++;
  }
  const failures = errors > 0 ? failuresAt(rows, first) : [];
  return { first, errors, failures, failure: failures[0] ?? null };
}

// messageOf returns a line of a log without its time, its level and who wrote it.
export const messageOf = (line) => line.replace(wrapper, '').replace(stamp, '').replace(marker, '').replace(/^\W*(?:ERROR|FATAL|SEVERE|CRITICAL)\W+(?:[^\]]*\] *)?(?:[\w.$]+ +[-:] +)?/, '').replace(/^\S*\.\S+ +: +/, '').trim();

// fill fills a box with a failure, or hides it.
export function fill(box, failure) {
  box.hidden = !failure;
  if (!failure) return;
  for (const part of box.querySelectorAll('[data-says]')) part.textContent = failure[part.dataset.says];
  const versus = box.querySelector('.versus');
  versus.hidden = !failure.expected || !failure.actual;
  versus.nextElementSibling.hidden = !versus.hidden || !failure.why;
}

// recognize returns the kind of a text, its language, and a sentence about it.
export function recognize(text) {
  const rows = plain(text).replace(/\n$/, '').split('\n');
  const size = counted(rows.length, 'line');
  if (isDiff(rows)) return { kind: 'snippet', language: 'diff', sentence: `Diff, ${size}`, rows };
  const head = rows.slice(0, 400);
  const telling = head.filter((row) => stamp.test(row) || levelOf(bare(row))).length;
  const filled = head.filter((row) => row.trim() !== '').length;
  const found = telling * 3 < filled && !head.some((row) => failed.test(bare(row))) ? languageOf(head.join('\n')) : null;
  if (found) return { kind: 'snippet', language: found[0], sentence: `${found[1]}, ${size}`, rows };
  if (rows.length < 5000 && isJSON(text)) return { kind: 'snippet', language: 'json', sentence: `JSON, ${size}`, rows };
  const { first, errors, failure } = errorsIn(rows);
  // What a tool reports is grouped by the server; elsewhere each line counts.
  const reported = rows.some((row) => failed.test(bare(row))) ? '. The link says what failed.' : `, ${counted(errors, 'error')}`;
  const more = failure ? '. Failed:' : reported;
  const said = failure?.line ?? first;
  return { kind: 'log', language: '', sentence: `${telling > 0 ? 'Log' : 'Text'}, ${size}${errors > 0 ? more : ''}`, rows, first: Math.abs(said - first) > 10 ? said : Math.min(said, first), failure };
}

const words = new Set(('abstract and as async await break case catch class const continue def default defer delete do done elif else end enum esac except export extends false fi '
  + 'final finally fn for foreach from func function go if impl implements import in interface is let loop match module mut namespace new nil none not null or package pass pub '
  + 'public private protected raise range return self static struct super switch then this throw trait true try type typeof use using val var void when where while with yield').split(' '));
const token = /(\/\/.*|(?:^|\s)#(?:[ !#].*|$)|(?:^|\s)--\s.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?)|\b(\d[\w.]*)|([A-Za-z_]\w*)/g;

function add(line, text, name) {
  if (text === '') return;
  const part = name === undefined ? document.createTextNode(text) : document.createElement('i');
  if (name !== undefined) {
    part.textContent = text;
    if (name) part.className = name;
  }
  line.append(part);
}

const expressions = new RegExp(String.raw`${token.source}|(?<=[=(,:[!&|?;] *)(\/(?![/*\s])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*)`, 'g'); // of scripts
const named = /^(?:go|rust|python|java|c[#+]*|kotlin|swift|php|ruby|scala|(?:java|type)script|[jt]sx)$/; // languages with calls, and types in capitals

// code writes a line of code: comments, strings, numbers and words.
function code(line, text, language) {
  const nameIn = (word, before, after) => {
    if (words.has(word) && before !== '.') return 'k';
    if (!word || !named.test(language)) return '';
    return (after === '(' && 'n') || (/^[A-Z]\w*[a-z]/.test(word) && before !== '.' && 't') || '';
  };
  let at = 0;
  for (const match of text.matchAll(/script$|^[jt]sx$/.test(language) ? expressions : token)) {
    const [all, comment, string, number, word, expression] = match;
    const name = (comment && 'c') || ((string || expression) && 's') || (number && 'm') || nameIn(word, text[match.index - 1], text[match.index + all.length]);
    if (!name) continue;
    add(line, text.slice(at, match.index));
    add(line, all, name);
    at = match.index + all.length;
  }
  add(line, text.slice(at));
}

const sequence = /\x1b\[([\d;]*)m|\x1b\[[\d;:?]*[A-Za-z]/g;
const looks = { 1: 'B', 2: 'D', 3: 'I', 4: 'U', 9: 'X' };
const ends = { 22: 'BD', 23: 'I', 24: 'U', 29: 'X' };

// change applies the codes of an escape sequence to a style: its letters, its
// colour and that of its background.
function change(style, codes) {
  const rest = codes.split(';').map(Number);
  for (let code = rest.shift(); code !== undefined; code = rest.shift()) {
    if (code === 0) Object.assign(style, { letters: '', f: '', b: '' });
    else if (code in looks) style.letters += looks[code];
    else if (code in ends) style.letters = [...style.letters].filter((letter) => !ends[code].includes(letter)).join('');
    else if (code === 38 || code === 48) rest.splice(0, rest[0] === 5 ? 2 : 4); // of more than 16 colours
    else if (code === 39 || code === 49) style[code === 39 ? 'f' : 'b'] = '';
    else if (code % 10 < 8 && (code >= 30 && code < 48)) style[code < 40 ? 'f' : 'b'] = String(code % 10);
    else if (code % 10 < 8 && (code >= 90 && code < 108)) style[code < 100 ? 'f' : 'b'] = String((code % 10) + 8);
  }
}

// styled writes text with the colours that its escape sequences state.
function styled(line, text, style) {
  let at = 0;
  for (const match of [...text.matchAll(sequence), { index: text.length, 0: '' }]) {
    const names = [...style.letters].concat(style.f && `f${style.f}`, style.b && `b${style.b}`).filter(Boolean);
    add(line, text.slice(at, match.index), names.length > 0 ? names.join(' ') : undefined);
    at = match.index + match[0].length;
    if (match[1] !== undefined) change(style, match[1]);
  }
}

// log writes a line of a log: its time set back, its level as a class.
function log(line, text, before, style) {
  const words = plain(text);
  const time = text.startsWith('\x1b') ? '' : (wrapper.exec(text) ?? stamped.exec(text))?.[0] ?? '';
  line.className = levelIn(words, before && { text: before.textContent, level: before.className });
  add(line, time, time && '');
  styled(line, text.slice(time.length).replace(marker, ''), style);
}

// patch writes a line of a diff: new or gone, with a mark on what changed in it.
const ofSigns = { '+': 'd', '-': 'x', '@': 'h' };
function patch(line, text, at) {
  const part = document.createElement('i');
  part.className = ofSigns[text[0]] ?? '';
  part.textContent = text;
  if (at && at[0] < at[1]) {
    const mark = document.createElement('mark');
    mark.textContent = text.slice(...at);
    part.replaceChildren(text.slice(0, at[0]), mark, text.slice(at[1]));
  }
  line.append(part);
}

// Frames that are not the reader's own: of runtimes, frameworks and packages.
const ofLibrary = new RegExp([
  String.raw`\bat (?:[\w.@-]+/+)*(?:javax?|jdk|sun|com\.sun|kotlinx?|scala|groovy|reactor|org\.(?:springframework|hibernate|apache|eclipse|junit|gradle|jboss|mockito)|io\.(?:netty|undertow|vertx)|System|Microsoft)\.`,
  String.raw`node_modules/|\bnode:|\(internal/|/(?:site|dist)-packages/|/usr/(?:local/)?lib/|/go/src/|/pkg/mod/|/hostedtoolcache/|/\.cargo/registry/|/rustc/|/gems/|/vendor/|<frozen `,
].join('|'));

// foldsOf returns which lines of a stack trace fold, and what they are: those of
// libraries or, where all are or none is, what follows the first ones. A line that
// does not say where it is belongs with the one above or, where a trace begins with
// one as in Go, with that below.
function foldsOf(rows) {
  let trace = rows.map((row) => (ofLibrary.test(row.trim()) ? 'l' : (/:\d|^File "/.test(row.trim()) && 'o') || '?')).join('');
  if (trace.startsWith('?')) trace = trace.replaceAll(/\?([lo])/g, '$1$1');
  if (/l/.test(trace) && /o/.test(trace)) return [trace.matchAll(/l[l?]+/g), 'library frame'];
  return [rows.map((_, i) => 'ol'[Number(i >= 3)]).join('').matchAll(/l[l?]+/g), 'more frame'];
}

// foldLines adds the row of a fold.
export function foldLines(lines, from, to, label, open = false) {
  const row = document.createElement('p');
  row.className = 'fold';
  row.dataset.to = to;
  const link = document.createElement('a');
  link.href = `${location.hash.split('&')[0]}&L${from + 1}`;
  link.ariaExpanded = String(open);
  link.textContent = label;
  row.append(link);
  row.toggleAttribute('data-folded', lines[from].hasAttribute('data-folded'));
  for (const line of open ? [] : lines.slice(from, to)) {
    line.setAttribute('data-folded', '');
    if (line.previousSibling?.className === 'fold') line.previousSibling.setAttribute('data-folded', '');
  }
  lines[from].before(row);
  return row;
}

// fold folds the stack traces of a log, as the server does.
function fold(lines, rows) {
  for (let from = 0, to = 0; from < rows.length; from = to + 1) {
    for (to = from; to < rows.length && isFrame(rows, to); to++);
    const [folded, noun] = foldsOf(rows.slice(from, to));
    for (const { index, 0: found } of folded) foldLines(lines, from + index, from + index + found.length, `⋯ ${counted(found.length, noun)}`);
  }
}

const longest = 2000; // characters of a line that are coloured

// draw fills a listing with lines. With ids they can be linked to.
export function draw(listing, rows, kind, ids, language = '') {
  const sections = [];
  const style = { letters: '', f: '', b: '' };
  const files = language === 'diff' ? filesOf(rows) : [];
  const isHead = (i) => files.some(({ from, to }) => from <= i + 1 && i < to);
  const marks = language === 'diff' ? changed(rows.map((row, i) => (isHead(i) ? '' : row))) : [];
  listing.dataset.language = language;
  let last;
  listing.classList.toggle('log', kind === 'log');
  listing.classList.toggle('code', kind !== 'log');
  if (kind === 'log' && wrapper.test(rows[0])) listing.dataset.times = 'hidden'; // as on the page of a log with steps
  for (const [i, row] of rows.entries()) {
    if (i === 0 || i % 100 === 99) sections.push(document.createElement('section'));
    const line = document.createElement('p');
    if (ids) line.id = `L${i + 1}`;
    if (isHead(i)) line.className = 'head';
    if (row.length > longest) line.textContent = plain(row);
    else if (kind === 'log') log(line, row, last, style);
    else if (language === 'diff') patch(line, plain(row), marks[i]);
    else code(line, plain(row), language);
    sections.at(-1).append(line);
    last = line;
  }
  listing.replaceChildren(...sections);
  if (kind === 'log' && ids) fold([...listing.querySelectorAll('p')], rows.map((row) => bare(plain(row))));
  return files;
}
