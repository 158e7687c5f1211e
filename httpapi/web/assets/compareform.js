// The form for two logs offers those that were shared on this device. A log that
// is pasted into a field is shared for an hour when the form is sent.

import { remember, shares } from './mine.js';

document.getElementById('mine').append(...shares().filter(({ path, key }) => path.includes('/logs/') && !key).map(({ path, title }) => {
  const option = document.createElement('option');
  option.value = path;
  option.label = title;
  return option;
}));

const form = document.querySelector('.two');
const pasted = new Map(); // from a field to its log, and how the field names it

for (const field of form.dataset.share ? [form.elements.a, form.elements.b] : []) {
  field.addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text').trim();
    if (!text.includes('\n')) return;
    event.preventDefault();
    field.value = `Pasted log, ${text.split('\n').length.toLocaleString('en')} lines`;
    pasted.set(field, { text, name: field.value });
  });
  field.addEventListener('input', () => {
    if (field.value !== pasted.get(field)?.name) pasted.delete(field);
  });
}

// share shares a log, and returns the path of its page.
async function share(text) {
  const data = new FormData();
  for (const [name, value] of Object.entries({ text, kind: 'log', expiry: '1h', title: 'Pasted to compare' })) data.set(name, value);
  const response = await fetch(form.dataset.share, { method: 'POST', body: data, headers: { Accept: 'text/html' } });
  if (!response.ok || !response.redirected) throw new Error(response.status);
  const { pathname: path, searchParams } = new URL(response.url);
  const token = searchParams.get('shared');
  if (token) remember({ path, key: '', remove: `${path}/delete?token=${encodeURIComponent(token)}`, title: 'Pasted to compare', expires: new Date(Date.now() + 3_600_000).toISOString() });
  return path;
}

form.addEventListener('submit', async (event) => {
  if (pasted.size === 0) return;
  event.preventDefault();
  for (const [field, { text }] of pasted) {
    try {
      field.value = await share(text);
      pasted.delete(field);
    } catch {
      document.getElementById(`${field.name}-wrong`).textContent = 'This log could not be shared: it is too long, or too much was shared. Try again later.';
      return;
    }
  }
  form.requestSubmit();
});
