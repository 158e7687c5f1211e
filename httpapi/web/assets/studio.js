// The screenshot studio: the picture follows the form, what is typed stays on
// the visitor's machine, and links hold everything in their fragment, which no
// server ever sees.

import { copyButton } from './clipboard.js';
import { dropped } from './drop.js';
import { ask, complaints, latest } from './live.js';
import { marking } from './marking.js';
import { mixer } from './mixer.js';
import { pack, unpack } from './fragment.js';
import { isTheme, mostTheme, ownTheme } from './owntheme.js';
import { presets } from './presets.js';
import { typing } from './typing.js';
import { undoable } from './undo.js';

const page = document.querySelector('.studio');
const form = page.querySelector('[data-studio]');
const image = form.querySelector('[data-image]');
const fields = form.elements;
const numbers = ['padding', 'fontSize', 'borderRadius'];
const switches = ['lineNumbers', 'windowControls', 'shadow'];
const texts = ['code', 'language', 'theme', 'background', 'windowTitle'];
const tell = complaints(form);

const own = ownTheme(form.querySelector('[data-own]'), form.querySelector('[data-own] + .swatch'));

// named says whether the theme is one of the API's config. The query names the
// others, but for the visitor's own.
const named = () => [...fields.theme].some((radio) => radio.checked && !('more' in radio.dataset || 'own' in radio.dataset));

// config returns the settings in the form, in the order of the API.
function config() {
  const of = (name) => fields[name].value;
  return {
    code: of('code'),
    language: of('language').trim(),
    theme: named() ? of('theme') : 'dracula',
    background: of('background').trim(),
    padding: Number(of('padding')),
    fontSize: Number(of('fontSize')),
    lineNumbers: fields.lineNumbers.checked,
    windowControls: fields.windowControls.checked,
    windowTitle: of('windowTitle'),
    borderRadius: Number(of('borderRadius')),
    shadow: fields.shadow.checked,
  };
}

const parameters = [...form.querySelectorAll('[data-parameter]')];

// more returns the parameters that are filled in, as a query.
function more() {
  const given = parameters.filter((field) => field.value.trim() !== '').map((field) => [field.dataset.parameter, field.value.trim()]);
  if (!named() && fields.theme.value) given.unshift(['theme', fields.theme.value]);
  return new URLSearchParams(given).toString();
}

function fillMore(query) {
  const given = new URLSearchParams(query);
  if (given.has('theme')) fields.theme.value = given.get('theme');
  const family = given.get('fontFamily');
  if (family && ![...fields['with-fontFamily'].options].some((option) => option.value === family)) fields['with-fontFamily'].add(new Option(family));
  for (const field of parameters) field.value = given.get(field.dataset.parameter) ?? '';
  if (parameters.some((field) => field.value !== '')) form.querySelector('.more').open = true;
}

// settings are all of it, to be kept.
const settings = () => ({ ...config(), more: more() });

function fill(c) {
  for (const name of texts) if (typeof c[name] === 'string' && fields[name].value !== c[name]) fields[name].value = c[name];
  if (typeof c.more === 'string') fillMore(c.more);
  for (const name of numbers) if (Number.isFinite(c[name])) put(fields[name], c[name]);
  for (const name of switches) if (typeof c[name] === 'boolean') fields[name].checked = c[name];
  settle();
}

// settle makes what depends on the fields follow them.
function settle() {
  values();
  ground();
  mix.read(fields.background.value);
}

// put sets a slider. A value between its steps stays until somebody moves it.
function put(slider, value) {
  slider.dataset.step ??= slider.step;
  slider.step = slider.dataset.step;
  slider.value = value;
  if (Number(slider.value) === value) return;
  slider.step = 'any';
  slider.value = value;
}

// values shows the numbers of sliders, and that a picture of a size has no scale.
function values() {
  const size = fields['with-size'].value;
  fields.scale.disabled = size !== '';
  fields['with-ratio'].closest('.field').hidden = size.includes('x'); // a size has a shape
  for (const name of numbers) fields[name].parentElement.querySelector('[data-value]').textContent = fields[name].value;
}

// ground marks the preset that is the background, or none.
function ground() {
  const custom = form.querySelector('[data-custom]');
  const same = [...fields.preset].find((radio) => radio !== custom && radio.value === fields.background.value);
  (same ?? custom).checked = true;
}

