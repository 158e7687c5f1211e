// The viewer of code. A document has no lines: a link to one leads to the source.

import { copyButton } from './clipboard.js';

const box = document.getElementById('wrap');
if (box) {
  const [{ lines, place }, { wrap }, { keys }] = await Promise.all([import('./lines.js'), import('./wrap.js'), import('./keys.js')]);
  keys({
    w: wrap(box, lines, (turn) => {
      const back = place();
      turn();
      back();
    }),
  });
} else {
  if (/^#L\d/.test(location.hash)) location.replace(`?view=source${location.hash}`);
  const page = document.querySelector('.viewer');
  copyButton(page.querySelector('[data-copy]'), async () => {
    const response = await fetch(page.dataset.raw);
    if (!response.ok) throw new Error(response.status);
    return response.text();
  });
}
