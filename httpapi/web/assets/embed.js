// The copy button of a snippet in a frame of another page.

import { copyButton } from './clipboard.js';

copyButton(document.querySelector('[data-copy]'), () => [...document.querySelectorAll('.lines p')].map((line) => line.textContent).join('\n'));
