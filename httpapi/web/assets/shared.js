// The link of what was just shared: a button that copies it, and an address
// without the mark of that, for whoever copies it from the browser.

import { copyButton } from './clipboard.js';

const button = document.querySelector('[data-copy-link]');
copyButton(button, () => button.previousElementSibling.textContent);
history.replaceState(null, '', location.pathname + location.hash);
