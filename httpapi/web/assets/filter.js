// Lines of a log filtered by level and text. Whoever reads stays at the line
// that they read, as far as it is still there.

import { lines, marks, numberOf, place } from './lines.js';

const mostLights = 2000;

export function filter(form) {
  const box = form.querySelector('.find');
  const input = box.querySelector('input');
  const matches = box.querySelector('.matches');
  const chips = [...form.querySelectorAll('[data-level]')];
  const blocks = [...lines.querySelectorAll('section')].map((element) => ({ element, rows: [...element.children], shown: 0 }));
  const total = blocks.reduce((sum, block) => sum + block.rows.length, 0);
  const none = document.createElement('p');
  none.className = 'none';
  none.textContent = 'No line fits the filter.';
  none.hidden = true;
  const reset = document.createElement('button');
  reset.type = 'button';
  reset.className = 'button';
  reset.textContent = 'Clear filter';
  reset.addEventListener('click', () => {
    clear();
    input.focus({ preventScroll: true });
  });
  none.append(reset);
  lines.before(none);
  box.hidden = false;
  lines.setAttribute('data-scripted', ''); // the style sheet leaves it to this

  let texts;

  function apply() {
    const stay = place();
    const words = input.value.toLowerCase();
    const levels = new Set(chips.filter((chip) => chip.checked).map((chip) => chip.dataset.level));
    const all = words === '' && levels.size === 0;
    texts ??= blocks.map((block) => block.rows.map((row) => row.textContent.toLowerCase()));
    blocks.forEach((block, i) => {
      block.shown = 0;
      block.rows.forEach((row, k) => {
        const fits = all || ((levels.size === 0 || levels.has(row.className.toLowerCase() || 'o')) && texts[i][k].includes(words));
        row.toggleAttribute('data-miss', !fits);
        if (fits) block.shown++;
        if (fits && !all) row.dataset.n = numberOf(row);
        else delete row.dataset.n;
      });
      block.element.toggleAttribute('data-empty', block.shown === 0);
    });
    const shown = blocks.reduce((sum, block) => sum + block.shown, 0);
    none.hidden = shown > 0;
    lines.toggleAttribute('data-filtered', !all);
    matches.textContent = all ? '' : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    size(blocks, stay);
    light(words, blocks);
  }

  function clear() {
    input.value = '';
    for (const chip of chips) chip.checked = false;
    apply();
  }

  // A link to a line that is filtered out leads to it nevertheless.
  function uncover() {
    if (marks()[0]?.hasAttribute('data-miss')) clear();
  }

  let timer;
  const soon = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(apply, pause);
  };
  input.addEventListener('input', () => soon(80));
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || input.value === '') return;
    event.preventDefault();
    input.value = '';
    soon(0);
  });
  form.addEventListener('submit', () => soon(0));
  for (const chip of chips) chip.addEventListener('change', apply);
  lines.addEventListener('arrive', uncover);
  if (input.value || chips.some((chip) => chip.checked)) { // the browser came back to the page
    apply();
    uncover();
  }
  // resize makes a change after which lines are of another height.
  return function resize(change) {
    const stay = place();
    change();
    size(blocks, stay);
  };
}

let sizing = 0;

// size says how tall each block is as long as it is out of sight, and goes to
// where to stay. A browser would rather believe what it remembers from when a
// block was in sight; it forgets that where content-visibility is not auto for
// a frame: blocks near the window are visible so long, the others hidden.
function size(blocks, stay) {
  const height = parseFloat(getComputedStyle(lines).lineHeight);
  const root = document.documentElement;
  root.style.overflowAnchor = 'none'; // the browser would stay elsewhere
  for (const { element, shown } of blocks) {
    element.style.containIntrinsicBlockSize = `${shown * height}px`;
    element.dataset.forget = 'far';
  }
  stay();
  for (const { element } of blocks) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > -innerHeight && top < 2 * innerHeight) element.dataset.forget = 'near';
  }
  stay();
  const turn = ++sizing;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (turn !== sizing) return;
    for (const { element } of blocks) delete element.dataset.forget;
    root.style.overflowAnchor = '';
  }));
}

// light sets off the text that was looked for, where the browser can.
function light(words, blocks) {
  if (!CSS.highlights) return;
  CSS.highlights.delete('found');
  if (words === '') return;
  const found = new Highlight();
  for (const { rows } of blocks) {
    for (const row of rows) {
      if (found.size >= mostLights) break;
      if (!row.hasAttribute('data-miss')) lightRow(found, row, words);
    }
  }
  CSS.highlights.set('found', found);
}

function lightRow(found, row, words) {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.toLowerCase();
    if (text.length !== node.data.length) continue; // offsets would not fit
    for (let at = text.indexOf(words); at >= 0 && found.size < mostLights; at = text.indexOf(words, at + words.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      found.add(range);
    }
  }
}
