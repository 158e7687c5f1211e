// The screenshot studio: the picture follows the form, links hold everything in
// their fragment, which no server ever sees.

import { copyButton } from './clipboard.js';
import { ask, latest, problems } from './live.js';
import { mixer } from './mixer.js';
import { pack, unpack } from './fragment.js';
import { asCurl, asGo } from './requests.js';

const page = document.querySelector('.studio');
const form = page.querySelector('[data-studio]');
const list = form.querySelector('[data-problems]');
const image = form.querySelector('[data-image]');
const fields = form.elements;
const numbers = ['padding', 'fontSize', 'borderRadius'];
const switches = ['lineNumbers', 'windowControls', 'shadow'];
const texts = ['code', 'language', 'theme', 'background', 'windowTitle'];

// config returns the settings in the form, in the order of the API.
function config() {
  const of = (name) => fields[name].value;
  return {
    code: of('code'),
    language: of('language').trim(),
    theme: of('theme'),
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

function fill(c) {
  for (const name of texts) if (typeof c[name] === 'string') fields[name].value = c[name];
  for (const name of numbers) if (Number.isFinite(c[name])) put(fields[name], c[name]);
  for (const name of switches) if (typeof c[name] === 'boolean') fields[name].checked = c[name];
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

function values() {
  for (const name of numbers) fields[name].parentElement.querySelector('[data-value]').textContent = fields[name].value;
}

// ground marks the preset that is the background, or none.
function ground() {
  const own = form.querySelector('[data-own]');
  const same = [...fields.preset].find((radio) => radio !== own && radio.value === fields.background.value);
  (same ?? own).checked = true;
  form.querySelector('[data-mixer]').hidden = Boolean(same);
}

const picture = (query, c = config()) => ask(list, `${page.dataset.picture}?${query}`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(c),
});

let shown;

async function draw() {
  const c = config();
  if (c.code === '') {
    problems(list, [{ message: 'There is no code yet. Type or paste some.' }]);
    return;
  }
  const response = await picture('make=svg', c);
  image.classList.toggle('stale', !response);
  if (!response) return;
  fields.language.placeholder = `Detected: ${response.headers.get('X-Language')}`;
  const url = URL.createObjectURL(await response.blob());
  const next = new Image();
  next.src = url;
  await next.decode();
  image.src = url;
  image.hidden = false;
  image.removeAttribute('width');
  image.removeAttribute('height');
  form.querySelector('[data-size]').textContent = `${next.naturalWidth} × ${next.naturalHeight}`;
  if (shown) URL.revokeObjectURL(shown);
  shown = url;
  page.dispatchEvent(new CustomEvent('drawn'));
}

const update = latest(draw, 40);

const mix = mixer(form.querySelector('[data-mixer]'), (css) => {
  fields.background.value = css;
  update();
});

form.addEventListener('input', (event) => {
  if (event.target.dataset.step) event.target.step = event.target.dataset.step;
  values();
  if (event.target.name === 'preset') {
    if (event.target.value) {
      fields.background.value = event.target.value;
      mix.read(event.target.value);
      form.querySelector('[data-mixer]').hidden = true;
    } else {
      form.querySelector('[data-mixer]').hidden = false;
    }
  } else if (event.target.name === 'background') {
    ground();
    mix.read(fields.background.value);
  }
  if (event.target.name !== 'scale') update();
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const kind = event.submitter?.value || 'png';
  const response = await picture(`make=${kind}&scale=${fields.scale.value}`);
  if (!response) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${fileName(fields.windowTitle.value)}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

const fileName = (title) => title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 80) || 'code';

const link = async () => `${location.origin}${page.dataset.here}#${await pack(config())}`;
const api = () => location.origin + page.dataset.api;

copyButton(form.querySelector('[data-copy-link]'), link);
copyButton(form.querySelector('[data-copy-curl]'), () => asCurl(api(), config(), fields.scale.value));
copyButton(form.querySelector('[data-copy-go]'), () => asGo(api(), config(), fields.scale.value));
if (window.ClipboardItem && navigator.clipboard) {
  copyButton(form.querySelector('[data-copy-image]'), () => null, () => {
    const blob = picture(`make=png&scale=${fields.scale.value}`).then((response) => {
      if (!response) throw new Error('no picture');
      return response.blob();
    });
    return navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
  });
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

async function arrive() {
  const text = location.hash.slice(1);
  if (text === '') return;
  try {
    fill(await unpack(text));
    await draw();
  } catch {
    problems(list, [{ message: 'This link is damaged: the picture that it describes cannot be read. Ask for it again, or start with this one.' }]);
  }
}

form.querySelector('[data-plain]').hidden = true;
form.querySelector('[data-requests]').hidden = false;
values();
ground();
mix.read(fields.background.value);
addEventListener('hashchange', arrive);
arrive();
