// What the viewers of logs and code share: anchors of lines and ranges of
// lines, a header that sticks, and copying.

import { copyButton } from './clipboard.js';
import './menu.js';
import { bar } from './picked.js';

export const viewer = document.querySelector('.viewer');
export const lines = viewer.querySelector('.lines');

// Sequences that colour the text of terminals or move their cursor: nobody reads them.
// eslint-disable-next-line no-control-regex
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g;

// raw returns the content as it was shared, with its byte order mark, if any, but
// a log without escape sequences. What no server has is taken from the page.
const raw = async () => {
  if (!viewer.dataset.raw) return [...lines.querySelectorAll('p:not(.fold)')].map((line) => line.textContent).join('\n');
  const response = await fetch(viewer.dataset.raw);
  if (!response.ok) throw new Error(response.status);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
  return lines.classList.contains('log') ? text.replace(escapes, '') : text;
};

// textOf returns the text of lines, as they are read.
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
  const bottom = (bar) => (getComputedStyle(bar).position === 'sticky' ? (parseFloat(getComputedStyle(bar).top) || 0) + bar.offsetHeight : 0);
  root.setProperty('--share', `${share.offsetHeight}px`);
  root.setProperty('--head', `${tools ? bottom(tools) : bottom(share)}px`);
}
new ResizeObserver(measure).observe(viewer);

// The key of an encrypted share stands before the lines in its address.
const [key] = /^#[\w-]{43}&?/.exec(location.hash) ?? [''];
const anchor = (text) => (key ? `#${key.slice(1, 44)}${text && '&'}${text}` : text && `#${text}`);

// range reads #L5 and #L5-L9, in either order.
function range() {
  const match = /^L(\d+)(?:-L?(\d+))?$/.exec(location.hash.slice(key ? 45 : 1));
  if (!match) return null;
  const a = Number(match[1]);
  const b = Number(match[2] ?? match[1]);
  return [Math.min(a, b), Math.max(a, b)];
}

let marked = [];
let extending = false;

// The bar for a range of lines.
const tellRange = bar(viewer, () => textOf(marked), () => {
  history.replaceState(null, '', location.pathname + location.search + anchor(''));
  mark();
  field?.focus();
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
  choose(numberOf(line), numberOf(line));
  lines.dispatchEvent(new Event('arrive'));
  settle(line, 'center');
}

// choose marks the lines from one number to another.
function choose(from, to, pressed) {
  history.replaceState(null, '', anchor(from === to ? `L${from}` : `L${from}-L${to}`));
  return mark(pressed);
}

const frame = () => new Promise(requestAnimationFrame);
let settling = 0;
for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(name, () => { settling++; }, { passive: true });

// settle scrolls to a line until it stays: blocks above it take their real height
// only when they come near the window, and not every browser keeps its place then.
// Whoever scrolls in the meantime stays where they are.
async function settle(line, block) {
  const turn = ++settling;
  for (let still = 0, tries = 0; still < 3 && tries < 60; tries++) {
    layOut(line);
    line.scrollIntoView({ block });
    const { top: before } = line.getBoundingClientRect();
    const y = scrollY;
    await frame();
    await frame();
    const moved = Math.abs(line.getBoundingClientRect().top - before) >= 1;
    if (turn !== settling || (moved && Math.abs(scrollY - y) >= 1)) return;
    still = moved ? 0 : still + 1;
  }
}

function arrive() {
  const first = mark();
  lines.dispatchEvent(new Event('arrive'));
  const before = settling;
  if (first) {
    requestAnimationFrame(() => {
      measure(); // the filter may have come since
      if (settling === before) settle(first, 'start'); // else somebody scrolls already
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
    choose(at ? Math.min(at[0], n) : n, at ? Math.max(at[0], n) : n, true);
  });
}

// Lines are chosen by their numbers, too: 12, or 12-20.
const field = viewer.querySelector('[data-goto]');
if (field && !lines.classList.contains('plain')) {
  field.closest('[hidden]').hidden = false;
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const [from, to = from] = field.value.split('-').map(Number).sort((a, b) => a - b);
    if (!(from > 0)) return;
    if (!choose(from, to, true)) {
      dispatchEvent(new HashChangeEvent('hashchange')); // in another part of the log
      return;
    }
    lines.dispatchEvent(new Event('arrive'));
    settle(marked[0], 'center');
    setTimeout(() => viewer.querySelector('.picked button').focus()); // or this key would press it
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
