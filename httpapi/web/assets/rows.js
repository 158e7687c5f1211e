// The viewer of lines that the page holds whole: those of code, and those that no
// server has any more, or none can read. Links to lines, search, wrapping, copying.

import { say } from './clipboard.js';
import { find } from './find.js';
import { rows as folds } from './hidden.js';
import { keys } from './keys.js';
import { here, hidden, lines, marks, numberOf, place, show, viewer } from './lines.js';
import { patch } from './patch.js';
import { save } from './save.js';
import { wrap } from './wrap.js';

// The times that GitHub Actions writes before every line are hidden, as on the page of a log with steps.
if (/\.\d{7}Z ?$/.test(lines.querySelector('p > i:not([class])')?.textContent)) lines.dataset.times = 'hidden';
const rows = [...lines.querySelectorAll('p[id]')];
rows.forEach((row) => row.setAttribute('data-n', row.id.slice(1)));
const files = [...viewer.querySelectorAll('.files a')];
if (files.length > 0) patch(lines, rows, files);
viewer.querySelector('.moves').hidden = false;

// A link to a line in a folded stack trace opens that.
if (lines.querySelector('.fold')) {
  const { unfold } = folds(() => {});
  const arrive = () => { if (marks()[0]) unfold(numberOf(marks()[0])); };
  lines.addEventListener('arrive', arrive);
  arrive();
}

// The errors of a log, one after the other, and around at the end.
const errors = rows.filter((row) => lines.classList.contains('log') && /^[EF]$/.test(row.className));
function next(back) {
  const shown = errors.filter((row) => !hidden(row));
  const from = here();
  const found = (back ? shown.findLast((row) => numberOf(row) < from) : shown.find((row) => numberOf(row) > from)) ?? shown.at(back ? -1 : 0);
  if (!found) return;
  show(found);
  say(`Error ${shown.indexOf(found) + 1} of ${shown.length}, line ${numberOf(found)}`);
}
const forth = viewer.querySelector('[data-next]');
if (forth && errors.length > 0) {
  forth.hidden = false;
  forth.addEventListener('click', (event) => next(event.shiftKey));
}

const field = viewer.querySelector('[data-search]');
field.addEventListener('input', () => lines.toggleAttribute('data-searched', lines.classList.contains('log') && field.value.trim() !== ''));
keys({
  ...(errors.length > 0 && { e: () => next(false), E: () => next(true) }),
  '/': find(field, viewer.querySelector('.matches'), rows, (row, away) => row.toggleAttribute('data-miss', away), undefined, lines.classList.contains('log') ? null : show),
  w: wrap(document.getElementById('wrap'), lines, (turn) => {
    const back = place();
    turn();
    back();
  }),
});

// What was read once is on this page alone.
const button = viewer.querySelector('[data-save][hidden]');
if (button) save(button, () => rows.map((row) => `${row.textContent}\n`).join(''), `${viewer.querySelector('h1').textContent.replace(/\.txt$/, '')}.txt`);
