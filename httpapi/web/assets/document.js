// The page of a document. It has no lines: a link to one leads to the source.
// Its headings get the ids that they have on GitHub, to which links within a
// document lead, and a document of several begins with its contents.

import { copyButton } from './clipboard.js';
import './menu.js';

if (/^#L\d/.test(location.hash)) location.replace(`?view=source${location.hash}`);
const page = document.querySelector('.viewer');
copyButton(page.querySelector('[data-copy]'), async () => {
  const response = await fetch(page.dataset.raw);
  if (!response.ok) throw new Error(response.status);
  return response.text();
});

const least = 4; // headings of a document with contents
const most = 300; // headings in them

const text = page.querySelector('.document');
const headings = [...text.querySelectorAll('h2, h3, h4')].slice(0, most);
const times = new Map();
for (const heading of headings) {
  const id = heading.textContent.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-');
  const n = times.get(id) ?? 0;
  times.set(id, n + 1);
  const unique = n === 0 ? id : `${id}-${n}`;
  if (unique && !document.getElementById(unique)) heading.id = unique;
}
if (headings.length >= least) text.prepend(contents());
if (location.hash && !/^#L\d/.test(location.hash)) location.replace(location.hash); // the ids are new

// contents returns the list of the headings, those of the upper two levels that
// the document uses.
function contents() {
  const top = Math.min(...headings.map((heading) => Number(heading.tagName[1])));
  const list = document.createElement('ul');
  for (const heading of headings) {
    const depth = Number(heading.tagName[1]) - top;
    if (!heading.id || depth > 1) continue;
    const link = document.createElement('a');
    link.href = `#${heading.id}`;
    link.textContent = heading.textContent;
    const item = document.createElement('li');
    item.className = `depth-${depth}`;
    item.append(link);
    list.append(item);
  }
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Contents';
  details.append(summary, list);
  details.addEventListener('click', (event) => { if (event.target.closest('a')) details.open = false; });
  const nav = document.createElement('nav');
  nav.className = 'contents';
  nav.setAttribute('aria-label', 'Contents');
  nav.append(details);
  return nav;
}
