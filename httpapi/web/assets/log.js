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
if (form) start();

function start() {
  const inParts = 'parts' in viewer.dataset;
  if (!inParts) form.addEventListener('submit', (event) => event.preventDefault());
  const { between, resize, step, search } = inParts ? parts(form) : filter(form);
  const fail = errors();
  const turn = wrap(form.querySelector('#wrap'), lines, resize);
  if (viewer.classList.contains('has-json')) json();
  times(viewer.querySelector('.times'), form, between);
  const help = sheet(form.querySelector('[data-help]'), viewer.querySelector('dialog'));
  keys({ '/': search, n: () => step(false), N: () => step(true), e: () => fail(false), E: () => fail(true), w: turn, '?': help });
}

// errors goes from the line that is read to the next error, or to the one
// before, and around at the end. Behind the last of a part it goes on in the next
// part that has one. With the shift key the button goes back.
function errors() {
  const button = form.querySelector('[data-next-error]');
  if (!button) return () => {};
  const all = [...lines.querySelectorAll('.E, .F')];
  const go = (back) => {
    const shown = all.filter((line) => !hidden(line));
    const from = here();
    let found = back
      ? shown.findLast((line) => numberOf(line) < from)
      : shown.find((line) => numberOf(line) > from);
    if (!found && viewer.dataset.first) {
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
      say('No error fits the filter');
      return;
    }
    show(found);
    say(`Error ${shown.indexOf(found) + 1} of ${shown.length}, line ${numberOf(found)}`);
  };
  button.title = 'Next error (e); with Shift the one before';
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
