// The search of a log: lines chosen by level and text, hidden or set off.
// Whoever reads stays at the line that they read, as far as it is still there.

import { say } from './clipboard.js';
import { here, lines, marks, numberOf, place, show, viewer } from './lines.js';

const mostLights = 2000;
const expression = /^\/(?:[^/\\]|\\.)+\/i?(?:[ \t]|$)/;

// terms reads a query as package listing does: words, "phrases", and a hyphen
// before what a line must not have. A query with a regular expression is null:
// those are matched by the server, where none takes long.
function terms(query) {
  const all = [];
  let rest = query.trim();
  while (rest !== '') {
    const without = /^-[^ ]/.test(rest);
    if (without) rest = rest.slice(1);
    if (expression.test(rest)) return null;
    const quoted = /^"([^"]*)"/.exec(rest);
    const text = quoted ? quoted[1] : /^[^ \t]+/.exec(rest)[0];
    rest = rest.slice(quoted ? quoted[0].length : text.length).trimStart();
    if (text !== '') all.push({ without, text: text.toLowerCase() });
  }
  return all;
}

export function filter(form) {
  const input = form.elements.q;
  const whole = form.elements.all;
  const matches = form.querySelector('.matches');
  const chips = [...form.querySelectorAll('[data-level]')];
  const none = viewer.querySelector('.none');
  const blocks = [...lines.querySelectorAll('section')].map((element) => ({ element, rows: [...element.children], shown: 0 }));
  const total = blocks.reduce((sum, block) => sum + block.rows.length, 0);
  let hits = [];
  let texts;
  let latest = 0;

  // choice returns what is asked for, as it stands in the address.
  function choice() {
    const search = new URLSearchParams();
    if (input.value.trim() !== '') search.set('q', input.value);
    const levels = chips.filter((chip) => chip.checked).map((chip) => chip.value);
    if (levels.length > 0) search.set('level', levels.join(','));
    return search;
  }

  function remember(search) {
    if (whole.checked) search.set('all', '1');
    const text = search.toString().replaceAll('%2C', ',');
    history.replaceState(null, '', location.pathname + (text && `?${text}`) + location.hash);
  }

  // chooser returns what tells whether a row fits, and the texts to set off.
  async function chooser(search) {
    const wanted = terms(input.value);
    if (wanted === null) {
      const response = await fetch(`${location.pathname}?${search}`, { headers: { Accept: 'application/json' } });
      const result = await response.json();
      if (!response.ok) throw new Error(result.problems[0].message);
      const chosen = new Set(result.lines);
      return [(row) => chosen.has(numberOf(row)), (result.found ?? []).map((text) => text.toLowerCase())];
    }
    const levels = new Set(chips.filter((chip) => chip.checked).map((chip) => chip.value));
    texts ??= blocks.map((block) => block.rows.map((row) => row.textContent.toLowerCase()));
    const fits = (row, i, k) => (levels.size === 0 || levels.has(row.className.toLowerCase() || 'o'))
      && wanted.every((term) => texts[i][k].includes(term.text) !== term.without);
    return [fits, wanted.filter((term) => !term.without).map((term) => term.text)];
  }

  async function apply() {
    const turn = ++latest;
    const search = choice();
    let all = search.size === 0;
    let fits = () => true;
    let words = [];
    let fault = '';
    try {
      [fits, words] = await chooser(search);
    } catch (error) {
      all = true;
      fault = error.message;
    }
    if (turn !== latest) return;
    remember(search);
    const stay = place();
    hits = [];
    blocks.forEach((block, i) => {
      block.shown = 0;
      block.rows.forEach((row, k) => {
        const hit = all || fits(row, i, k);
        const shown = hit || whole.checked;
        row.toggleAttribute('data-miss', !shown);
        row.toggleAttribute('data-hit', hit && !all && whole.checked);
        if (shown) block.shown++;
        if (hit && !all) hits.push(row);
        if (shown && !all && !whole.checked) row.dataset.n = numberOf(row);
        else delete row.dataset.n;
      });
      block.element.toggleAttribute('data-empty', block.shown === 0);
    });
    none.hidden = all || hits.length > 0;
    lines.toggleAttribute('data-filtered', !all && !whole.checked);
    matches.classList.toggle('bad', fault !== '');
    matches.textContent = all ? fault : `${hits.length.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    size(blocks, stay);
    light(words, hits);
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

  // step goes to the next hit from the line that is read, or to the one before,
  // and around at the end.
  function step(back) {
    if (hits.length === 0) return;
    const from = here();
    const found = back
      ? hits.findLast((line) => numberOf(line) < from) ?? hits.at(-1)
      : hits.find((line) => numberOf(line) > from) ?? hits[0];
    show(found);
    say(`Hit ${hits.indexOf(found) + 1} of ${hits.length}, line ${numberOf(found)}`);
  }

  let timer;
  const soon = (pause) => {
    clearTimeout(timer);
    timer = setTimeout(apply, pause);
  };
  input.addEventListener('input', () => soon(terms(input.value) ? 80 : 300));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      step(event.shiftKey);
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (input.value === '') input.blur();
    input.value = '';
    soon(0);
  });
  form.addEventListener('submit', () => soon(0));
  for (const box of [...chips, whole]) box.addEventListener('change', apply);
  none.querySelector('a').addEventListener('click', (event) => {
    event.preventDefault();
    clear();
    input.focus({ preventScroll: true });
  });
  lines.addEventListener('arrive', uncover);
  if (choice().size > 0) apply().then(uncover);

  // resize makes a change after which lines are of another height.
  function resize(change) {
    const stay = place();
    change();
    size(blocks, stay);
  }
  return { resize, step, search: () => input.select() };
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

// light sets off the texts that were looked for, where the browser can.
function light(words, rows) {
  if (!CSS.highlights) return;
  CSS.highlights.delete('found');
  if (words.length === 0) return;
  const found = new Highlight();
  for (const row of rows) {
    if (found.size >= mostLights) break;
    for (const word of words) lightRow(found, row, word);
  }
  CSS.highlights.set('found', found);
}

function lightRow(found, row, word) {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.toLowerCase();
    if (text.length !== node.data.length) continue; // offsets would not fit
    for (let at = text.indexOf(word); at >= 0 && found.size < mostLights; at = text.indexOf(word, at + word.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      found.add(range);
    }
  }
}