// The name and the language of the sample are not those of other code. The
// sample is there while half of its lines are.
const sampleLines = fields.code.defaultValue.split('\n').filter((line) => line.trim() !== '');

function leaveSample() {
  if (!('sample' in form.dataset)) return;
  const left = sampleLines.filter((line) => fields.code.value.includes(line)).length;
  if (left * 2 >= sampleLines.length) return;
  for (const name of ['windowTitle', 'language']) {
    if (fields[name].value === fields[name].defaultValue) fields[name].value = '';
  }
}

// What the code is, is seen in the code: the output of a terminal, or a patch of
// one file. Whoever says it is believed.
let sensed = '';

function sense(target) {
  const field = fields['with-input'];
  if (target === field) sensed = null;
  if (target !== fields.code || sensed === null) return;
  const { value } = fields.code;
  const patches = value.match(/^--- .*\n\+\+\+ .*\n@@ -/gm);
  const input = value.includes('\x1b[') ? 'ansi' : patches?.length === 1 ? 'patch' : '';
  if (field.value !== sensed && field.value !== input) return;
  field.value = input;
  sensed = input;
}

// What is typed is kept for the next visit.
const place = `devkiln ${page.dataset.here}`;

function keep() {
  try {
    localStorage.setItem(place, JSON.stringify(settings()));
  } catch {
    // There is no place for it, or none is allowed: then it lasts as long as the page.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null;
  }
}

function forget() {
  try {
    localStorage.removeItem(place);
  } catch {
    // Nothing was kept.
  }
}

// leaveLink takes the settings out of the address, as the page has others now.
function leaveLink() {
  if (location.hash || location.search) history.replaceState(null, '', page.dataset.here);
}

