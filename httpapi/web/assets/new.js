// What scripts add to the form that shares: what was pasted is named and shown, a
// file is dropped on the text, Ctrl or Cmd with Enter sends it, a key and what was
// shared are remembered, and the server is asked whether it is there before the
// text is sent.

import { dropped } from './drop.js';
import { pack } from './fragment.js';
import { list } from './mine.js';
import { once } from './once.js';
import { draw, fill, recognize } from './scan.js';
import { able, seal } from './seal.js';

history.replaceState(null, ''); // whoever comes back to a refused form does not send it again

const form = document.querySelector('[data-share]');
const text = form.querySelector('[data-text]');
const count = form.querySelector('[data-count]');
const file = form.querySelector('[data-file]');
const drop = form.querySelector('[data-no-file]');
const words = count.textContent;
const number = new Intl.NumberFormat('en');

// Characters are code points, as the server counts them.
const length = (s) => s.length - (s.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
const maxBytes = Number(file.dataset.file); // of a log

function show(element, message, bad) {
  element.textContent = message;
  element.classList.toggle('fault', bad);
}

function counted() {
  const n = length(text.value);
  const over = n > maxBytes ? `, ${number.format(n - maxBytes)} more than fit` : '';
  show(count, n === 0 ? words : `${number.format(n)} ${n === 1 ? 'character' : 'characters'}${over}`, over !== '');
}

// What is recognized is shown beside the text: around the first error of a log, or
// the beginning of code.
const promise = form.querySelector('[data-promise]');
const found = form.querySelector('[data-found]');
const preview = form.querySelector('[data-lines]');
const picture = form.querySelector('[data-picture]');
const shownLines = 16;
const mostCode = 50_000; // characters of a picture
let known;

function look() {
  known = text.value.trim() === '' ? null : recognize(text.value);
  promise.hidden = known !== null;
  found.hidden = known === null;
  if (!known) return;
  const name = found.querySelector('[data-name]');
  name.textContent = known.sentence;
  name.className = known.failure ? 'lead' : 'found';
  fill(found.querySelector('[data-failure]'), known.failure);
  const from = Math.max(0, (known.first ?? 0) - 2);
  draw(preview, known.rows.slice(from, from + shownLines), known.kind, false, known.language === 'diff' ? 'diff' : '');
  [...preview.querySelectorAll('p')].forEach((line, n) => {
    line.setAttribute('data-n', from + n + 1);
    if (from + n === known.failure?.line) line.className ||= 'E';
  });
  picture.hidden = known.kind === 'log' || text.value.length > mostCode;
}

picture.addEventListener('click', async (event) => {
  event.preventDefault();
  location.href = `${picture.href}#${await pack({ code: text.value, language: known.language })}`;
});

const hint = document.getElementById('file-hint');
const hintWords = hint.textContent;

// A file that cannot fit is not sent at all.
function chosen() {
  const [one] = file.files;
  drop.hidden = !one;
  const large = one !== undefined && one.size > maxBytes;
  const message = large ? `This file has ${number.format(one.size)} bytes, and at most ${number.format(maxBytes)} fit.` : '';
  file.setCustomValidity(message);
  show(hint, message || hintWords, large);
}

function notice(message) {
  const box = document.createElement('p');
  box.className = 'notice bad';
  box.setAttribute('role', 'alert');
  box.append(message);
  form.parentElement.querySelector('.notice')?.remove();
  form.before(box);
}

let looking;
text.addEventListener('input', () => {
  counted();
  clearTimeout(looking);
  looking = setTimeout(look, text.value.length > 200_000 ? 400 : 60);
});
file.addEventListener('change', chosen);
drop.addEventListener('click', () => {
  file.value = '';
  chosen();
  file.focus();
});

dropped(text, (one) => {
  const transfer = new DataTransfer();
  transfer.items.add(one);
  file.files = transfer.files;
  chosen();
});

form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

// A key is remembered only where somebody asks for it.
const key = form.querySelector('[data-key]');
const remember = form.querySelector('[data-remember]');
const place = 'devkiln-key';
if (key) {
  const known = localStorage.getItem(place);
  key.value ||= known ?? '';
  remember.hidden = false;
  remember.firstElementChild.checked = known !== null;
  remember.addEventListener('change', keep);
}

function keep() {
  if (!key) return;
  if (remember.firstElementChild.checked && key.value) localStorage.setItem(place, key.value);
  else localStorage.removeItem(place);
}

// A countdown until a limit allows more.
const [again] = form.parentElement.querySelectorAll('[data-wait]');
if (again) {
  const until = Date.now() + 1000 * Number(again.dataset.wait);
  const timer = setInterval(() => {
    const left = Math.ceil((until - Date.now()) / 1000);
    again.textContent = left > 0 ? `${left} s` : 'now';
    if (left <= 0) clearInterval(timer);
  }, 1000);
}

// What is encrypted here is sent by this script, so that the text stays in the
// form if it is refused. The key is added to the address that comes back. Nothing
// of the text was sent before: its kind and language are recognized here.
const protection = form.querySelector('[data-protection]');
const encrypted = () => protection.value.startsWith('encrypt');
if (able) protection.add(new Option('Anyone, encrypted', 'encrypt'));
if (able) protection.add(new Option('One reader, encrypted', 'encrypt once'));

async function sendSealed() {
  const data = new FormData(form);
  const [one] = file.files;
  if (data.has('mask')) {
    notice('The server masks secrets, and cannot see what is encrypted. Choose one of the two.');
    return;
  }
  const content = one ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await one.arrayBuffer()) : text.value;
  if (content === '') {
    notice('There is nothing to share yet.');
    return;
  }
  const chosen = data.get('kind');
  const found = recognize(content);
  const kind = chosen === 'auto' ? (data.get('language') ? 'snippet' : found.kind) : chosen;
  const language = data.get('language') || (kind === 'snippet' ? found.language : '');
  const { sealed, key: secret } = await seal({ kind, title: data.get('title') || one?.name, language, content });
  for (const name of ['title', 'file', 'language', 'format']) data.delete(name);
  const burn = protection.value.endsWith('once') ? '1' : '';
  for (const [name, value] of Object.entries({ text: sealed, kind, burn, encrypted: '1' })) data.set(name, value);
  const response = await fetch(form.action, { method: 'POST', body: data, headers: { Accept: 'text/html' } });
  if (response.redirected) location.assign(`${response.url}#${secret}`);
  else notice(refusals[response.status] ?? 'It was not shared. Your text is still here.');
}

