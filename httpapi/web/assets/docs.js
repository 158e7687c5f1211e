// The API reference: copying, the place in the contents, and trying operations.
// A key stays in the inputs of this page and in the header of requests: it is
// kept nowhere and stands in no address.

import { copyButton, say } from './clipboard.js';
import { indent } from './json.js';

const page = document.querySelector('.docs');
const told = ['Content-Type', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'Allow', 'Accept-Post', 'ETag'];
const patience = 90_000; // longer than a body and a picture may take

for (const button of page.querySelectorAll('[data-copy]')) {
  const text = button.closest('figure').querySelector('pre');
  copyButton(button, () => text.textContent);
}

contents();
search(page.querySelector('[data-find]'));
for (const form of page.querySelectorAll('[data-try]')) prepare(form);

// contents marks where the reader is, and closes behind who chose.
function contents() {
  const toc = page.querySelector('.toc');
  const links = new Map([...toc.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  toc.addEventListener('click', (event) => {
    if (event.target.closest('a')) toc.querySelector('details').open = false;
  });
  const seen = new Set();
  const places = [...page.querySelectorAll('[data-place]')];
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? 'add' : 'delete'](entry.target);
    const here = places.find((place) => seen.has(place));
    for (const [id, link] of links) {
      if (id === here?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (here) follow(toc, links.get(here.id));
  }, { rootMargin: '-25% 0px -70%' });
  for (const place of places) watcher.observe(place);
}

// search leaves the operations in the contents that have all words of a field in
// their names, methods or paths. Enter goes to the first.
function search(field) {
  const rows = [...page.querySelectorAll('.toc li li')];
  const texts = rows.map((row) => {
    const place = document.getElementById(row.firstElementChild.hash.slice(1));
    return `${row.textContent} ${place.querySelector('.path').textContent}`.toLowerCase();
  });
  field.parentElement.hidden = false;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    for (const group of page.querySelectorAll('.toc li:has(ul)')) group.hidden = !group.querySelector('li:not([hidden])');
  });
  field.addEventListener('keydown', (event) => {
    const first = rows.find((row) => !row.hidden);
    if (event.key === 'Enter' && first) first.firstElementChild.click();
  });
}

// follow scrolls the contents, and not the page, to a link.
function follow(toc, link) {
  const above = link.getBoundingClientRect().top - toc.getBoundingClientRect().top;
  if (above < 0 || above > toc.clientHeight - 64) toc.scrollTop += above - toc.clientHeight / 2;
}

function prepare(form) {
  const box = form.closest('.try');
  box.querySelector('[data-plain]').hidden = true;
  form.hidden = false;
  form.addEventListener('input', (event) => {
    if (!event.target.dataset.key) return;
    for (const other of page.querySelectorAll('[data-key]')) other.value = event.target.value;
  });
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

// write shows a text, and takes what it names over into the forms beside it:
// the id of a log that was just shared is the one to read or delete.
function write(result, text, form) {
  const parsed = parse(text);
  result.querySelector('[data-response]').hidden = text === '';
  result.querySelector('pre').textContent = parsed === undefined ? text : indent(text);
  for (const input of form.closest('section').querySelectorAll('[data-in=path]')) {
    if (typeof parsed?.[input.dataset.name] === 'string') input.value = parsed[input.dataset.name];
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