function picture(query, c) {
  const palette = own.text();
  return ask(tell, `${page.dataset.picture}?${query}&${more()}${palette && '&own'}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(palette ? { config: c, palette } : c),
  });
}

let shown;
const pending = form.querySelector('[data-pending]'); // in the place of a picture that cannot be drawn

function show(url) {
  image.src = url;
  image.hidden = false;
  pending.hidden = true;
  image.removeAttribute('width');
  image.removeAttribute('height');
  image.classList.remove('stale');
  if (shown) URL.revokeObjectURL(shown);
  shown = url;
}

// invite shows what an empty editor below the picture is for, in the place of
// the picture.
function invite(empty) {
  const below = empty && !form.querySelector('.typing');
  form.querySelector('[data-invite]').hidden = !below;
  for (const button of form.querySelectorAll('[data-export]')) button.disabled = empty;
  if (empty) form.querySelector('[data-size]').textContent = '';
  if (!below) return;
  pending.hidden = true;
  image.hidden = true;
}

async function draw() {
  const c = config();
  const empty = c.code === '';
  if (!empty) invite(false);
  const response = await picture('make=svg', empty ? { ...c, code: ' ' } : c);
  image.classList.toggle('stale', !response);
  pending.hidden = !image.hidden || response !== null;
  if (!response) {
    if (empty) {
      typable();
      invite(true);
    }
    return;
  }
  const blob = await response.blob();
  const url = URL.createObjectURL(blob);
  const next = new Image();
  next.src = url;
  const [svg] = await Promise.all([blob.text(), next.decode()]);
  fields.language.placeholder = empty ? 'Auto' : `Auto: ${response.headers.get('X-Language')}`;
  image.alt = decodeURIComponent(response.headers.get('X-Description'));
  show(url);
  form.querySelector('[data-size]').textContent = `${next.naturalWidth} × ${next.naturalHeight}`;
  follow(svg);
  if (empty) invite(true);
  page.dispatchEvent(new CustomEvent('drawn'));
}

const update = latest(draw, 0);

// The themes are shown on the code, once one does not type.
const preview = latest(() => new Promise((done) => {
  const request = new XMLHttpRequest(); // it parses HTML where strings must be trusted
  request.responseType = 'document';
  request.open('POST', `${page.dataset.picture}?make=preview`);
  request.onload = () => {
    if (request.status !== 200) return;
    const { body } = request.response;
    for (const swatch of form.querySelectorAll('.swatch')) {
      if (swatch.innerHTML !== body.innerHTML) swatch.replaceChildren(...body.cloneNode(true).childNodes);
    }
  };
  request.onloadend = done;
  request.send(JSON.stringify({ ...config(), code: fields.code.value.slice(0, 2000) || ' ' }));
}), 500);
page.addEventListener('drawn', preview);

function changed() {
  update();
  leaveLink();
  keep();
}

const mix = mixer(form.querySelector('[data-mixer]'), (css) => {
  fields.background.value = css;
  changed();
});

form.addEventListener('input', (event) => {
  const { target } = event;
  if (['scale', 'zoom'].includes(target.name) || 'mode' in target.dataset || 'apart' in target.dataset) return;
  sense(target);
  if (target.dataset.step) target.step = target.dataset.step;
  values();
  if (target.name === 'code') leaveSample();
  const other = { 'with-size': 'with-ratio', 'with-ratio': 'with-size' }[target.name];
  if (other && fields['with-size'].value.includes('x')) fields[other].value = ''; // a size has a shape
  if (target.name === 'preset' && target.value) {
    fields.background.value = target.value;
    mix.read(target.value);
  }
  if (target.name === 'background') {
    mix.read(target.value);
    if (!CSS.supports('background', target.value)) return; // it is being typed
  }
  changed();
});

const note = undoable(
  () => JSON.stringify(settings()),
  (text) => {
    fill(JSON.parse(text));
    changed();
  },
  form.querySelector('[data-undo]'),
  form.querySelector('[data-redo]'),
);

// address puts a link to what is shown where links are, unless it has changed.
async function address() {
  const before = JSON.stringify(settings());
  const path = await here();
  if (JSON.stringify(settings()) === before) history.replaceState(null, '', path);
}

const markable = marking(
  image,
  form.querySelector('[data-gutter]'),
  form.querySelector('[data-mode]'),
  Object.fromEntries(parameters.map((field) => [field.dataset.parameter, field])),
  () => {
    changed();
    note();
    address();
  },
);

// In these, a line of the code is no row of the picture.
const apart = ['input', 'wrap', 'lines'];
const typable = typing(
  form.querySelector('[data-view]'),
  image,
  fields.code,
  { apart: form.querySelector('[data-apart]'), full: form.querySelector('[data-full]') },
  () => apart.every((name) => fields[`with-${name}`].value.trim() === ''),
  () => fields['with-fontFamily'].value,
);

// follow lets the editor and the marks follow the picture.
function follow(svg) {
  const of = (name) => fields[`with-${name}`].value.trim() || fields[`with-${name}`].placeholder;
  typable(svg, Number(of('lineHeight')), of('tabWidth'));
  markable(svg, fields['with-input'].value === 'patch');
}

form.addEventListener('change', (event) => {
  if (event.target.name === 'background') changed();
  note();
});

form.addEventListener('click', () => note());

form.querySelector('[data-start-over]').addEventListener('click', () => {
  note();
  form.reset();
  settle();
  note();
  leaveLink();
  forget();
  update();
  fields.code.focus();
});

const plainPNG = { field: 'code', message: 'This picture does not carry its settings. Pictures do that are made with embed: config.' };
const noText = { field: 'code', message: 'This file is no text in UTF-8.' };
const mostBytes = 1 << 20;

const mostPicture = 64 << 20;

// opened returns the settings that a file holds: all of a picture of ours, or
// those that follow from a text.
async function opened(file) {
  if (file.size > mostPicture) throw new RangeError('too large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const { embedded, isPNG } = await import('./embedded.js');
  if (isPNG(bytes)) {
    const { query, fragment } = embedded(bytes) ?? {};
    if (!fragment) throw new TypeError('a plain PNG');
    return { ...await unpack(fragment), more: query };
  }
  if (file.size > mostBytes) throw new RangeError('too large');
  const code = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (code.length <= mostTheme && isTheme(file, code)) return { palette: code };
  return { code: code.replaceAll('\r\n', '\n'), windowTitle: file.name, language: '' };
}

// take opens a file: a theme, a picture of ours, or code.
async function take(file) {
  let found;
  try {
    found = await opened(file);
  } catch (error) {
    const png = file.name.toLowerCase().endsWith('.png') ? plainPNG : noText;
    tell([error instanceof RangeError ? { field: 'code', message: 'This file is larger than any picture of code.' } : png]);
    return;
  }
  if (found.palette) {
    own.take(found.palette);
    changed();
    return;
  }
  note();
  fill(found);
  sense(fields.code);
  note();
  changed();
}

dropped(form, take);

form.querySelector('[data-open]').addEventListener('change', (event) => {
  take(event.target.files[0]);
  event.target.value = '';
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const kind = event.submitter?.value;
  if (!kind) {
    update(); // Enter in a field
    return;
  }
  const response = await picture(`make=${kind}&scale=${fields.scale.value}`, config());
  if (!response) return;
  const message = response.headers.get('X-Warning');
  if (message) tell([{ message }]);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${fileName(fields.windowTitle.value)}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

const fileName = (title) => title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 80) || 'code';

const addressOf = async (c, query) => `${page.dataset.here}${query && `?${query}`}#${await pack(c)}`;
const here = () => addressOf(config(), more());
const link = async () => location.origin + await here();
const scaled = () => [fields.scale.value, more()].filter(Boolean).join('&');
const api = () => location.origin + page.dataset.api;

copyButton(form.querySelector('[data-copy-link]'), link);
// request returns the settings as a request in a language.
async function request(language) {
  const settings = [api(), config(), scaled()];
  return (await import('./requests.js'))[language](...settings);
}

copyButton(form.querySelector('[data-copy-curl]'), () => request('asCurl'));
copyButton(form.querySelector('[data-copy-go]'), () => request('asGo'));

// A preset is everything but what the code is and what it says.
presets(
  form.querySelector('[data-saved]'),
  'devkiln presets',
  () => ({ ...settings(), code: '', language: '', windowTitle: '' }),
  (preset) => {
    note();
    fill({ ...preset, code: fields.code.value, language: fields.language.value, windowTitle: fields.windowTitle.value });
    note();
    changed();
  },
  (button, { more: query, ...c }) => copyButton(button, async () => location.origin + await addressOf(c, query)),
);

const copyImage = form.querySelector('[data-copy-image]');
if (window.ClipboardItem && navigator.clipboard) {
  copyImage.dataset.export = '';
  copyButton(copyImage, () => null, () => {
    const blob = picture(`make=png&scale=${fields.scale.value}`, config()).then((response) => {
      if (!response) throw new Error('no picture');
      return response.blob();
    });
    return navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
  });
} else {
  copyImage.disabled = true;
  copyImage.title = 'Browsers copy images from pages by https alone';
}

// Tab writes a tab in the editor; Escape and then Tab leaves it.
let leaving = false;
fields.code.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    leaving = true;
    return;
  }
  if (event.key === 'Tab' && !event.shiftKey && !leaving && !event.ctrlKey && !event.altKey) {
    event.preventDefault();
    document.execCommand('insertText', false, '\t');
  }
  leaving = false;
});

