// Results that follow a form while somebody types.

import { copyButton } from './clipboard.js';

// latest calls work for the newest of the values that it is given, after pause
// milliseconds of rest, and then again if a newer value came meanwhile.
export function latest(work, pause) {
  let timer;
  let running = false;
  let again = false;
  async function run() {
    again = running;
    if (running) return;
    running = true;
    try {
      await work();
    } finally {
      running = false;
      if (again) run();
    }
  }
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, pause);
  };
}

// wait returns after the seconds that a response asks for.
export function wait(response) {
  const seconds = Math.min(60, Number(response.headers.get('Retry-After')) || 1);
  return new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
}

// complaints returns a function that tells what is wrong with a form: under each
// field at fault, once it was left or at once, and the rest in the list of the
// form. It takes faults, each with a message and perhaps a field such as
// colors[2].
export function complaints(form) {
  const list = form.querySelector('[data-faults]');
  let all = [];
  let typed; // the field that somebody types into

  function placeOf(field = '') {
    const [, name, index] = /^([^[]*)(?:\[(\d+)\])?/.exec(field);
    return form.querySelectorAll(`[data-wrong~="${name}"]`)[index ?? 0];
  }

  function show() {
    const told = new Map(all.map((p) => [placeOf(p.field), p.message]));
    for (const place of form.querySelectorAll('[data-wrong]')) {
      const field = form.querySelector(`[aria-describedby~="${place.id}"]`);
      const message = field === typed && !('atOnce' in place.dataset) ? '' : told.get(place) ?? place.dataset.local ?? '';
      if (place.textContent !== message) place.textContent = message;
      if (message) field?.setAttribute('aria-invalid', 'true');
      else field?.removeAttribute('aria-invalid');
    }
    const rest = all.filter((p) => !placeOf(p.field));
    list.replaceChildren(...rest.map((p) => {
      const item = document.createElement('p');
      item.textContent = p.message;
      return item;
    }));
    list.hidden = rest.length === 0;
  }

  form.addEventListener('input', (event) => { typed = event.target; }, { capture: true });
  for (const left of ['focusout', 'change']) {
    form.addEventListener(left, () => {
      typed = undefined;
      show();
    });
  }
  return (faults) => {
    all = faults;
    show();
  };
}

const busyMessage = { message: 'This was a lot at once. It goes on by itself in a moment.' };
const largeMessage = { message: 'The code is too long: the studio takes 50,000 characters of code.' };
const awayMessage = { message: 'The server does not respond. Your text is still here; change it to try again.' };

// longestWait is the time in milliseconds after which a request is given up, so
// that it does not hold back the next one.
const longestWait = 60_000;

// ask sends a request until there is a response, and returns it, or null after
// tell was given what is wrong.
export async function ask(tell, url, options = {}) {
  let response;
  try {
    response = await fetch(url, { ...options, signal: AbortSignal.timeout(longestWait) });
  } catch {
    tell([awayMessage]);
    return null;
  }
  if (response.status === 429 || response.status === 503) {
    tell([busyMessage]);
    await wait(response);
    return ask(tell, url, options);
  }
  if (response.status === 400 && response.headers.get('Content-Type')?.startsWith('application/json')) {
    tell((await response.json()).faults);
    return null;
  }
  if (!response.ok) {
    tell([response.status === 413 ? largeMessage : awayMessage]);
    return null;
  }
  tell([]);
  return response;
}

// live makes the results of a page follow its form. changed is called with each
// result.
export function live(changed = () => {}) {
  const form = document.querySelector('[data-live]');
  const tell = complaints(form);
  const results = form.querySelector('.results');
  for (const button of form.querySelectorAll('[data-copy-from]')) {
    copyButton(button, () => form.querySelector(`[data-out="${button.dataset.copyFrom}"]`).textContent);
  }
  const update = latest(async () => {
    const query = new URLSearchParams(new FormData(form)).toString();
    const response = await ask(tell, `${form.action}?${query}`, { headers: { Accept: 'application/json' } });
    results.classList.toggle('stale', !response);
    if (!response) return;
    results.classList.remove('empty');
    const result = await response.json();
    for (const out of form.querySelectorAll('[data-out]')) {
      out.textContent = out.dataset.out.split('.').reduce((value, key) => value[key], result);
    }
    history.replaceState(null, '', `?${query}`);
    changed(result);
  }, 100);
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    update();
  });
  return { form, tell, update };
}
