// One types in the picture: the editor lies over the code that is drawn, with
// the metrics of the coding font, and its own letters are not seen. Where that
// cannot be exact, the editor is a box below the picture.

// The fonts of the pages: ascent and descent in em, as their hhea tables have
// them, and the advance of every character.
const metrics = {
  '': [1.02, 0.3, 0.6], // JetBrains Mono
  'Fira Code': [1800 / 1950, 600 / 1950, 1200 / 1950],
  'Geist Mono': [1.005, 0.295, 0.6],
  'Roboto Mono': [2146 / 2048, 555 / 2048, 1229 / 2048],
};

// The editor draws what the fonts of the pages have, each character as wide as
// another; those besides JetBrains Mono have Latin letters.
const exact = /^[\t\n\x20-\x7e\xa0-\u024f\u0370-\u03ff\u0400-\u04ff\u2010-\u2027\u2190-\u2193\u2500-\u257f]*$/;
const latin = /^[\t\n\x20-\x7e\xa0-\xff]*$/;

const smallest = 9; // pixels of a letter that one can type at
const margins = 64; // beside the picture at most

// layoutOf reads an SVG of ours: where the code begins, its size, and how much
// of the window is its own.
function layoutOf(svg, lineHeight, [ascent, descent, advance]) {
  const first = /<text y="([\d.]+)" font-size="([\d.]+)">/.exec(svg);
  const frame = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"(?: rx="[\d.]+")? fill="(#[0-9a-f]{6})/.exec(svg);
  const size = /<svg [^>]*?\bwidth="([\d.]+)"[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  if (!first || !frame || !size) return null;
  const [y, font] = first.slice(1).map(Number);
  const [x, top, width, height] = frame.slice(1).map(Number);
  const code = [...svg.matchAll(/<text y="([\d.]+)" font-size="[\d.]+"><tspan x="([\d.]+)"/g)].filter(([, at]) => at >= y && at < top + height);
  const number = /class="n"><tspan x="([\d.]+)"[^>]*>([^<]*)/.exec(svg);
  const blank = number ? Number(number[1]) + (number[2].length + 2) * font * advance : x + 20;
  const pitch = font * lineHeight;
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(frame[5].slice(i, i + 2), 16));
  return {
    width: Number(size[2]),
    height: Number(size[3]),
    zoom: size[1] / size[2], // at 100 %
    font,
    pitch,
    ascent: ascent * font,
    descent: descent * font,
    left: code.length > 0 ? Math.min(...code.map(([, , at]) => at)) : blank,
    baseline: y,
    top: y - (pitch - (ascent + descent) * font) / 2 - ascent * font,
    right: x + width,
    bottom: top + height,
    dark: red * 0.3 + green * 0.6 + blue * 0.1 < 128,
  };
}

// typing lets somebody type in an image, if plain(), which says whether each
// line of code is one row of the picture, in the font of family(). The function
// that it returns takes the SVG that the image shows, if any.
export function typing(view, image, editor, { apart, full }, plain, family) {
  const wide = matchMedia('(min-width: 641px)');
  const forced = matchMedia('(forced-colors: active)');
  let shown = null;

  // large says whether the letters remain large enough in the width of the view.
  const large = () => full.checked || shown.font * Math.min(shown.zoom, (view.clientWidth - margins) / shown.width) >= smallest;

  function place() {
    const on = shown !== null && !image.hidden && !apart.checked && wide.matches && !forced.matches && large() && (family() ? latin : exact).test(editor.value) && plain();
    view.classList.toggle('typing', on);
    if (!on) {
      editor.removeAttribute('style');
      return;
    }
    const least = Math.min(1, smallest / shown.font);
    view.style.setProperty('--least-height', `${shown.height * least}px`);
    const zoom = image.clientWidth / shown.width;
    const [above, below, pitch] = [shown.ascent, shown.descent, shown.pitch].map((length) => length * zoom);
    // Browsers round the ascent and the descent of a line to whole pixels.
    const top = shown.baseline * zoom - (pitch - Math.round(above) - Math.round(below)) / 2 - Math.round(above);
    Object.assign(editor.style, {
      translate: `${image.offsetLeft + shown.left * zoom}px ${image.offsetTop + top}px`,
      width: `${(shown.right - shown.left) * zoom}px`,
      height: `${(shown.bottom - shown.top) * zoom}px`,
      fontSize: `${shown.font * zoom}px`,
      lineHeight: `${pitch}px`,
      caretColor: shown.dark ? '#fff' : '#000',
    });
    still();
  }

  // The picture grows instead of the editor's text moving.
  function still() {
    if (view.classList.contains('typing')) editor.scrollTo(0, 0);
  }

  editor.addEventListener('scroll', still);
  new ResizeObserver(place).observe(image);
  image.addEventListener('load', place);
  for (const media of [wide, forced]) media.addEventListener('change', place);
  apart.addEventListener('change', place);
  full.form.addEventListener('change', place);

  return (svg, lineHeight, tabs) => {
    shown = svg === undefined || !metrics[family()] ? null : layoutOf(svg, lineHeight, metrics[family()]);
    view.style.setProperty('--code', shown && family() && `"${family()}"`);
    if (shown) view.style.setProperty('--tabs', tabs);
    place();
  };
}
