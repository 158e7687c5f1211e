// Results that follow a form while somebody types.

import { copyButton } from './clipboard.js';

// latest calls work for the newest of the values that it is given: one call at
// a time, not before pause milliseconds of rest.
export function latest(work, pause) {
  let timer;
  let busy = false;
  let waiting = false;
  const run = async () => {
    if (busy) {
      waiting = true;
      return;
    }
    busy = true;
    waiting = false;
    try {
      await work();
    } finally {
      busy = false;
      if (waiting) run();
    }
  };
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, pause);
  };
}

// wait returns after the seconds that an answer asks for.
export function wait(response) {
  const seconds = Math.min(60, Number(response.headers.get('Retry-After')) || 1);
  return new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
}

// problems shows what is wrong, or nothing.
export function problems(list, all) {
  list.replaceChildren(...all.map((p) => {
    const item = document.createElement('p');
    item.textContent = p.message;
    return item;
  }));
  list.hidden = all.length === 0;
}

const busyMessage = { message: 'This was a lot at once. It goes on by itself in a moment.' };
const largeMessage = { message: 'That is more than fits: the studio takes 50,000 characters of code.' };
const awayMessage = { message: 'The server does not answer. Your text is still here; change it to try again.' };

// ask sends a request until it is answered, and returns the answer, or null
// after it has shown what is wrong.
export async function ask(list, url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    problems(list, [awayMessage]);
    return null;
  }
  if (response.status === 429 || response.status === 503) {
    problems(list, [busyMessage]);
    await wait(response);
    return ask(list, url, options);
  }
  if (response.status === 400 && response.headers.get('Content-Type')?.startsWith('application/json')) {
    problems(list, (await response.json()).problems);
    return null;
  }
  if (!response.ok) {
    problems(list, [response.status === 413 ? largeMessage : awayMessage]);
    return null;
  }
  problems(list, []);
  return response;
}

// live makes the results of a page follow its form. changed is called with each
// result.
export function live(changed = () => {}) {
  const form = document.querySelector('[data-live]');
  const list = form.querySelector('[data-problems]');
  const results = form.querySelector('.results');
  form.querySelector('[data-plain]').hidden = true;
  for (const button of form.querySelectorAll('[data-copy-from]')) {
    copyButton(button, () => form.querySelector(`[data-out="${button.dataset.copyFrom}"]`).textContent);
  }
  const update = latest(async () => {
    const query = new URLSearchParams(new FormData(form)).toString();
    const response = await ask(list, `${form.action}?${query}`, { headers: { Accept: 'application/json' } });
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
  return { form, update };
}
