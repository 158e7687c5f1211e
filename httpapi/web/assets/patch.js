// The lines of a diff have their numbers in both files, and the head of a file is
// one row: its name, or both. The ids of lines still count those of the diff.

const hunk = /^@@ -(\d{1,8})(?:,(\d{1,8}))? \+(\d{1,8})(?:,(\d{1,8}))? @@/;
const told = /^(?:diff|index|---|\+\+\+|(?:dis)?similarity|rename|copy|new file|deleted file) /;

// number sets the numbers of lines, and returns the largest.
function number(rows) {
  const [next, left] = [[0, 0], [0, 0]]; // left of the hunk, whose lines may be counted wrong
  let largest = 0;
  for (const row of rows) {
    if (row.matches('.head')) continue;
    const [sign] = row.textContent;
    const found = hunk.exec(row.textContent);
    const within = Math.max(...left) > 0;
    ['data-a', 'data-b'].forEach((name, side) => {
      if (found) {
        next[side] = Number(found[1 + 2 * side]);
        left[side] = Number(found[2 + 2 * side] ?? 1);
      } else if (within && sign !== '+-'[side] && sign !== '\\') {
        row.setAttribute(name, next[side]);
        largest = Math.max(largest, next[side]++);
        left[side]--;
      }
    });
  }
  return largest;
}

// title names the file of a head, and says what became of it.
function title(head, name) {
  const first = (wanted) => head.map((row) => wanted.exec(row.textContent)).find(Boolean);
  const was = first(/^(?:--- (?!\/dev\/null)(?:a\/)?|rename from )([^\t]+)/)?.[1] ?? name;
  let note = was === name ? '' : 'renamed';
  if (first(/^(?:new file |--- \/dev\/null)/)) note = 'new file';
  if (first(/^(?:deleted file |\+\+\+ \/dev\/null)/)) note = 'deleted';
  return [was === name ? name : `${was} → ${name}`, note];
}

// total adds to the heading of several files how many lines of all are new and gone.
function total(files) {
  if (files.length < 2) return;
  const list = files[0].closest('nav');
  list.querySelector('h2').append(...[['added', '+'], ['removed', '−']].map(([name, sign]) => {
    const count = document.createElement('span');
    const sum = [...list.querySelectorAll(`.${name}`)].reduce((all, { textContent }) => all + Number(textContent.slice(1)), 0);
    count.className = name;
    count.textContent = sum > 0 ? sign + sum : '';
    return count;
  }));
}

// patch does all that, for the files that the page lists.
export function patch(lines, rows, files) {
  const starts = files.map((file) => Number(/\d+$/.exec(file.hash)) - 1);
  starts.forEach((from, n) => {
    const head = [];
    for (let at = from; rows[at]?.matches('.head') && at !== starts[n + 1]; at++) head.push(rows[at]);
    const [name, note] = title(head, files[n].textContent);
    head[0].setAttribute('data-title', name);
    head[0].setAttribute('data-counts', [note, ...[...files[n].parentElement.querySelectorAll('span')].map((count) => count.textContent)].filter(Boolean).join('   '));
    if (note) files[n].setAttribute('data-note', note);
    head.slice(1).forEach((row) => row.setAttribute(told.test(row.textContent) ? 'data-told' : 'data-besides', ''));
  });
  total(files);
  const digits = String(number(rows)).length;
  lines.classList.add('patch');
  if (digits > 3) lines.style.setProperty('--number', `${digits}ch`);
}
