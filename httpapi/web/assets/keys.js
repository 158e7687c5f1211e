// Keys of a page, and the sheet that tells them.

// keys calls the function of a key where nobody types.
export function keys(functions) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input:not([type=checkbox]), textarea, select, dialog')) return;
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
