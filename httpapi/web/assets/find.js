// A search in a listing that the page holds whole: rows with the text stay or, in
// code, are marked where they are, and Enter goes from one to the next.

import { say } from './clipboard.js';
import { light } from './light.js';

// find lets a field leave only the rows with its text. hide hides a row or shows
// it, and show goes to one; textOf returns the text of one.
export function find(field, matches, rows, hide, textOf = (row) => row.textContent, show = null) {
  let texts;
  let found = [];
  let at = -1;
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
    at = -1;
    found = rows.filter((row, i) => {
      const hit = texts[i].includes(wanted);
      if (show) row.toggleAttribute('data-hit', hit && wanted !== '');
      else hide(row, !hit);
      return hit;
    });
    none.hidden = show !== null || found.length > 0;
    if (show && wanted) found[0]?.scrollIntoView({ block: 'nearest' });
    light(wanted ? [wanted] : [], found);
    matches.textContent = wanted && `${found.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')} lines`;
    if (wanted) say(`${found.length} lines`);
  });
  field.addEventListener('keydown', (event) => {
    if (!show || event.key !== 'Enter' || field.value.trim() === '' || found.length === 0) return;
    at = (at + (event.shiftKey ? -1 : 1) + found.length + (at < 0 && event.shiftKey ? 1 : 0)) % found.length;
    show(found[at]);
    say(`Match ${at + 1} of ${found.length}`);
  });
  const asked = new URLSearchParams(location.search).get('q');
  if (asked) {
    field.value = asked;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  return () => field.select();
}
