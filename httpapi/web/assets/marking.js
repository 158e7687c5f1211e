// Lines of the picture are marked at their numbers: by a click, by Shift and a
// click for all from the last one on, or with the keys of a number field.

const mostLines = 5000; // of a picture

// parse reads a list of lines such as 3,7-9.
function parse(text) {
  const lines = new Set();
  for (const part of text.split(',')) {
    const [from, to = from] = part.split('-').map(Number);
    for (let n = from; n > 0 && n <= Math.min(to, from + mostLines); n++) lines.add(n);
  }
  return lines;
}

function format(lines) {
  const ranges = [];
  for (const n of [...lines].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else ranges.push([n, n]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');
}

// rowsOf reads an SVG of ours: the number of each row and its middle, and where
// the numbers begin and end. What a patch deletes has no number of its own.
function rowsOf(svg, patch) {
  const rows = [];
  let left = Infinity;
  for (const [, y, size, spans] of svg.matchAll(/<text y="([\d.]+)" font-size="([\d.]+)" class="n">(.*?)<\/text>/g)) {
    const [, x, text] = /<tspan x="([\d.]+)"[^>]*>([^<]*)/.exec(spans);
    const number = Number(text.split(' ').at(-1));
    if (!number || (patch && spans.includes('>-<'))) continue;
    rows.push({ number, y: y - size * 0.35 });
    left = Math.min(left, x - 8);
  }
  const code = /<text y="[\d.]+" font-size="[\d.]+"><tspan x="([\d.]+)"/.exec(svg);
  const width = Number(/ viewBox="0 0 ([\d.]+)/.exec(svg)?.[1]);
  return { rows, width, left: Math.max(0, left), right: Number(code?.[1] ?? left + 40) };
}

// marking lets somebody mark the lines of an image: as what modes, a
// select, says, in the field of that name. changed is called after a change. The
// function that it returns takes the SVG that the image shows.
export function marking(image, gutter, modes, fields, changed) {
  const cursor = gutter.querySelector('i');
  let shown = { rows: [] };
  let half = 0; // of a row
  let at = 0; // the row that the keys are at
  let anchor;

  const zoom = () => image.clientWidth / shown.width;
  // put moves an element without shifting the layout.
  const put = (element, left, top, height) => {
    element.style.translate = `${left}px ${top}px`;
    element.style.height = `${height}px`;
  };

  function place() {
    const { rows, left, right } = shown;
    gutter.hidden = rows.length === 0 || image.hidden;
    if (gutter.hidden) return;
    const scale = zoom();
    const top = rows[0].y - half;
    put(gutter, image.offsetLeft + left * scale, image.offsetTop + top * scale, (rows.at(-1).y + half - top) * scale);
    gutter.style.width = `${(right - left) * scale}px`;
    put(cursor, 0, (rows[at].y - half - top) * scale, 2 * half * scale);
  }

  function go(row) {
    at = Math.max(0, Math.min(shown.rows.length - 1, row));
    const { number } = shown.rows[at];
    const as = [...modes.options].filter(({ value }) => parse(fields[value].value).has(number)).map((option) => option.dataset.done);
    gutter.setAttribute('aria-valuenow', number);
    gutter.setAttribute('aria-valuetext', [`Line ${number}`, ...as].join(', '));
    place();
  }

  // mark turns a line, or makes those from the last one on what that became.
  function mark(all) {
    const name = modes.value;
    const { number } = shown.rows[at];
    const lines = parse(fields[name].value);
    if (!all || !anchor) anchor = { number, on: !lines.has(number) };
    const [from, to] = [anchor.number, number].sort((a, b) => a - b);
    const chosen = shown.rows.map((row) => row.number).filter((n) => n >= from && n <= to);
    for (const n of chosen) lines[anchor.on ? 'add' : 'delete'](n);
    fields[name].value = format(lines);
    if (anchor.on && name !== 'focus') {
      for (const other of ['highlight', 'inserted', 'deleted'].filter((o) => o !== name)) {
        fields[other].value = format(parse(fields[other].value).difference(new Set(chosen)));
      }
    }
    go(at);
    changed();
  }

  gutter.addEventListener('mousedown', (event) => event.preventDefault()); // selects nothing
  gutter.addEventListener('click', (event) => {
    const y = shown.rows[0].y - half + (event.clientY - gutter.getBoundingClientRect().top) / zoom();
    go(shown.rows.findLastIndex((row) => row.y - half <= y));
    mark(event.shiftKey);
  });
  gutter.addEventListener('keydown', (event) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: shown.rows.length - 1 }[event.key];
    if (to === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (to === undefined) mark(event.shiftKey);
    else go(to);
  });
  new ResizeObserver(place).observe(image);
  image.addEventListener('load', place);

  return (svg, patch) => {
    for (const option of modes.options) option.disabled = patch && ['inserted', 'deleted'].includes(option.value);
    if (modes.selectedOptions[0].disabled) modes.value = 'highlight';
    shown = rowsOf(svg, patch);
    half = Math.min(...shown.rows.slice(1).map((row, i) => row.y - shown.rows[i].y), 40) / 2;
    gutter.setAttribute('aria-valuemin', shown.rows[0]?.number);
    gutter.setAttribute('aria-valuemax', shown.rows.at(-1)?.number);
    if (shown.rows.length > 0) go(at);
    else place();
  };
}
