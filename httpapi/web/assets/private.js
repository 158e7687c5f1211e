// The page of what is read once, and of what is encrypted: the key stands in the
// address behind the #, and stays in this browser.

import { copyButton } from './clipboard.js';
import { once } from './once.js';
import { able, isKey, open } from './seal.js';

const page = document.querySelector('.private');
const lines = page.querySelector('.lines');
const problem = page.querySelector('[data-problem]');
const form = page.querySelector('[data-read]');
const key = location.hash.slice(1);
page.querySelector('.unscripted')?.remove();

const shared = document.querySelector('.shared pre');
if (shared) shared.textContent += location.hash;

function tell(message) {
  problem.textContent = message;
  problem.hidden = false;
}

// whyNot says why nothing can be opened here.
function whyNot() {
  if (!able) return 'This browser encrypts and decrypts on pages with https alone, and this is none.';
  if (!isKey(key)) return 'The end of the link is missing: the # and the 43 characters behind it are the key. Ask for the whole link.';
  return '';
}

// A share that cannot be opened here is not read either.
if (form) {
  once(form);
  if (form.hasAttribute('data-needs-key')) {
    const reason = whyNot();
    if (reason) tell(reason);
    form.hidden = reason !== '';
  }
  form.action += location.hash;
}

const most = 20_000; // lines that get a number

function show(content) {
  const rows = content.split('\n');
  if (rows.length > 1 && rows.at(-1) === '') rows.pop();
  lines.classList.toggle('plain', rows.length > most);
  lines.classList.replace('g1', `g${String(rows.length).length}`);
  let section;
  for (const [i, row] of (rows.length > most ? [content] : rows).entries()) {
    if (i === 0 || i % 100 === 99) {
      section = document.createElement('section');
      lines.append(section);
    }
    const line = document.createElement('p');
    line.textContent = row;
    section.append(line);
  }
  const said = document.createElement('span');
  said.textContent = `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'line' : 'lines'}`;
  page.querySelector('.facts').prepend(said);
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
    show(share.content);
    offer(() => share.content, share.title);
  } catch {
    tell('The key at the end of the link does not open this, or what was shared is damaged. Ask for the whole link.');
  }
}

// offer lets copy and save what text returns.
function offer(text, title) {
  copyButton(page.querySelector('[data-copy]'), text);
  const save = page.querySelector('[data-save]');
  save.hidden = false;
  save.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text()], { type: 'text/plain' }));
    link.download = title || `${page.dataset.kind ?? 'share'}.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

if (page.dataset.sealed) decrypt();
else if (lines) {
  const rows = [...lines.querySelectorAll('p[id]')];
  copyButton(page.querySelector('[data-copy]'), () => (rows.length > 0 ? rows.map((row) => row.textContent).join('\n') : lines.textContent));
}
