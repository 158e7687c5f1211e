import { copyButton } from './clipboard.js';
import { live } from './live.js';

const rows = document.querySelector('[data-titles]');
const table = rows.closest('table');
const one = document.querySelector('[data-out=slugs]');
const icon = document.querySelector('[data-copy-from] svg');

// copyable ends a row with a button that copies its slug.
function copyable(row) {
  const slug = row.cells[1].firstChild?.data;
  const cell = row.insertCell();
  if (!slug) return;
  const button = document.createElement('button');
  const label = document.createElement('span');
  button.type = 'button';
  button.title = 'Copy';
  label.textContent = `Copy ${slug}`;
  button.append(icon.cloneNode(true), label);
  cell.append(button);
  copyButton(button, () => slug);
}

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
    copyable(row);
    return row;
  }));
});
for (const row of rows.rows) copyable(row);
