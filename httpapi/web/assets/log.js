// The log viewer: the search, the next error, JSON lines that open, and keys.

import { here, hidden, lines, numberOf, show, textOf, viewer } from './lines.js';
import { say } from './clipboard.js';
import { filter } from './filter.js';
import { indent } from './json.js';
import { keys, sheet } from './keys.js';
import { parts } from './parts.js';
import { times } from './times.js';
import { wrap } from './wrap.js';

const form = viewer.querySelector('.tools');
const time = 'p > i:first-of-type:not([class])'; // of a line
if (form) start();

function start() {
  const inParts = 'parts' in viewer.dataset;
  if (!inParts) form.addEventListener('submit', (event) => event.preventDefault());
  const { between, resize, step, search } = inParts ? parts(form) : filter(form);
  const fail = errors();
  for (const place of viewer.querySelectorAll('.headline :is(h2, p) a + code, .lead h2 a')) { // a path wraps at its slashes, a name at its dots
    place.replaceChildren(...place.textContent.split(place.matches('a') ? /(?<=[/.])|(?<=[a-z])(?=[A-Z])/ : /(?<=\/)/).flatMap((part) => [document.createElement('wbr'), part]));
  }
  const turn = wrap(form.querySelector('#wrap'), lines, resize);
  if (viewer.classList.contains('has-json')) json();
  times(viewer.querySelector('.times'), form, between);
  const help = sheet(form.querySelector('[data-help]'), viewer.querySelector('dialog'));
  keys({ '/': search, n: () => step(false), N: () => step(true), e: () => fail(false), E: () => fail(true), w: turn, t: stamps(form.querySelector('[data-stamps]'), resize), '?': help });
}

// stamps shows times as they are written, from the first one on, or not at all:
// as those of steps are listed, times of their lines are hidden at first.
function stamps(button, resize) {
  const modes = ['', 'relative', 'hidden'];
  const says = ['Absolute timestamps', 'Relative timestamps', 'Timestamps hidden'];
  const usual = viewer.querySelector('.steps') ? modes.indexOf('hidden') : 0;
  let mode = 0;
  const choose = (next) => {
    mode = next % modes.length;
    if (modes[mode] === 'relative') relate();
    lines.dataset.times = modes[mode];
    button.classList.toggle('on', mode !== usual);
  };
  const turn = () => {
    resize(() => choose(mode + 1));
    say(says[mode]);
  };
  if (usual > 0) choose(usual);
  button.hidden = !lines.querySelector(time);
  button.addEventListener('click', turn);
  return turn;
}

// secondsOf reads a time of a log, which may have no date; NaN if it cannot.
function secondsOf(text) {
  const date = Date.parse(text.replace(',', '.')) / 1000;
  const clock = /(\d+):(\d\d):(\d\d(?:[.,]\d+)?)/.exec(text);
  return Number.isNaN(date) && clock ? Number(clock[1]) * 3600 + Number(clock[2]) * 60 + parseFloat(clock[3].replace(',', '.')) : date;
}

// relate gives every time its distance from the first.
function relate() {
  let first;
  for (const written of lines.querySelectorAll(time)) {
    const seconds = secondsOf(written.textContent.trim());
    if (Number.isNaN(seconds)) continue;
    first ??= seconds;
    written.dataset.after = `${seconds < first ? '−' : '+'}${Math.abs(seconds - first).toFixed(3)}`.padStart(10);
  }
}

// errors goes from the line that is read to the next failure or, without any, the
// next error, or to the one before, and around at the end. Behind the last of a part it goes on in the next
// part that has one. With the shift key the button goes back.
function errors() {
  const button = form.querySelector('[data-next-error]');
  if (!button) return () => {};
  const noun = viewer.dataset.failures ? 'Failure' : 'Error';
  const all = viewer.dataset.failures?.trim().split(' ').map(Number).sort((a, b) => a - b) ?? [...lines.querySelectorAll('.E, .F')].map(numberOf);
  const lineOf = (n) => document.getElementById(`L${n}`);
  const go = (back) => {
    const shown = all.filter((n) => !lineOf(n) || !hidden(lineOf(n)));
    const from = here();
    let found = back ? shown.findLast((n) => n < from) : shown.find((n) => n > from);
    if (!found && noun === 'Error' && viewer.dataset.first) {
      const ends = lines.querySelectorAll('p[id]');
      location.assign(back ? `?before=${numberOf(ends[0])}` : `?after=${numberOf(ends[ends.length - 1])}`);
      return;
    }
    found ??= shown.at(back ? -1 : 0);
    if (!found && !button.getAttribute('href').startsWith('#')) {
      location.assign(button.href); // among the lines that were not found
      return;
    }
    if (!found) {
      say(`No ${noun.toLowerCase()} fits the filter`);
      return;
    }
    if (!lineOf(found)) {
      location.assign(`?line=${found}#L${found}`); // in another part
      return;
    }
    show(lineOf(found));
    say(`${noun} ${shown.indexOf(found) + 1} of ${shown.length}, line ${found}`);
  };
  button.title = `Next ${noun.toLowerCase()} (e); with Shift the one before`;
  button.addEventListener('click', (event) => {
    event.preventDefault();
    go(event.shiftKey);
  });
  return go;
}

// json gives the JSON lines that come into sight a button that opens them.
function json() {
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      for (const line of entry.target.children) prepare(line);
    }
  }, { rootMargin: '400px' });
  for (const section of lines.querySelectorAll('section')) watcher.observe(section);
}

// jsonOf returns the JSON in the text of a line, '' where there is none.
function jsonOf(text) {
  const value = text.slice(Math.max(0, text.indexOf('{'))).trim();
  try {
    return value.startsWith('{') && JSON.parse(value) && value;
  } catch {
    return '';
  }
}

function prepare(line) {
  if (!line.id) return;
  const inColumns = line.querySelector(':scope > i.l') !== null;
  if (!inColumns && !jsonOf(line.textContent)) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'open';
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-label', `Fields of line ${numberOf(line)}`);
  let tree;
  button.addEventListener('click', async () => {
    if (!tree) {
      tree = document.createElement('pre');
      tree.className = 'tree';
      tree.textContent = indent(jsonOf(inColumns ? await textOf([line]) : line.textContent));
      line.append(tree);
    } else {
      tree.hidden = !tree.hidden;
    }
    button.setAttribute('aria-expanded', String(!tree.hidden));
  });
  line.prepend(button);
}
