// The search of a log: lines chosen by level, text and place, the others hidden
// or set back. Whoever reads stays at the line that they read, as far as it is
// still there.

import { say } from './clipboard.js';
import { ranges, rows } from './hidden.js';
import { light } from './light.js';
import { here, hidden, lines, marks, numberOf, place, show, viewer } from './lines.js';

const expression = /^\/(?:[^/\\]|\\.)+\/i?(?:[ \t]|$)/;

// terms reads a query as package listing does: words, "phrases", and a hyphen
// before what a line must not have. A query with a regular expression is null:
// those are matched by the server, where none takes long, and so are lines of
// JSON in columns, which do not show all that they hold.
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

// sought returns the texts of terms that lines must have.
const sought = (wanted) => (wanted ?? []).filter((term) => !term.without).map((term) => term.text);

// counted says how many lines match, and whether all were searched.
function counted(found, searched, lines) {
  const text = `${found.toLocaleString('en')} of ${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;
  return searched < lines ? `${text}; the search stopped after line ${searched.toLocaleString('en')}` : text;
}

// What a line is: its attributes, as bits.
const attributes = ['data-miss', 'data-hit', 'data-context', 'data-n'];
const [miss, found, beside, numbered] = [1, 2, 4, 8];

export function filter(form) {
  const input = form.elements.q;
  const whole = form.elements.all;
  const within = form.elements.lines;
  const matches = form.querySelector('.matches');
  const chips = [...form.querySelectorAll('[data-level]')];
  const none = viewer.querySelector('.none');
  const blocks = [...lines.querySelectorAll('section')].map((element, i) => block(element, i === 0 ? 1 : i * 100));
  const all = blocks.flatMap((b) => b.rows);
  const hide = rows(() => apply());
  const columns = lines.hasAttribute('data-columns');
  let texts;
  let hits = [];
  let latest = 0;
  let last = '';

  // choice returns what is asked for, as it stands in the address.
  function choice() {
    const search = new URLSearchParams();
    if (input.value.trim() !== '') search.set('q', input.value);
    const levels = chips.filter((chip) => chip.checked).map((chip) => chip.value);
    if (levels.length > 0) search.set('level', levels.join(','));
    if (within.value !== '') search.set('lines', within.value);
    return search;
  }

  function remember(search) {
    for (const box of [whole, form.elements.raw]) if (box?.checked) search.set(box.name, '1');
    const text = hide.address(search).toString().replaceAll('%2C', ',');
    history.replaceState(null, '', location.pathname + (text && `?${text}`) + location.hash);
  }

  // chooser returns what tells whether the line of a number fits, the texts to
  // set off, and how many lines were searched.
  async function chooser(search) {
    const wanted = terms(input.value);
    if (wanted === null || (columns && wanted.length > 0)) {
      const response = await fetch(`${location.pathname}?${search}`, { headers: { Accept: 'application/json' } });
      const result = await response.json();
      if (!response.ok) throw new Error(result.faults[0].message);
      const chosen = new Set(result.lines);
      return [(n) => chosen.has(n), (result.found ?? []).map((text) => text.toLowerCase()).concat(sought(wanted)), result.searched];
    }
    const levels = new Set(chips.filter((chip) => chip.checked).map((chip) => chip.value));
    const places = ranges(within.value);
    if (wanted.length > 0) texts ??= all.map((row) => row.textContent.toLowerCase());
    const fits = (n) => (levels.size === 0 || levels.has(all[n - 1].className.charAt(0).toLowerCase() || 'o'))
      && (places.length === 0 || places.some(([from, to]) => from <= n && n <= to))
      && wanted.every((term) => texts[n - 1].includes(term.text) !== term.without);
    return [fits, sought(wanted), all.length];
  }

  async function apply() {
    const turn = ++latest;
    const search = choice();
    if (search.toString() !== last && last !== '') hide.forget();
    last = search.toString();
    let fits = search.size === 0 ? null : () => true;
    let words = [];
    let searched = all.length;
    let fault = '';
    try {
      if (fits) [fits, words, searched] = await chooser(search);
    } catch (error) {
      fits = null;
      fault = error.message;
    }
    if (turn !== latest) return;
    remember(search);
    const stay = place();
    lines.toggleAttribute('data-searched', fits !== null);
    choose(fits);
    none.hidden = !fits || hits.length > 0 || searched < all.length;
    lines.toggleAttribute('data-filtered', fits !== null && !whole.checked);
    matches.classList.toggle('bad', fault !== '');
    matches.textContent = fits ? counted(hits.length, searched, all.length) : fault;
    size(blocks, stay, fill);
    light(words, hits);
  }

  // choose shows the lines that fit, or all where fits is null.
  function choose(fits) {
    for (const row of lines.querySelectorAll('.gap')) row.remove();
    hits = [];
    let skipped = 0;
    let n = 0;
    let end;
    for (const b of blocks) {
      b.gaps = [];
      b.shown = 0;
      const now = new Uint8Array(b.rows.length);
      for (let k = 0; k < b.rows.length; k++) {
        n++;
        const hit = !fits || fits(n);
        const context = !hit && (whole.checked || hide.shows(n));
        if (hit && fits) hits.push(b.rows[k]);
        if (!hit && !context) {
          now[k] = miss;
          skipped++;
          continue;
        }
        if (fits) now[k] = whole.checked ? hit && found : (hit ? 0 : beside) | numbered;
        if (skipped > 0) b.gaps.push([b.rows[k], n - skipped, n - 1]);
        skipped = 0;
        b.shown++;
        end = b;
      }
      b.become(now);
    }
    if (skipped > 0) end?.gaps.push([null, n - skipped + 1, n]);
  }

  // Rows of gaps are made where somebody may see them.
  function fill(b) {
    for (const [row, from, to] of b.gaps) b.element.insertBefore(hide.gap(from, to), row);
    b.gaps.length = 0;
  }
  const byElement = new Map(blocks.map((b) => [b.element, b]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const b = byElement.get(entry.target);
      b.near = entry.isIntersecting;
      if (b.near) fill(b);
    }
  }, { rootMargin: '1000px' });
  for (const b of blocks) watcher.observe(b.element);

  function clear() {
    input.value = '';
    within.value = '';
    for (const chip of chips) chip.checked = false;
    form.dispatchEvent(new Event('clear'));
    apply();
  }

  // A link to a line that is out of sight leads to it nevertheless.
  function uncover() {
    const [line] = marks();
    if (!line) return;
    if (hidden(line)) clear();
    hide.unfold(numberOf(line));
  }

  // step goes to the next hit from the line that is read, or to the one before,
  // and around at the end.
  function step(back) {
    if (hits.length === 0) return;
    const from = here();
    const line = back
      ? hits.findLast((hit) => numberOf(hit) < from) ?? hits.at(-1)
      : hits.find((hit) => numberOf(hit) > from) ?? hits[0];
    show(line);
    say(`Match ${hits.indexOf(line) + 1} of ${hits.length}, line ${numberOf(line)}`);
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
  form.elements.raw?.addEventListener('change', () => {
    remember(choice());
    location.reload();
  });
  none.querySelector('a').addEventListener('click', (event) => {
    event.preventDefault();
    clear();
    input.focus({ preventScroll: true });
  });
  lines.addEventListener('arrive', uncover);
  if (choice().size > 0) apply().then(uncover);
  else uncover();

  // resize makes a change after which lines are of another height.
  function resize(change) {
    const stay = place();
    change();
    size(blocks, stay, fill);
  }

  // between chooses the lines of some ranges, '' for all.
  function between(text) {
    within.value = text;
    apply();
  }
  return { between, resize, step, search: () => input.select() };
}

// block returns what is known about a block of lines, the first of a number.
function block(element, first) {
  const rows = [...element.querySelectorAll('p[id]')];
  const bits = (row) => attributes.reduce((sum, name, i) => sum | (row.hasAttribute(name) << i), 0);
  let was = lines.hasAttribute('data-searched') ? Uint8Array.from(rows, bits) : new Uint8Array(rows.length);
  const folds = element.querySelector('.fold, [data-folded]') !== null;
  const b = { element, rows, gaps: [], shown: rows.length, near: false };

  // become changes the attributes of lines. Those of a block that is hidden as a
  // whole can wait.
  b.become = (now) => {
    element.toggleAttribute('data-empty', b.shown === 0);
    if (b.shown === 0) return;
    for (let k = 0; k < rows.length; k++) if (now[k] !== was[k]) set(rows[k], now[k], first + k);
    was = now;
  };

  // height returns how many rows are in sight.
  b.height = () => {
    if (lines.hasAttribute('data-searched')) return b.shown + element.querySelectorAll('.gap').length + b.gaps.length;
    return folds ? element.querySelectorAll('p:not([data-folded])').length : b.shown;
  };
  return b;
}

// set gives a row the attributes of its bits.
function set(row, bits, number) {
  row.toggleAttribute('data-miss', (bits & miss) !== 0);
  row.toggleAttribute('data-hit', (bits & found) !== 0);
  row.toggleAttribute('data-context', (bits & beside) !== 0);
  if (bits & numbered) row.setAttribute('data-n', number);
  else row.removeAttribute('data-n');
}

let sizing = 0;

// size says how tall each block is as long as it is out of sight, and goes to
// where to stay. A browser would rather believe what it remembers from when a
// block was in sight; it forgets that where content-visibility is not auto for
// a frame: blocks near the window are visible so long, the others hidden.
function size(blocks, stay, fill) {
  const height = parseFloat(getComputedStyle(lines).lineHeight);
  const root = document.documentElement;
  root.style.overflowAnchor = 'none'; // the browser would stay elsewhere
  for (const b of blocks) {
    b.element.style.containIntrinsicBlockSize = `${b.height() * height}px`;
    b.element.dataset.forget = 'far';
  }
  stay();
  const near = blocks.filter(({ element }) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > -innerHeight && top < 2 * innerHeight;
  });
  for (const b of near) {
    b.element.dataset.forget = 'near';
  }
  for (const b of blocks) if (b.near || b.element.dataset.forget === 'near') fill(b);
  stay();
  const turn = ++sizing;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (turn !== sizing) return;
    for (const { element } of blocks) delete element.dataset.forget;
    root.style.overflowAnchor = '';
  }));
}
