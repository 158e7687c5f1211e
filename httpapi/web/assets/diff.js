// Diffs that are read in the browser, as the server reads others: their files, and
// what changed within lines.

const start = /^--- .*\n\+\+\+ .*\n@@ -/;
const head = /^(?:diff|index|---|\+\+\+|new|deleted|old|(?:dis)?similarity|rename|copy|Binary) /;
const name = /^(?:diff --git .* b\/|--- (?:a\/)?|\+\+\+ (?:b\/)?|rename to )([^\t]+)/;
const starts = (rows, i) => rows[i].startsWith('diff ') || (rows[i].startsWith('--- ') && start.test(rows.slice(i, i + 3).join('\n')));

// isDiff tells whether a text is a diff, perhaps below the message of its commit.
export function isDiff(rows) {
  const first = rows.findIndex((row) => row.trim() !== '');
  const at = /^(?:From|commit) [\da-f]{7,}/.test(rows[first] ?? '') ? rows.findIndex((row, i) => i > first && starts(rows, i)) : first;
  return at >= 0 && starts(rows, at);
}

const most = 300; // files that are listed

// filesOf returns the files of a diff by their later names: the lines of the head
// of each, and how many lines are new or gone.
export function filesOf(rows) {
  const files = [];
  let inHead = false;
  for (const [i, row] of rows.entries()) {
    const isStart = row.startsWith('diff ') || (!inHead && starts(rows, i));
    if (isStart) files.push({ from: i + 1, to: i + 1, name: '', added: 0, removed: 0 });
    if (files.length > most) return [];
    const file = files.at(-1);
    if (!file) continue;
    inHead = isStart || (inHead && head.test(row));
    if (inHead) {
      file.to = i + 1;
      const found = name.exec(row)?.[1];
      if (found && found !== '/dev/null') file.name = found;
    } else if (row.startsWith('+')) file.added++;
    else if (row.startsWith('-') && row !== '-- ') file.removed++;
  }
  return files;
}

const nearby = 8; // lines that are gone with which a new one is compared
const longest = 2000;

// changed returns where lines differ that replace each other, by their places.
export function changed(rows) {
  const found = [];
  let gone = [];
  for (const [i, row] of rows.entries()) {
    if (row.startsWith('-')) gone.push(i);
    else if (!row.startsWith('+')) gone = [];
    for (const [k, old] of gone.slice(0, nearby).entries()) {
      const [from, after] = sameEnds(rows[old], row);
      if (from === 0) continue;
      found[old] = [from, rows[old].length - after];
      found[i] = [from, row.length - after];
      gone.splice(k, 1);
      break;
    }
  }
  return found;
}

const inWord = (text, at) => at > 0 && /^[\w\u0080-\uffff]{2}$/.test(text.slice(at - 1, at + 1));

// sameEnds returns how much of whole words two lines have in common behind their
// signs and at their ends, none if that is less than a third of them and not all of one.
function sameEnds(a, b) {
  if (a[0] === b[0] || Math.max(a.length, b.length) > longest) return [0, 0];
  const short = Math.min(a.length, b.length);
  let [from, after] = [1, 0];
  while (from < short && a[from] === b[from]) from++;
  while (after < short - from && a.at(-1 - after) === b.at(-1 - after)) after++;
  const whole = from + after === short && short > 8; // one is all in the other, and no mere brace
  while (inWord(a, from) || inWord(b, from)) from--;
  while (inWord(a, a.length - after) || inWord(b, b.length - after)) after--;
  const same = a.slice(1, from).trim().length + after;
  return !whole && 3 * same < Math.max(a.length, b.length) - 1 - (from - 1 - same + after) ? [0, 0] : [from, after];
}

// filesNav returns the list of the files of a diff, as pages of the server have it.
export function filesNav(files, key) {
  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...children);
    return element;
  };
  const counts = ({ added, removed }) => [make('span', 'added', added ? `+${added}` : ''), make('span', 'removed', removed ? `−${removed}` : '')];
  const items = files.map((file) => {
    const link = make('a', '', file.name);
    link.href = `${key}L${file.from}`;
    return make('li', '', link, ...counts(file));
  });
  const nav = make('nav', 'files quiet-links', make('h2', '', `${files.length} file${files.length === 1 ? '' : 's'}`), make('ul', '', ...items));
  nav.setAttribute('aria-label', 'Files');
  return nav;
}
