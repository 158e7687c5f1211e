// What scripts add to the dashboard: buttons that copy, a box that ticks all, and
// forms that are sent once.

import { copyButton } from './clipboard.js';
import { once } from './once.js';

history.replaceState(null, ''); // whoever comes back to a form that was sent does not send it again

for (const form of document.querySelectorAll('form[method=post]')) once(form);

for (const button of document.querySelectorAll('[data-copy]')) {
  copyButton(button, () => button.previousElementSibling.textContent);
}

for (const all of document.querySelectorAll('[data-all]')) {
  const boxes = [...all.form.querySelectorAll('input[name=share]')];
  all.hidden = false;
  all.addEventListener('change', () => { for (const box of boxes) box.checked = all.checked; });
  all.form.addEventListener('change', () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  });
}
