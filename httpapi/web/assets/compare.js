// What scripts add to a comparison: a search among its lines, and wrapping.

import { find } from './find.js';
import { keys } from './keys.js';
import { wrap } from './wrap.js';

if (document.querySelector('.diff')) {
  const rows = [...document.querySelectorAll('.diff tbody tr:not(.gap)')];
  const search = find(document.querySelector('[data-search]'), document.querySelector('.matches'), rows, (row, away) => { row.hidden = away; }, (row) => row.cells[3].textContent);
  keys({ '/': search, w: wrap(document.getElementById('wrap'), document.querySelector('.compare'), (change) => change()) });
}
