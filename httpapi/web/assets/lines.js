// What the viewers of logs and code share: anchors of lines and ranges of
// lines, a header that sticks, and copying.

import { copyButton } from './clipboard.js';

export const viewer = document.querySelector('.viewer');
export const lines = viewer.querySelector('.lines');

const raw = async () => {
  const response = await fetch(viewer.dataset.raw);
  if (!response.ok) throw new Error(response.status);
  return response.text();
};
copyButton(viewer.querySelector('[data-copy]'), raw);

// The parts of the header stick below each other.
const share = viewer.querySelector('.share');
const tools = viewer.querySelector('.tools');
new ResizeObserver(() => {
  const root = document.documentElement.style;
  root.setProperty('--share', `${share.offsetHeight}px`);
  root.setProperty('--head', `${share.offsetHeight + (tools?.offsetHeight ?? 0)}px`);
}).observe(viewer);

// range reads #L5 and #L5-L9, in either order.
function range() {
  const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  if (!match) return null;
  const a = Number(match[1]);
  const b = Number(match[2] ?? match[1]);
  return [Math.min(a, b), Math.max(a, b)];
}

let marked = [];

function mark() {
  for (const line of marked) line.removeAttribute('data-on');
  marked = [];
  const at = range();
  if (!at) return null;
  for (let n = at[0]; n <= at[1]; n++) {
    const line = document.getElementById(`L${n}`);
    if (!line) break;
    line.setAttribute('data-on', '');
    marked.push(line);
  }
  return marked[0];
}

// show goes to a line.
export function show(line) {
  history.replaceState(null, '', `#${line.id}`);
  mark();
  line.scrollIntoView({ block: 'center' });
}

function arrive() {
  const first = mark();
  if (first) requestAnimationFrame(() => first.scrollIntoView({ block: 'start' }));
}

if (!lines.classList.contains('plain')) {
  lines.setAttribute('data-anchors', '');
  addEventListener('hashchange', arrive);
  arrive();
  lines.addEventListener('mousedown', (event) => {
    if (event.shiftKey && inGutter(event)) event.preventDefault(); // selects no text
  });
  lines.addEventListener('click', (event) => {
    const line = inGutter(event);
    if (!line) return;
    const n = Number(line.id.slice(1));
    const at = event.shiftKey && range();
    const to = at ? [Math.min(at[0], n), Math.max(at[0], n)] : [n, n];
    history.replaceState(null, '', to[0] === to[1] ? `#L${n}` : `#L${to[0]}-L${to[1]}`);
    mark();
  });
}

// inGutter returns the line whose number is under the pointer.
function inGutter(event) {
  const line = event.target.closest?.('p');
  if (!line || event.target.closest('button, pre')) return null;
  const gutter = parseFloat(getComputedStyle(line).paddingLeft);
  return event.clientX - line.getBoundingClientRect().left < gutter ? line : null;
}

// Browsers copy paragraphs with empty lines between them. These are lines.
lines.addEventListener('copy', (event) => {
  const selection = getSelection();
  if (selection.rangeCount !== 1) return;
  const all = selection.getRangeAt(0);
  const rows = [...lines.querySelectorAll('p')].filter((row) => all.intersectsNode(row) && row.checkVisibility?.() !== false);
  if (rows.length < 2) return;
  const texts = rows.map((row) => {
    const part = document.createRange();
    part.selectNodeContents(row);
    if (all.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(all.startContainer, all.startOffset);
    if (all.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(all.endContainer, all.endOffset);
    return part.toString();
  });
  event.clipboardData.setData('text/plain', texts.join('\n'));
  event.preventDefault();
});
