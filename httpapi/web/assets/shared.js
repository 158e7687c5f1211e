// What was just shared: a button that copies its link, an address without the
// mark of that, for whoever copies it from the browser, and the link that deletes
// it, which this device remembers.

import { copyButton } from './clipboard.js';
import { remember } from './mine.js';

const button = document.querySelector('[data-copy-link]');
copyButton(button, () => button.previousElementSibling.textContent);
history.replaceState(null, '', location.pathname + location.hash);

const link = document.querySelector('[data-delete]');
if (link) {
  const { pathname: path, search } = new URL(link.href);
  remember({ path: link.dataset.delete, key: location.hash, remove: path + search, title: document.querySelector('h1').textContent, expires: link.dataset.expires });
  document.querySelector('[data-remembered]').textContent = 'This device remembers it, and lists it on the start page.';
}
