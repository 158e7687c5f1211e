// A search in a listing that the page holds whole: rows with the text stay.

import { say } from './clipboard.js';

// find lets a field leave only the rows with its text. hide hides a row or shows
// it; textOf returns the text of one.
export function find(field, matches, rows, hide, textOf = (row) => row.textContent) {
  let texts;
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    texts ??= rows.map((row) => textOf(row).toLowerCase());
    let found = 0;
    rows.forEach((row, i) => {
      const hit = texts[i].includes(wanted);
      if (hit) found++;
      hide(row, !hit);
    });
    matches.textContent = wanted && `${found.toLocaleString('en')} of ${rows.length.toLocaleString('en')}`;
    if (wanted) say(`${found} lines`);
  });
  return () => field.select();
}
