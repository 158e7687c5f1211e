// The editor of a background: a kind, an angle and colour stops become CSS, and
// CSS that is as simple becomes those.

import { added, stops } from './stops.js';

export function mixer(box, changed) {
  const kind = box.querySelector('[data-kind]');
  const turn = box.querySelector('[data-turn]');
  const angle = turn.querySelector('input');
  const list = box.querySelector('[data-stops]');
  const template = box.querySelector('[data-stop]');
  const adder = box.querySelector('[data-add]');
  const palette = adder.dataset.palette.split(' ');

  function row(color, position) {
    const made = template.content.firstElementChild.cloneNode(true);
    made.querySelector('[data-color]').value = color;
    made.querySelector('[data-position]').value = position;
    if (/^#[0-9a-f]{6}$/i.test(color)) made.querySelector('[data-pick]').value = color;
    return made;
  }

  const add = () => added(list, palette, row);

  function css() {
    const all = editor.rows().map((item) => ({
      color: item.querySelector('[data-color]').value.trim(),
      position: item.querySelector('[data-position]').value.trim(),
    }));
    if (kind.value === 'color') return all[0].color;
    const written = all.map((stop) => (stop.position === '' ? stop.color : `${stop.color} ${stop.position}%`)).join(', ');
    if (kind.value === 'linear') return `linear-gradient(${Number(angle.value)}deg, ${written})`;
    return kind.value === 'radial' ? `radial-gradient(circle, ${written})` : `conic-gradient(from ${Number(angle.value)}deg, ${written})`;
  }

  function tell() {
    shape();
    changed(css());
  }

  function shape() {
    turn.hidden = kind.value === 'radial' || kind.value === 'color';
    box.classList.toggle('single', kind.value === 'color');
  }

  // read takes CSS over, unless it is beyond what the editor can write.
  function read(text) {
    const color = /^\s*(#[0-9a-f]{3,8}|[a-z]+)\s*$/i.exec(text);
    const gradient = /^\s*(linear|radial|conic)-gradient\(\s*(?:(?:from\s+)?(-?[\d.]+)deg\s*,|circle\s*,)?([^()]*)\)\s*$/i.exec(text);
    if (!color && !gradient) return;
    const parts = color ? [color[1]] : gradient[3].split(',');
    const found = parts.map((part) => /^\s*(#[0-9a-f]{3,8}|[a-z]+)(?:\s+(-?[\d.]+)%)?\s*$/i.exec(part));
    if (found.some((part) => !part)) return;
    kind.value = color ? 'color' : gradient[1].toLowerCase();
    if (gradient?.[2] !== undefined) angle.value = gradient[2];
    list.replaceChildren(...found.map((part) => row(part[1], part[2] ?? '')));
    editor.tidy();
    shape();
  }

  const editor = stops(list, {
    most: 10,
    least: 1,
    adder,
    changed: tell,
    make: add,
  });
  kind.addEventListener('change', () => {
    if (kind.value !== 'color' && editor.rows().length === 1) {
      add();
      editor.tidy();
    }
    tell();
  });
  angle.addEventListener('input', tell);
  return { read };
}
