// Keys of a page, and the sheet that tells them.

const place = 'devkiln.keys';

// offer adds a switch for single keys to the foot of the page: who speaks to the
// browser, or touches keys by mistake, does without them.
function offer() {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = localStorage.getItem(place) !== 'off';
  box.addEventListener('change', () => localStorage.setItem(place, box.checked ? 'on' : 'off'));
  label.append(box, ' Single-key shortcuts');
  document.querySelector('.foot')?.append(label);
  return box;
}

// keys calls the function of a key unless a control has the focus.
export function keys(functions) {
  const box = offer();
  addEventListener('keydown', (event) => {
    if (!box.checked || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select, button, summary, dialog')) return;
    const act = functions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// sheet makes a button open a dialog, and returns what opens it.
export function sheet(button, dialog) {
  const open = () => dialog.showModal();
  button.hidden = false;
  button.addEventListener('click', open);
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  return open;
}
