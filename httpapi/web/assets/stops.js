// A list of colour stops that can be changed: on the gradient page and in the
// studio. A row has a picker, a colour as text, a position, a button that
// removes it, and a place to say what is wrong.

const hex = /^#[0-9a-f]{6}$/i;

export const isColor = (text) => CSS.supports('color', text.trim()) && !/^(currentcolor|inherit|initial|unset|revert|revert-layer)$/i.test(text.trim());

// stops takes care of a list. make adds a row and returns it; changed is called
// after every change that leaves nothing but colours.
export function stops(list, { most, least, make, changed, adder }) {
  const rows = () => [...list.children];
  let made = 0;

  function tidy() {
    const all = rows();
    all.forEach((row, i) => {
      const [pick, text, place] = row.querySelectorAll('input');
      const remove = row.querySelector('button');
      const wrong = row.querySelector('.wrong');
      pick.setAttribute('aria-label', `Pick colour ${i + 1}`);
      text.setAttribute('aria-label', `Colour ${i + 1}`);
      place.setAttribute('aria-label', `Position of colour ${i + 1} in percent`);
      remove.setAttribute('aria-label', `Remove colour ${i + 1}`);
      remove.disabled = all.length <= least;
      wrong.id ||= `stop-${made++}-wrong`;
      text.setAttribute('aria-describedby', wrong.id);
    });
    adder.disabled = all.length >= most;
  }

  function complain(row, message) {
    const text = row.querySelectorAll('input')[1];
    const wrong = row.querySelector('.wrong');
    wrong.textContent = message;
    if (message) wrong.dataset.local = message;
    else delete wrong.dataset.local;
    if (message) text.setAttribute('aria-invalid', 'true');
    else text.removeAttribute('aria-invalid');
  }

  list.addEventListener('input', (event) => {
    const row = event.target.closest('li');
    const [pick, text] = row.querySelectorAll('input');
    if (event.target === pick) text.value = pick.value;
    if (event.target === text && hex.test(text.value)) pick.value = text.value;
    if (isColor(text.value)) complain(row, '');
    if (rows().every((one) => isColor(one.querySelectorAll('input')[1].value))) changed();
    else event.stopPropagation();
  });
  list.addEventListener('focusout', (event) => {
    const row = event.target.closest('li');
    const [, text] = row.querySelectorAll('input');
    if (event.target === text && !isColor(text.value)) complain(row, `Colour ${rows().indexOf(row) + 1} must be a CSS colour, such as #f00 or red.`);
  });
  list.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    event.preventDefault();
    const row = button.closest('li');
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    tidy();
    next?.querySelector('button').focus();
    changed();
  });
  adder.addEventListener('click', (event) => {
    event.preventDefault();
    const row = make();
    tidy();
    row.querySelectorAll('input')[1].focus();
    changed();
  });
  tidy();
  return { rows, tidy };
}

// added puts a row with a new colour where it is seen: behind the last, or, where
// all have a place, in the middle of the widest gap. make returns a row.
export function added(list, palette, make) {
  const rows = [...list.children];
  const [used, places] = [1, 2].map((i) => rows.map((row) => row.querySelectorAll('input')[i].value.trim().toLowerCase()));
  const color = palette.find((one) => !used.includes(one)) ?? palette[0];
  const at = places.map(Number);
  if (rows.length < 2 || places.includes('') || !at.every(Number.isFinite)) {
    const row = make(color, '');
    list.append(row);
    return row;
  }
  const gaps = at.slice(1).map((to, i) => to - at[i]);
  const before = gaps.indexOf(Math.max(...gaps));
  const row = make(color, Math.round((at[before] + at[before + 1]) * 5) / 10);
  rows[before].after(row);
  return row;
}
