// What scripts add to the forms that share: a count of characters, a file
// dropped on the text, Ctrl or Cmd with Enter, and a look whether the session
// still lasts before the text is sent.

import { dropped } from './drop.js';

const form = document.querySelector('[data-share]');
const text = form.querySelector('[data-text]');
const count = form.querySelector('[data-count]');
const file = form.querySelector('[data-file]');
const drop = form.querySelector('[data-no-file]');
const limit = Number(text.dataset.text);
const words = count.textContent;
const number = new Intl.NumberFormat('en');

// Characters are code points, as the server counts them, of which no one has
// more than 4 bytes.
const length = (s) => s.length - (s.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
const maxBytes = 4 * limit;

function show(element, message, bad) {
  element.textContent = message;
  element.classList.toggle('problem', bad);
}

function counted() {
  const n = length(text.value);
  const over = n > limit ? `, ${number.format(n - limit)} too many` : '';
  show(count, n === 0 ? words : `${number.format(n)} of ${number.format(limit)} characters${over}`, n > limit);
}

const hint = document.getElementById('file-hint');
const hintWords = hint.textContent;

// A file that cannot fit is not sent at all.
function chosen() {
  const [one] = file.files;
  drop.hidden = !one;
  const large = one !== undefined && one.size > maxBytes;
  const message = large ? `This file has ${number.format(one.size)} bytes. ${number.format(limit)} characters have at most ${number.format(maxBytes)}.` : '';
  file.setCustomValidity(message);
  show(hint, message || hintWords, large);
}

function notice(message, link) {
  const box = document.createElement('p');
  box.className = 'notice bad';
  box.setAttribute('role', 'alert');
  box.append(message);
  if (link) {
    const a = document.createElement('a');
    a.href = link;
    a.target = '_blank';
    a.textContent = 'Sign in in a new tab';
    box.append(' ', a, ', then share here.');
  }
  form.parentElement.querySelector('.notice')?.remove();
  form.before(box);
}

text.addEventListener('input', counted);
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

let sending = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (sending) return;
  sending = true;
  try {
    const response = await fetch(form.action, { method: 'HEAD', redirect: 'manual' });
    if (response.type === 'opaqueredirect') notice('Your session has expired. Your text is still here.', form.action);
    else form.submit();
  } catch {
    notice('The server does not respond. Your text is still here; try again.');
  } finally {
    sending = false;
  }
});

text.placeholder = 'Paste it here, or drop a file';
const shortcut = form.querySelector('[data-shortcut]');
shortcut.textContent = navigator.platform.startsWith('Mac') ? 'or ⌘ + Enter' : 'or Ctrl + Enter';
shortcut.hidden = false;
counted();
chosen();
