// The log viewer: lines filtered by level and text, the next error, JSON lines
// that open.

import { lines, show, viewer } from './lines.js';
import { indent } from './json.js';

const form = viewer.querySelector('.tools');
if (form) start();

function start() {
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();
  errors();
  wrap();
  if (viewer.classList.contains('has-json')) json();
}

function filter() {
  const box = form.querySelector('.find');
  const input = box.querySelector('input');
  const matches = box.querySelector('.matches');
  const chips = [...form.querySelectorAll('[data-level]')];
  const sections = [...lines.querySelectorAll('section')].map((element) => ({ element, lines: [...element.children] }));
  const none = document.createElement('p');
  none.className = 'none';
  none.textContent = 'No line fits. Clear the filter to see all.';
  none.hidden = true;
  lines.after(none);
  box.hidden = false;

  let texts;
  const total = sections.reduce((sum, section) => sum + section.lines.length, 0);
  const height = parseFloat(getComputedStyle(lines).lineHeight);

  function apply() {
    const words = input.value.toLowerCase();
    const levels = new Set(chips.filter((chip) => chip.checked).map((chip) => chip.dataset.level));
    const all = words === '' && levels.size === 0;
    texts ??= sections.map((section) => section.lines.map((line) => line.textContent.toLowerCase()));
    let shown = 0;
    sections.forEach((section, i) => {
      let here = 0;
      section.lines.forEach((line, k) => {
        const fits = all || ((levels.size === 0 || levels.has(line.className.toLowerCase() || 'o')) && texts[i][k].includes(words));
        line.toggleAttribute('data-miss', !fits);
        if (fits) here++;
      });
      section.element.toggleAttribute('data-empty', here === 0);
      section.element.style.containIntrinsicBlockSize = all ? '' : `${here * height}px`;
      shown += here;
    });
    lines.setAttribute('data-sized', '');
    none.hidden = shown > 0;
    matches.textContent = all ? '' : `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    light(words, sections);
  }

  let timer;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 80);
  });
  for (const chip of chips) chip.addEventListener('change', apply);
  if (input.value || chips.some((chip) => chip.checked)) apply(); // the browser came back to the page
}

const mostLights = 2000;

// light sets off the text that was looked for, where the browser can.
function light(words, sections) {
  if (!CSS.highlights) return;
  CSS.highlights.delete('found');
  if (words === '') return;
  const found = new Highlight();
  for (const section of sections) {
    for (const line of section.lines) {
      if (found.size >= mostLights) break;
      if (!line.hasAttribute('data-miss')) lightLine(found, line, words);
    }
  }
  CSS.highlights.set('found', found);
}

function lightLine(found, line, words) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
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

function errors() {
  const button = form.querySelector('[data-next-error]');
  if (!button) return;
  const all = [...lines.querySelectorAll('.E, .F')];
  let last = -1;
  button.addEventListener('click', (event) => {
    event.preventDefault();
    for (let step = 1; step <= all.length; step++) {
      const next = (last + step) % all.length;
      if (all[next].hasAttribute('data-miss')) continue;
      last = next;
      show(all[next]);
      return;
    }
  });
}

function wrap() {
  const box = form.querySelector('#wrap');
  const key = 'devkiln.wrap';
  try {
    box.checked = localStorage.getItem(key) !== 'off';
    box.addEventListener('change', () => localStorage.setItem(key, box.checked ? 'on' : 'off'));
  } catch {
    // A browser that keeps nothing still wraps.
  }
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

function prepare(line) {
  const text = line.textContent;
  const start = text.indexOf('{');
  if (start < 0 || !text.trimEnd().endsWith('}')) return;
  const value = text.slice(start).trim();
  try {
    JSON.parse(value);
  } catch {
    return;
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'open';
  button.setAttribute('aria-expanded', 'false');
  button.setAttribute('aria-label', `Fields of line ${line.id.slice(1)}`);
  let tree;
  button.addEventListener('click', () => {
    if (!tree) {
      tree = document.createElement('pre');
      tree.className = 'tree';
      tree.textContent = indent(value);
      line.append(tree);
    } else {
      tree.hidden = !tree.hidden;
    }
    button.setAttribute('aria-expanded', String(!tree.hidden));
  });
  line.prepend(button);
}
