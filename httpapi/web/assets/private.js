// The page of what is to be read once, and of what is encrypted: the key stands in
// the address behind the #, and stays in this browser.

import { filesNav } from './diff.js';
import { once } from './once.js';
import { able, isKey, open } from './seal.js';
import { save } from './save.js';
import { resultIn } from './failure.js';
import { bare, counted, draw, errorsIn, fill, messageOf, nameOf, plain } from './scan.js';
import { steps } from './sections.js';

const page = document.querySelector('.private');
const lines = page.querySelector('.lines');
const fault = page.querySelector('[data-fault]');
const form = page.querySelector('[data-read]');
const key = location.hash.slice(1).split('&')[0]; // a line may follow
page.querySelector('.unscripted')?.remove();

const shared = document.querySelector('.shared pre');
if (shared) shared.textContent += location.hash;

function tell([title, text]) {
  fault.querySelector('h2').textContent = title;
  fault.querySelector('p').textContent = text;
  fault.hidden = false;
}

// whyNot says why nothing can be opened here, null if it can.
function whyNot() {
  if (!able) return ['This page has no https', 'This browser encrypts and decrypts on pages with https alone.'];
  if (!isKey(key)) return ['The key is missing', 'This link is incomplete. Ask the sender for the whole link, with the # and what follows it.'];
  return null;
}

// A share that cannot be opened here is not read either.
if (form) {
  once(form);
  if (form.hasAttribute('data-needs-key')) {
    const reason = whyNot();
    if (reason) tell(reason);
    form.hidden = reason !== null;
  }
  form.action += location.hash;
}

const most = 20_000; // lines that get a number

function show({ kind, content, language }) {
  const rows = content.split('\n');
  if (rows.length > 1 && rows.at(-1) === '') rows.pop();
  const many = rows.length > most;
  lines.classList.toggle('plain', many);
  lines.classList.replace('g1', `g${String(rows.length).length}`);
  const files = draw(lines, many ? [content] : rows, many ? 'log' : kind, !many, many ? '' : language);
  if (files.length > 0) lines.before(filesNav(files, `#${key}&`));
  const facts = [counted(rows.length, 'line')];
  if (kind === 'log' && !many) {
    facts.push(...causes(rows));
    steps(page.querySelector('.above:has(.steps)'), [...lines.querySelectorAll('p:not(.fold)')], rows.map(plain), key);
  } else if (kind !== 'log') {
    facts.unshift(...nameOf(language));
  }
  page.querySelector('.facts').lastElementChild.before(...facts.map((fact) => {
    const said = document.createElement('span');
    said.textContent = fact;
    return said;
  }));
}

// causes tells what this browser finds of what failed: the first failure that a
// tool reports or, in other logs, the first error and how many there are.
function causes(rows) {
  const texts = rows.map(plain);
  const { first, errors, failures, failure } = errorsIn(texts);
  if (errors === 0) return [];
  const [headline, above] = page.querySelectorAll('[data-first]');
  for (const link of page.querySelectorAll('[data-first] a')) link.href = `#${key}&L${(failure?.line ?? first) + 1}`;
  fill(headline, failure);
  if (failure) {
    headline.querySelector('[data-result]').textContent = `${resultIn(texts.map(bare)) || 'Failed'}: `;
    headline.append(...failures.slice(1, 3).map(also));
    lines.querySelectorAll('p:not(.fold)')[failure.line].className ||= 'E';
    return [];
  }
  above.querySelector('a').textContent = messageOf(plain(rows[first]));
  above.hidden = false;
  return [counted(errors, 'error')];
}

// also names another failure.
function also({ what, why, line }) {
  const [row, link, reason] = ['p', 'a', 'span'].map((tag) => document.createElement(tag));
  link.href = `#${key}&L${line + 1}`;
  link.textContent = what;
  reason.textContent = why;
  row.append(link, ' ', reason);
  return row;
}

async function decrypt() {
  const reason = whyNot();
  if (reason) {
    tell(reason);
    return;
  }
  try {
    const share = await open(page.dataset.kind, page.dataset.sealed, key);
    const title = share.title || page.querySelector('h1').textContent;
    page.querySelector('h1').textContent = title;
    document.title = `${title} · Devkiln`;
    show(share);
    save(page.querySelector('[data-save]'), () => share.content, share.title || `${page.dataset.kind}.txt`);
    await import('./rows.js'); // reads the lines that are shown now
  } catch {
    tell(['This cannot be decrypted', 'The key at the end of the link does not open this, or what was shared is damaged. Ask the sender for the whole link.']);
  }
}

if (page.dataset.sealed) decrypt();
