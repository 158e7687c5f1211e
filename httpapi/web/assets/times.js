// The histogram of a log: one stop of the Tab key, in which arrows move. Bars
// that are dragged over, or chosen with the shift key, leave only their lines in
// sight.

import { ranges } from './hidden.js';

export function times(figure, form, between) {
  if (!figure) return;
  const bars = [...figure.querySelectorAll('a[aria-label]')];
  const whole = figure.querySelector('[data-whole]');
  const first = bars.map((bar) => Number(bar.getAttribute('href').split('#L')[1]));
  let start = 0;

  // linesOf returns the lines from the first one of a bar to those of a later one.
  function linesOf(i, k) {
    const from = Math.min(...first.slice(i, k + 1));
    const next = first.slice(k + 1).find((line) => line > from);
    return `${from}-${next ? next - 1 : figure.dataset.lines}`;
  }

  // mark shows which bars are chosen.
  function mark() {
    const chosen = ranges(form.elements.lines.value);
    bars.forEach((bar, i) => bar.toggleAttribute('data-out', chosen.length > 0 && !chosen.some(([from, to]) => from <= first[i] && first[i] <= to)));
    whole.hidden = chosen.length === 0;
  }

  function choose(i, k) {
    between(linesOf(Math.min(i, k), Math.max(i, k)));
    mark();
  }

  function clear() {
    between('');
    mark();
  }

  function focus(i) {
    for (const bar of bars) bar.setAttribute('tabindex', bar === bars[i] ? '0' : '-1');
    bars[i].focus();
  }

  bars.forEach((bar, i) => {
    bar.setAttribute('tabindex', i === 0 ? '0' : '-1');
    bar.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') clear();
      const next = i + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
      if (next === i || !bars[next]) return;
      event.preventDefault();
      if (!event.shiftKey) start = next;
      else choose(start, next);
      focus(next);
    });
  });

  // at returns the bar that is nearest to the pointer.
  function at(event) {
    const middles = bars.map((bar) => bar.getBoundingClientRect()).map((box) => Math.abs((box.left + box.right) / 2 - event.clientX));
    return middles.indexOf(Math.min(...middles));
  }

  const drawing = figure.querySelector('svg');
  let from = -1;
  let dragged = false;
  drawing.addEventListener('dragstart', (event) => event.preventDefault());
  drawing.addEventListener('pointerdown', (event) => {
    from = at(event);
    dragged = false;
  });
  drawing.addEventListener('pointermove', (event) => {
    if (from < 0) return;
    const to = at(event);
    if (to === from && !dragged) return;
    dragged = true;
    drawing.setPointerCapture(event.pointerId);
    bars.forEach((bar, i) => bar.toggleAttribute('data-out', i < Math.min(from, to) || i > Math.max(from, to)));
  });
  drawing.addEventListener('pointerup', (event) => {
    if (dragged) choose(from, at(event));
    from = -1;
  });
  drawing.addEventListener('pointercancel', () => {
    from = -1;
    mark();
  });
  drawing.addEventListener('click', (event) => { if (dragged) event.preventDefault(); }, true);
  whole.addEventListener('click', (event) => {
    event.preventDefault();
    clear();
  });
  form.addEventListener('clear', mark);
  mark();
}
