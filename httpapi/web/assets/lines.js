// What the viewers of logs and code share: anchors of lines and ranges of
// lines, a header that sticks, and copying.

import { copyButton } from './clipboard.js';
import { bar } from './picked.js';

export const viewer = document.querySelector('.viewer');
export const lines = viewer.querySelector('.lines');

// raw returns the content as it was shared, with its byte order mark, if any.
const raw = async () => {
  const response = await fetch(viewer.dataset.raw);
  if (!response.ok) throw new Error(response.status);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
};

// textOf returns the text of lines, as they were shared.
export async function textOf(some) {
  const all = (await raw()).split('\n');
  const first = Number(viewer.dataset.first ?? 1);
  return some.map((line) => all[numberOf(line) - first].replace(/\r$/, '')).join('\n');
}

// shown returns the lines that a filter leaves, or all.
function shown() {
  const left = lines.hasAttribute('data-filtered') ? [...lines.querySelectorAll('p[id]')].filter((line) => !hidden(line)) : [];
  return left.length > 0 ? textOf(left) : raw();
}
copyButton(viewer.querySelector('[data-copy]'), shown);

// The parts of the header stick below each other.
const share = viewer.querySelector('.share');
const tools = viewer.querySelector('.tools');
function measure() {
  const root = document.documentElement.style;
  root.setProperty('--share', `${share.offsetHeight}px`);
  root.setProperty('--head', `${share.offsetHeight + (tools?.offsetHeight ?? 0)}px`);
}
new ResizeObserver(measure).observe(viewer);

// range reads #L5 and #L5-L9, in either order.
function range() {
  const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
  if (!match) return null;
  const a = Number(match[1]);
  const b = Number(match[2] ?? match[1]);
  return [Math.min(a, b), Math.max(a, b)];
}

let marked = [];
let extending = false;

// The bar for a range of lines.
const tellRange = bar(viewer, () => textOf(marked), () => {
  history.replaceState(null, '', location.pathname + location.search);
  mark();
}, () => { extending = true; });

const image = viewer.querySelector('[data-image]');

// picture makes the link to a picture one of the chosen lines.
function picture(at) {
  if (image) image.search = at ? `?lines=${at.join('-')}` : '';
}

function mark(pressed = false) {
  for (const line of marked) line.removeAttribute('data-on');
  marked = [];
  const at = range();
  picture(at);
  tellRange(at ? at[0] : 0, at ? at[1] : 0, pressed);
  if (!at) return null;
  for (let n = at[0]; n <= at[1]; n++) {
    const line = document.getElementById(`L${n}`);
    if (!line) break;
    line.setAttribute('data-on', '');
    marked.push(line);
  }
  return marked[0];
}

// marks returns the lines of the address.
export const marks = () => marked;

// top returns where lines come into sight: below the header, where it sticks.
const top = () => Math.max(0, (tools ?? share).getBoundingClientRect().bottom);

const inSight = (line) => {
  const box = line.getBoundingClientRect();
  return box.height > 0 && box.bottom > top() && box.top < innerHeight;
};

// read returns the line that somebody reads: the marked one, if it is in sight,
// or else the uppermost; null at the start of the page.
function read() {
  if (marked[0] && inSight(marked[0])) return marked[0];
  if (lines.getBoundingClientRect().top >= top()) return null;
  const row = document.elementsFromPoint(innerWidth / 2, top() + 10).find((element) => element.matches('.lines p'));
  return (row?.id ? row : row?.nextElementSibling) ?? null;
}

// here returns where somebody reads, as a number between those of lines: that
// of the marked line, or half a line above the uppermost.
export function here() {
  const line = read();
  if (!line) return 0;
  return line === marked[0] ? numberOf(line) : numberOf(line) - 0.5;
}

export const numberOf = (line) => Number(line.id.slice(1));

// place returns a function that goes back to the line that is read, however the
// lines around it have changed, or to the next that is left.
export function place() {
  const line = read();
  if (!line) return () => {};
  const before = line.getBoundingClientRect().top;
  return () => {
    const left = nearest(line);
    if (!left) return;
    layOut(left);
    scrollBy(0, left.getBoundingClientRect().top - before);
  };
}

// hidden tells whether a filter has left out a line.
export const hidden = (line) => line.matches('[data-miss], [data-empty] > *');

function nearest(line) {
  const from = numberOf(line);
  for (const step of [1, -1]) {
    for (let n = from, other = line; other; n += step, other = document.getElementById(`L${n}`)) {
      if (!hidden(other)) return other;
    }
  }
  return null;
}

// layOut gives a line a place, whatever filter.js makes of its block.
function layOut(line) {
  const block = line.parentElement;
  if (block.dataset.forget) block.dataset.forget = 'near';
}

// show goes to a line.
export function show(line) {
  history.replaceState(null, '', `#${line.id}`);
  mark();
  lines.dispatchEvent(new Event('arrive'));
  layOut(line);
  line.scrollIntoView({ block: 'center' });
}

function arrive() {
  const first = mark();
  lines.dispatchEvent(new Event('arrive'));
  if (first) {
    requestAnimationFrame(() => {
      measure(); // the filter may have come since
      layOut(first);
      first.scrollIntoView({ block: 'start' });
    });
  }
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
    const n = numberOf(line);
    const at = (event.shiftKey || extending) && range();
    extending = false;
    const to = at ? [Math.min(at[0], n), Math.max(at[0], n)] : [n, n];
    history.replaceState(null, '', to[0] === to[1] ? `#L${n}` : `#L${to[0]}-L${to[1]}`);
    mark(true);
  });
}

// inGutter returns the line whose number is under the pointer.
function inGutter(event) {
  const line = event.target.closest?.('p[id]');
  if (!line || event.target.closest('button, pre, a')) return null;
  const gutter = parseFloat(getComputedStyle(line).paddingLeft);
  return event.clientX - line.getBoundingClientRect().left < gutter ? line : null;
}

// Browsers copy paragraphs with empty lines between them. These are lines.
lines.addEventListener('copy', (event) => {
  const selection = getSelection();
  if (selection.rangeCount !== 1) return;
  const all = selection.getRangeAt(0);
  const rows = [...lines.querySelectorAll('p[id]')].filter((row) => all.intersectsNode(row) && !hidden(row));
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
