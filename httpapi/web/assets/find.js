// A search in a listing that the page holds whole: rows with the text stay.

import { say } from './clipboard.js';
import { light } from './light.js';

// find lets a field leave only the rows with its text. hide hides a row or shows
// it; textOf returns the text of one.
export function find(field, matches, rows, hide, textOf = (row) => row.textContent) {
  let texts;
  const none = document.createElement('p');
  const clear = document.createElement('button');
  none.className = 'none';
  none.hidden = true;
  clear.textContent = 'Clear search';
  none.append('No line matches. ', clear);
  rows[0].closest('.lines, .scroll').before(none);
  clear.addEventListener('click', () => {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  });
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    texts ??= rows.map((row) => textOf(row).toLowerCase());
    const found = rows.filter((row, i) => {
      const hit = texts[i].includes(wanted);
      hide(row, !hit);
      return hit;
    });
    none.hidden = found.length > 0;
    light(wanted ? [wanted] : [], found);
    matches.textContent = wanted && `${found.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')} lines`;
    if (wanted) say(`${found.length} lines`);
  });
  return () => field.select();
}
