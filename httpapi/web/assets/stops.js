// A list of colour stops that can be changed: on the gradient page and in the
// studio.

const hex = /^#[0-9a-f]{6}$/i;

// stops takes care of a list. make returns a new row, changed is called after
// every change.
export function stops(list, { most, least, make, changed, adder }) {
  const rows = () => [...list.children];

  function tidy() {
    const all = rows();
    all.forEach((row, i) => {
      const [pick, text, place] = row.querySelectorAll('input');
      const remove = row.querySelector('button');
      pick.setAttribute('aria-label', `Pick colour ${i + 1}`);
      text.setAttribute('aria-label', `Colour ${i + 1}`);
      place.setAttribute('aria-label', `Position of colour ${i + 1} in percent`);
      remove.setAttribute('aria-label', `Remove colour ${i + 1}`);
      remove.value = i + 1;
      remove.disabled = all.length <= least;
    });
    adder.disabled = all.length >= most;
  }

  list.addEventListener('input', (event) => {
    const row = event.target.closest('li');
    const [pick, text] = row.querySelectorAll('input');
    if (event.target === pick) text.value = pick.value;
    if (event.target === text && hex.test(text.value)) pick.value = text.value;
    changed();
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
    const last = rows().at(-1);
    const row = make(last);
    list.append(row);
    tidy();
    row.querySelectorAll('input')[1].focus();
    changed();
  });
  for (const pick of list.querySelectorAll('[data-pick]')) pick.hidden = false;
  tidy();
  return { rows, tidy };
}
