import { curve } from './curve.js';
import { live } from './live.js';
import { stopBar } from './stopbar.js';
import { added, isColor, stops } from './stops.js';

const canvas = document.querySelector('[data-canvas]');
let known = []; // the colours of the last result, as the API wants them
const { form, update } = live((result) => {
  canvas.replaceChildren();
  canvas.style.background = result.css;
  known = result.colors;
  write();
  bar();
  compare();
  const link = document.querySelector('[data-studio]');
  link.href = `${link.dataset.studio}#${result.studio}`;
  link.hidden = result.studio === '';
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
const bar = stopBar(form.querySelector('[data-bar]'), list);

// Buttons that change all colours ask the server, which puts the result into the
// form; the address then says what is in it.
for (const button of form.querySelectorAll('[name=do]')) {
  button.addEventListener('click', (event) => {
    event.preventDefault();
    const query = new URLSearchParams(new FormData(form));
    query.set('do', button.value);
    location.search = query;
  });
}
if (/[?&](do|css)=/.test(location.search)) update();

// Each space shows the colours in it, so that the best is found by looking.
const strips = [...form.querySelectorAll('[data-space]')];
function compare() {
  const colors = [...form.querySelectorAll('[name=color]')].map((field) => field.value.trim());
  if (!colors.every(isColor)) return;
  for (const strip of strips) strip.style.background = `linear-gradient(90deg in ${strip.dataset.space}, ${colors.join(', ')})`;
}
compare();

curve(form.querySelector('[data-curve]'), form.elements.easing);

// The angle is of no use to a radial gradient, nor a way of hues to spaces
// without one.
const box = form.querySelector('[data-angle]');
const hue = form.querySelector('[data-hue]');
const shape = () => {
  box.hidden = form.elements.type.value === 'radial';
  hue.hidden = !['oklch', 'lch', 'hsl', 'hwb'].includes(form.elements.space.value);
};
form.addEventListener('change', shape);
shape();