const refusals = {
  400: 'It was not shared: it is too long, or what was chosen below does not go together.',
  403: 'A key is needed, or this one is unknown, revoked or expired. Ask your administrator for one.',
  413: 'This is too large, so nothing was shared.',
  429: 'More was shared than the limits allow, so this was not. Try again in a minute.',
};

let asking = false;
let there = false; // the server, so that the form can be sent
form.addEventListener('submit', async (event) => {
  if (there) return;
  event.preventDefault();
  if (asking) return;
  asking = true;
  keep();
  try {
    if (encrypted() && !event.submitter?.name) {
      await sendSealed();
      return;
    }
    await fetch(form.action, { method: 'HEAD' });
    there = true;
    form.requestSubmit(event.submitter);
  } catch {
    notice('The server does not respond. Your text is still here; try again.');
  } finally {
    asking = false;
    there = false;
  }
});
once(form);

if (matchMedia('(min-width: 641px) and (pointer: fine)').matches) text.placeholder = 'Paste a log or code, or drop a file';
const shortcut = form.querySelector('[data-shortcut]');
shortcut.textContent = navigator.platform.startsWith('Mac') ? 'or ⌘ + Enter' : 'or Ctrl + Enter';
shortcut.hidden = false;
counted();
chosen();
look();
const mine = document.querySelector('[data-mine]');
if (mine) list(mine);
