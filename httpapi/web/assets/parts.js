// A log of which the page shows a part: the server searches, and finds lines that
// are in other parts.

import { say } from './clipboard.js';
import { here, lines, numberOf, show } from './lines.js';

export function parts(form) {
  const send = () => form.requestSubmit();
  for (const chip of form.querySelectorAll('[data-level]')) chip.addEventListener('change', send);
  form.elements.raw?.addEventListener('change', send);

  // seek goes to the part with the line of the address.
  function seek() {
    const line = /^#L(\d+)/.exec(location.hash)?.[1];
    if (!line || document.getElementById(`L${line}`)) return;
    if (new URLSearchParams(location.search).get('line') !== line) location.replace(`?line=${line}${location.hash}`);
  }
  addEventListener('hashchange', seek);
  seek();

  // step goes to the next line that was found, or to the one before.
  function step(back) {
    const hits = lines.hasAttribute('data-searched') ? [...lines.querySelectorAll('p[id]')] : [];
    if (hits.length === 0) return;
    const from = here();
    const line = back
      ? hits.findLast((hit) => numberOf(hit) < from) ?? hits.at(-1)
      : hits.find((hit) => numberOf(hit) > from) ?? hits[0];
    show(line);
    say(`Match ${hits.indexOf(line) + 1} of ${hits.length}, line ${numberOf(line)}`);
  }

  // between chooses the lines of some ranges, '' for all.
  function between(text) {
    form.elements.lines.value = text;
    send();
  }
  return { between, resize: (change) => change(), step, search: () => form.elements.q.select() };
}
