import { live } from './live.js';
import { fresh, stops } from './stops.js';

const canvas = document.querySelector('[data-canvas]');
const { form, update } = live((result) => {
  canvas.replaceChildren();
  canvas.style.background = result.css;
});

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
  make: () => {
    const row = list.lastElementChild.cloneNode(true);
    row.querySelector('[name=position]').value = '';
    row.querySelector('[name=color]').value = fresh(adder.dataset.palette.split(' '), [...list.children]);
    row.querySelector('[data-pick]').value = row.querySelector('[name=color]').value;
    list.append(row);
    return row;
  },
});

// The angle is of no use to a radial gradient.
const box = form.querySelector('[data-angle]');
const shape = () => { box.hidden = form.elements.type.value === 'radial'; };
form.addEventListener('change', shape);
shape();
