// The API reference: copying, the place in the contents, and trying operations.
// A key is kept until the tab is closed, for the pages of the other operations,
// and stands in no address.

import { copyButton, say } from './clipboard.js';
import { indent } from './json.js';

const page = document.querySelector('.docs');
const told = ['Content-Type', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'Allow', 'Accept-Post', 'ETag'];
const patience = 90_000; // longer than a body and a picture may take

for (const button of page.querySelectorAll('[data-copy]')) {
  const text = button.closest('figure').querySelector('pre');
  copyButton(button, () => text.textContent);
}

// A line of JSON that is too long breaks after a comma.
for (const part of page.querySelectorAll('.code i')) {
  const pieces = part.textContent.split(/(?<=,)(?=")/);
  if (pieces.length > 1 && part.childElementCount === 0) part.replaceChildren(...pieces.flatMap((piece) => [piece, document.createElement('wbr')]));
}

// Links from when all operations were on one page.
const moved = location.hash && page.querySelector(`.toc a[href$="/docs/${CSS.escape(location.hash.slice(1))}"]`);
if (moved) location.replace(moved.href);

contents(page.querySelector('.toc'));
search(page.querySelector('[data-find]'));
languages([...page.querySelectorAll('[name=language]')]);
for (const form of page.querySelectorAll('[data-try]')) prepare(form);

// contents shows the current operation, and closes behind who chose.
function contents(toc) {
  toc.addEventListener('click', (event) => {
    if (event.target.closest('a')) toc.querySelector('details').open = false;
  });
  const here = toc.querySelector('[aria-current]');
  const list = toc.querySelector('details > ul');
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

// search leaves the operations in the contents that have all words of a field in
// their names, methods, paths or fields. A word that none has counts by its
// beginning: expiration is in expiry. Enter goes to the first.
function search(field) {
  const rows = [...page.querySelectorAll('.toc li li')];
  const texts = rows.map((row) => `${row.textContent} ${row.dataset.words}`.toLowerCase());
  field.parentElement.hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).map((word) => (texts.some((text) => text.includes(word)) ? word : word.slice(0, 5)));
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    for (const group of page.querySelectorAll('.toc li:has(ul)')) group.hidden = !group.querySelector('li:not([hidden])');
    page.querySelector('[data-none]').hidden = rows.some((row) => !row.hidden);
  });
  field.addEventListener('keydown', (event) => {
    const first = rows.find((row) => !row.hidden);
    if (event.key === 'Enter' && first) first.firstElementChild.click();
  });
}

// languages remembers the language of the samples.
function languages(radios) {
  for (const radio of radios) {
    if (radio.value === localStorage.getItem('devkiln.language')) radio.checked = true;
    radio.addEventListener('change', () => localStorage.setItem('devkiln.language', radio.value));
  }
}

function prepare(form) {
  const box = form.closest('.try');
  box.querySelector('[data-plain]').hidden = true;
  form.hidden = false;
  const key = form.querySelector('[data-key]');
  if (key) key.value = sessionStorage.getItem('devkiln.key') ?? '';
  key?.addEventListener('input', () => sessionStorage.setItem('devkiln.key', key.value));
  for (const input of form.querySelectorAll('[data-in=path]')) input.value = sessionStorage.getItem(`devkiln.${form.dataset.tag}.${input.dataset.name}`) ?? '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    if (button.ariaDisabled === 'true') return;
    const words = button.textContent;
    button.ariaDisabled = 'true'; // a disabled one would lose the focus
    button.textContent = 'Sending…';
    try {
      await send(form, box);
    } finally {
      button.textContent = words;
      button.ariaDisabled = 'false';
    }
  });
}

// request reads a form: the address, and what fetch takes with it.
function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll('[data-name]')) {
    const { name } = input.dataset;
    if (input.dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(input.value));
    else if (input.value === '') continue;
    else if (input.dataset.in === 'header') headers[name] = input.value;
    else query.set(name, input.value);
  }
  const key = form.querySelector('[data-key]');
  if (key?.value) headers[key.dataset.key] = key.value.trim();
  const accept = form.querySelector('[data-accept]');
  if (accept) headers.Accept = accept.value;
  const body = form.querySelector('[data-body]');
  if (body) headers['Content-Type'] = body.dataset.media === '*/*' ? 'text/plain' : body.dataset.media;
  return [page.dataset.base + path + (query.size ? `?${query}` : ''), {
    method: form.dataset.verb,
    headers,
    body: body?.value,
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(patience),
  }];
}

async function send(form, box) {
  const result = box.querySelector('[data-result]');
  clear(result);
  const begin = performance.now();
  try {
    const response = await fetch(...request(form));
    const blob = await response.blob();
    const took = Math.round(performance.now() - begin);
    tell(result, `${response.status} ${response.statusText} · ${took} ms · ${blob.size.toLocaleString('en')} bytes`, response.ok);
    tellHeaders(result, response.headers);
    if (blob.type.startsWith('image/')) show(result, blob);
    else write(result, await blob.text(), form);
  } catch (error) {
    tell(result, explain(error), false);
  }
  result.scrollIntoView({ block: 'nearest' });
}

function explain(error) {
  if (error.name === 'TimeoutError') return 'The server has not responded for a minute and a half. Try again.';
  if (/header|ISO-8859-1/i.test(error.message)) return 'The key has a character that no header can carry. Paste it again.';
  return 'The server does not respond. Look whether it runs and try again.';
}

function clear(result) {
  result.hidden = true;
  result.querySelector('dl').replaceChildren();
  result.querySelector('[data-response]').hidden = true;
  const picture = result.querySelector('[data-picture]');
  picture.hidden = true;
  if (picture.src) URL.revokeObjectURL(picture.src);
  picture.removeAttribute('src');
}

function tell(result, text, good) {
  const status = result.querySelector('[data-status]');
  status.textContent = text;
  status.classList.toggle('bad', !good);
  result.hidden = false;
  say(text);
}

function tellHeaders(result, headers) {
  for (const name of told) {
    if (!headers.has(name)) continue;
    const term = document.createElement('dt');
    const value = document.createElement('dd');
    term.textContent = name;
    value.textContent = headers.get(name);
    result.querySelector('dl').append(term, value);
  }
}

function show(result, blob) {
  const picture = result.querySelector('[data-picture]');
  picture.src = URL.createObjectURL(blob);
  picture.hidden = false;
}

// write shows a text, and keeps the id in it for the other operations of its
// kind: a log that was just shared is the one to read or delete.
function write(result, text, form) {
  const parsed = parse(text);
  result.querySelector('[data-response]').hidden = text === '';
  result.querySelector('pre').textContent = parsed === undefined ? text : indent(text);
  if (typeof parsed?.id === 'string') sessionStorage.setItem(`devkiln.${form.dataset.tag}.id`, parsed.id);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
