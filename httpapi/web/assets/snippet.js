// The viewer of code. A document has no lines.

const box = document.getElementById('wrap');
if (box) {
  const [{ lines, place }, { wrap }, { keys }] = await Promise.all([import('./lines.js'), import('./wrap.js'), import('./keys.js')]);
  keys({
    w: wrap(box, lines, (turn) => {
      const back = place();
      turn();
      back();
    }),
  });
}
