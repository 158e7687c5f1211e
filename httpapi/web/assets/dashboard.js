// What scripts add to the dashboard: buttons that copy.

import { copyButton } from './clipboard.js';

for (const button of document.querySelectorAll('[data-copy]')) {
  copyButton(button, () => button.previousElementSibling.textContent);
}
