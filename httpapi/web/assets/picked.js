// The bar for a range of lines: what can be done with them.

import { copyButton } from './clipboard.js';
import { pack } from './fragment.js';

const mostCode = 50_000; // characters of a picture

function button(words) {
  const b = document.createElement('button');
  b.type = 'button';
  b.textContent = words;
  return b;
}

// bar returns a function that shows the bar for the lines from one number to
// another, or hides it where there is but one that nobody has pressed. text returns
// their text, leave is called when the bar is closed, and extend when the next press
// is to choose the last line: not everybody has a shift key.
export function bar(viewer, text, leave, extend) {
  const box = document.createElement('div');
  box.className = 'picked';
  box.setAttribute('role', 'group');
  box.hidden = true;
  const title = document.createElement('span');
  const copy = button('Copy text');
  const link = button('Copy link');
  const picture = button('Screenshot');
  const more = button('Select to…');
  const close = button('×');
  close.setAttribute('aria-label', 'Clear selection');
  close.title = 'Clear selection';
  box.append(title, copy, link, picture, more, close);
  viewer.append(box);

  copyButton(copy, text);
  copyButton(link, () => location.href);
  picture.addEventListener('click', async () => {
    const settings = { code: (await text()).slice(0, mostCode), language: viewer.dataset.language ?? 'text', windowTitle: document.querySelector('h1').textContent.slice(0, 200) };
    location.href = `${viewer.dataset.studio}#${await pack(settings)}`;
  });
  close.addEventListener('click', leave);
  more.addEventListener('click', () => {
    title.textContent = 'Press the last line’s number';
    extend();
  });

  return (from, to, pressed) => {
    const one = from === to;
    box.hidden = one && !pressed;
    picture.hidden = one;
    more.hidden = !one;
    title.textContent = one ? `Line ${from.toLocaleString('en')}` : `Lines ${from.toLocaleString('en')}–${to.toLocaleString('en')}`;
    box.setAttribute('aria-label', title.textContent);
  };
}
