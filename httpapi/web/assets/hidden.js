// Lines of a log that are out of sight, and the rows that tell of them: gaps
// between the lines that a filter leaves, and folds. Gaps are links to where the
// server shows the lines; here they are shown at once.

import { lines } from './lines.js';

const context = 20; // lines that a gap shows on either side, as on the server

// ranges reads 12-31,202 as pairs of numbers.
export function ranges(text) {
  const all = (text ?? '').split(',').map((part) => part.split('-').map(Number)).map(([from, to]) => [from, to ?? from]);
  return all.filter(([from, to]) => from > 0 && from <= to);
}

const written = (all) => all.map(([from, to]) => `${from}-${to}`).join(',');

// around returns the lines that a gap shows when it is opened.
function around(from, to) {
  return to - from < 2 * context + 10 ? [[from, to]] : [[from, from + context - 1], [to - context + 1, to]];
}

const rangeOf = (fold) => [Number(/\d+$/.exec(fold.firstElementChild.hash)), Number(fold.dataset.to)];
const isOpen = (fold) => fold.firstElementChild.ariaExpanded === 'true';

// rows keeps the rows of gaps and folds. change is called when lines have come
// or gone by them.
export function rows(change) {
  const folds = [...lines.querySelectorAll('.fold')];
  let opened = ranges(new URLSearchParams(location.search).get('open'));

  const shows = (n) => opened.some(([from, to]) => from <= n && n <= to);

  // address adds to the address of a page which gaps are open.
  function address(search, more = []) {
    const open = [...opened, ...more];
    if (open.length > 0) search.set('open', written(open));
    return search;
  }

  // gap returns the row for the lines that are left out from one number to another.
  function gap(from, to) {
    const row = document.createElement('p');
    row.className = 'gap';
    const link = document.createElement('a');
    const search = new URLSearchParams(location.search);
    const open = around(from, to);
    link.href = `?${address(search, open)}#L${from}`;
    link.textContent = `⋯ ${(to - from + 1).toLocaleString('en')} ${from === to ? 'line' : 'lines'}`;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      opened.push(...open);
      change();
      document.getElementById(`L${from}`).scrollIntoView({ block: 'nearest' });
    });
    row.append(link);
    return row;
  }

  // turn folds lines or shows them, but for those of folds in them.
  function turn(fold, open) {
    const link = fold.firstElementChild;
    link.ariaExpanded = String(open);
    link.textContent = link.textContent.replace(/^[⋯−]/, open ? '−' : '⋯');
    const [from, to] = rangeOf(fold);
    const within = folds.filter((inner) => rangeOf(inner)[0] >= from && rangeOf(inner)[1] <= to);
    let until = 0;
    for (let n = from; n <= to; n++) {
      while (within.length > 0 && rangeOf(within[0])[0] === n) {
        const inner = within.shift();
        if (inner !== fold) inner.toggleAttribute('data-folded', n <= until);
        if (!isOpen(inner)) until = Math.max(until, rangeOf(inner)[1]);
      }
      document.getElementById(`L${n}`).toggleAttribute('data-folded', n <= until);
    }
    change();
  }

  for (const fold of folds) {
    fold.firstElementChild.addEventListener('click', (event) => {
      event.preventDefault();
      turn(fold, !isOpen(fold));
    });
  }

  // unfold opens all folds that a line is in, or which it names.
  function unfold(n) {
    for (const fold of folds) {
      const [from, to] = rangeOf(fold);
      if (from - ('step' in fold.dataset) <= n && n <= to && !isOpen(fold)) turn(fold, true);
    }
  }

  return { shows, address, gap, unfold, forget: () => { opened = []; } };
}
