// Undo and redo of everything that a form holds.

// undoable takes the state of a form from read, as text, and gives it back to
// write. The function that it returns notes the state after a change.
export function undoable(read, write, undo, redo) {
  const past = [];
  let now = read();
  let ahead = [];

  function show() {
    undo.disabled = past.length === 0;
    redo.disabled = ahead.length === 0;
  }

  function note() {
    const next = read();
    if (next === now) return;
    past.push(now);
    now = next;
    ahead = [];
    show();
  }

  function go(from, to) {
    note();
    if (from.length === 0) return;
    to.push(now);
    now = from.pop();
    write(now);
    show();
  }

  undo.addEventListener('click', () => go(past, ahead));
  redo.addEventListener('click', () => go(ahead, past));
  return note;
}
