// What scripts add to a comparison: a search among its lines, and wrapping.

import { keys } from './keys.js';
import { wrap } from './wrap.js';

const table = document.querySelector('.diff');
if (table) {
  const field = document.querySelector('[data-search]');
  const matches = document.querySelector('.matches');
  const rows = [...table.querySelectorAll('tbody tr')];
  field.addEventListener('input', () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.cells[3].textContent.toLowerCase().includes(wanted);
    const found = rows.filter((row) => !row.hidden).length;
    matches.textContent = wanted && `${found.toLocaleString('en')} of ${rows.length.toLocaleString('en')}`;
  });
  keys({ '/': () => field.select(), w: wrap(document.getElementById('wrap'), table, (change) => change()) });
}
