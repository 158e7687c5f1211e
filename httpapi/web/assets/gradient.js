import { live } from './live.js';
import { added, isColor, stops } from './stops.js';

const canvas = document.querySelector('[data-canvas]');
let known = []; // the colours of the last result, as the API wants them
const { form, update } = live((result) => {
  canvas.replaceChildren();
  canvas.style.background = result.css;
  known = result.colors;
  write();
});

// write puts colours into the form as the API wants them, but not where somebody
// types.
function write() {
  const rows = [...form.querySelector('[data-stops]').children];
  if (rows.length !== known.length) return;
  rows.forEach((row, i) => {
    const [pick, text] = row.querySelectorAll('input');
    pick.value = known[i];
    if (text !== document.activeElement && isColor(text.value)) text.value = known[i];
  });
}

const angle = form.querySelector('[name=angle]');
const slider = form.querySelector('[data-twin]');
slider.addEventListener('input', () => { angle.value = slider.value; });
angle.addEventListener('input', () => { slider.value = angle.value; });

const list = form.querySelector('[data-stops]');
const adder = form.querySelector('[name=add]');
stops(list, {
  most: 10,
  least: 2,
  adder,
  changed: update,
  make: () => added(list, adder.dataset.palette.split(' '), (color, position) => {
    const row = list.lastElementChild.cloneNode(true);
    row.querySelector('.wrong').removeAttribute('id');
    row.querySelector('[name=position]').value = position;
    row.querySelector('[name=color]').value = color;
    row.querySelector('[data-pick]').value = color;
    return row;
  }),
});

list.addEventListener('change', () => setTimeout(write));

// The angle is of no use to a radial gradient.
const box = form.querySelector('[data-angle]');
const shape = () => { box.hidden = form.elements.type.value === 'radial'; };
form.addEventListener('change', shape);
shape();
