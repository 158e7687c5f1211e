// A snippet in a frame of another page: its copy button, and the files of a diff.

import { copyButton } from './clipboard.js';
import { patch } from './patch.js';

const rows = [...document.querySelectorAll('.lines p')];
const files = [...document.querySelectorAll('.files a')];
if (files.length > 0) patch(document.querySelector('.lines'), rows, files);
copyButton(document.querySelector('[data-copy]'), () => rows.map((line) => line.textContent).join('\n'));