const types = (element) => element.matches('textarea, input:not([type=radio], [type=checkbox], [type=range], [type=color])');

addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  let button;
  if (key === 's') button = form.querySelector('[value=png]');
  else if (key === 'z' && !types(event.target)) button = form.querySelector(event.shiftKey ? '[data-redo]' : '[data-undo]');
  if (!button) return;
  event.preventDefault();
  button.click();
});

// arrive shows what the link holds, or else what was kept. Until then, what is
// there of the sample is not seen.
async function arrive() {
  const text = location.hash.slice(1);
  const before = text === '' && location.search === '' && kept();
  if (text === '' && !before) return;
  page.classList.add('arriving');
  try {
    const found = text === '' ? before : { ...await unpack(text), more: location.search.slice(1) };
    // A link without code is a preset.
    if (found.code === '' && text !== '') Object.assign(found, { code: fields.code.value, language: fields.language.value, windowTitle: fields.windowTitle.value });
    fill(found);
    note();
    image.hidden = true;
    await draw();
  } catch {
    tell([{ message: 'This link is damaged: the picture that it describes cannot be read. Ask for it again, or start with this one.' }]);
  } finally {
    page.classList.remove('arriving');
  }
}

settle();
if (image.src.startsWith('data:')) follow(decodeURIComponent(image.src.replace(/^[^,]*,/, '')));
addEventListener('hashchange', arrive);
arrive();
