// A bar above a list of colour stops, with a handle for each: it is dragged, or
// moved with the arrow keys by 1 %, with Shift by 10 %; Delete removes its stop.

const hex = /^#[0-9a-f]{6,8}$/i;

// stopBar returns what draws the bar again after the list has changed.
export function stopBar(bar, list) {
  const rows = () => [...list.children];
  const fieldsOf = (row) => row.querySelectorAll('input');

  function places() {
    const all = rows().map((row) => fieldsOf(row)[2].value.trim());
    return all.map((text, i) => (text === '' || !Number.isFinite(Number(text)) ? (100 * i) / Math.max(1, all.length - 1) : Number(text)));
  }

  function draw() {
    const at = places();
    const typed = rows().map((row) => fieldsOf(row)[1].value.trim());
    while (bar.children.length > at.length) bar.lastChild.remove();
    while (bar.children.length < at.length) bar.append(handle());
    // While a colour is being typed, its handle keeps the one before.
    const colors = typed.map((c, i) => (hex.test(c) || CSS.supports('color', c) ? c : bar.children[i].style.background || 'gray'));
    let reached = 0;
    [...bar.children].forEach((button, i) => {
      button.style.left = `${Math.min(100, Math.max(0, at[i]))}%`;
      button.style.background = colors[i];
      button.setAttribute('aria-valuenow', Math.round(at[i]));
      button.setAttribute('aria-label', `Position of colour ${i + 1}`);
    });
    bar.style.setProperty('--stops', colors.map((c, i) => {
      reached = Math.max(reached, at[i]);
      return `${c} ${reached}%`;
    }).join(', '));
  }

  function handle() {
    const button = document.createElement('button');
    button.type = 'button';
    for (const [name, value] of [['role', 'slider'], ['aria-valuemin', 0], ['aria-valuemax', 100]]) button.setAttribute(name, value);
    return button;
  }

  // move writes all places down, so that the others stay where they are.
  function move(i, to) {
    const at = places();
    at[i] = Math.min(100, Math.max(0, Math.round(to * 10) / 10));
    rows().forEach((row, k) => { fieldsOf(row)[2].value = Math.round(at[k] * 1e4) / 1e4; });
    draw();
    fieldsOf(rows()[i])[2].dispatchEvent(new Event('input', { bubbles: true }));
  }

  bar.addEventListener('keydown', (event) => {
    const i = [...bar.children].indexOf(event.target);
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (i < 0) return;
    if (step) {
      event.preventDefault();
      move(i, places()[i] + step * (event.shiftKey ? 10 : 1));
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      const remove = rows()[i].querySelector('button');
      if (remove.disabled) return;
      remove.click();
      draw();
      bar.children[Math.min(i, bar.children.length - 1)].focus();
    }
  });
  bar.addEventListener('pointerdown', (event) => {
    const i = [...bar.children].indexOf(event.target);
    if (i < 0) return;
    const box = bar.getBoundingClientRect();
    const drag = (e) => move(i, (100 * (e.clientX - box.left)) / box.width);
    event.target.setPointerCapture(event.pointerId);
    event.target.addEventListener('pointermove', drag);
    event.target.addEventListener('lostpointercapture', () => event.target.removeEventListener('pointermove', drag), { once: true });
  });
  list.addEventListener('input', draw);
  new MutationObserver(draw).observe(list, { childList: true });
  draw();
  return draw;
}
