// What is beside the menu of a viewer, and the menu: the button that copies the
// address, lines and all; and the menu closes when somebody leaves it.

import { copyButton } from './clipboard.js';

const address = document.querySelector('[data-copy-address]');
if (address) copyButton(address, () => location.href);

function leave(event) {
  for (const menu of document.querySelectorAll('.menu[open]')) {
    if (event.key === 'Escape') menu.firstElementChild.focus();
    menu.open = event.key !== 'Escape' && menu.contains(event.target);
  }
}
addEventListener('click', leave);
addEventListener('focusin', leave);
addEventListener('keydown', (event) => { if (event.key === 'Escape') leave(event); });
