import { live } from './live.js';
import { stops } from './stops.js';

const canvas = document.querySelector('[data-canvas]');
const { form, update } = live((result) => {
  canvas.replaceChildren();
  canvas.style.background = result.css;
});

const angle = form.querySelector('[name=angle]');
const slider = form.querySelector('[data-twin]');
slider.hidden = false;
slider.addEventListener('input', () => { angle.value = slider.value; });
angle.addEventListener('input', () => { slider.value = angle.value; });

const list = form.querySelector('[data-stops]');
stops(list, {
  most: 10,
  least: 2,
  adder: form.querySelector('[name=add]'),
  changed: update,
  make: (last) => {
    const row = last.cloneNode(true);
    row.querySelector('[name=position]').value = '';
    return row;
  },
});

// The angle is of no use to a radial gradient.
const box = form.querySelector('[data-angle]');
const shape = () => { box.hidden = form.elements.type.value === 'radial'; };
form.addEventListener('change', shape);
shape();
