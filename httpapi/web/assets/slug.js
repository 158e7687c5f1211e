import { live } from './live.js';

const rows = document.querySelector('[data-titles]');
const table = rows.closest('table');
const one = document.querySelector('[data-out=slugs]');

live(({ titles }) => {
  table.hidden = titles.length === 1;
  one.hidden = !table.hidden;
  rows.replaceChildren(...titles.map(({ title, slug, note }) => {
    const row = document.createElement('tr');
    row.insertCell().textContent = title;
    const cell = row.insertCell();
    cell.textContent = slug;
    if (note) {
      const mark = document.createElement('span');
      mark.textContent = note;
      cell.append(mark);
    }
    return row;
  }));
});
