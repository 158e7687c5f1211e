// Copying, and saying that it worked.

const said = document.createElement('div');
said.className = 'unseen';
said.setAttribute('role', 'status');
document.body.append(said);

// say tells what happened to who cannot see it.
export function say(text) {
  said.textContent = '';
  setTimeout(() => { said.textContent = text; }, 50);
}

const mark = '\ufeff'; // one at the start of a blob is taken for its encoding, and is lost

// copyText puts text, or the text that a promise brings, on the clipboard.
// Pages without https have no clipboard API, and frames may not use it: there a
// selection is copied.
export async function copyText(text) {
  if (navigator.clipboard && window.ClipboardItem && typeof text !== 'string') {
    const blob = Promise.resolve(text).then((t) => new Blob([t.startsWith(mark) ? mark : '', t], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return;
  }
  const plain = await text;
  const written = await navigator.clipboard?.writeText(plain).then(() => true, () => false);
  if (written) return;
  const area = document.createElement('textarea');
  area.value = plain;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('copying was refused');
}

// copyButton makes a button copy what get returns.
export function copyButton(button, get, copy = copyText) {
  button.hidden = false;
  const label = button.querySelector('span') ?? button;
  const words = label.textContent;
  let timer;
  const show = (text, done) => {
    label.textContent = text;
    button.classList.toggle('done', done);
    say(text);
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.textContent = words;
      button.classList.remove('done');
    }, 2000);
  };
  button.addEventListener('click', async () => {
    try {
      await copy(get());
      show('Copied', true);
    } catch {
      show('Not copied', false);
    }
  });
}
