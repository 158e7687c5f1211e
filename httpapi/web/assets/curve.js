// A curve of CSS easing beside its text field: its two handles are dragged, or
// moved with the arrow keys by 0.01, with Shift by 0.1.

const known = { linear: [0, 0, 1, 1], ease: [0.25, 0.1, 0.25, 1], 'ease-in': [0.42, 0, 1, 1], 'ease-out': [0, 0, 0.58, 1], 'ease-in-out': [0.42, 0, 0.58, 1] };

function read(text) {
  const name = text.trim().toLowerCase() || 'linear';
  const bezier = /^cubic-bezier\(([^)]*)\)$/.exec(name);
  const points = known[name] ?? bezier?.[1].split(',').map(Number);
  return points?.length === 4 && points.every(Number.isFinite) ? points : null;
}

export function curve(box, field) {
  const handles = [...box.querySelectorAll('button')];
  let points = null;

  function draw() {
    points = read(field.value);
    box.classList.toggle('stepped', !points);
    const [x1, y1, x2, y2] = (points ?? known.linear).map((v, i) => 100 * (i % 2 ? 1 - v : v));
    box.querySelector('.line').setAttribute('d', points ? `M0 100C${x1} ${y1} ${x2} ${y2} 100 0` : '');
    box.querySelector('.arms').setAttribute('d', `M0 100L${x1} ${y1}M100 0L${x2} ${y2}`);
    [[x1, y1], [x2, y2]].forEach(([x, y], i) => {
      handles[i].style.left = `${x}%`;
      handles[i].style.top = `${Math.min(100, Math.max(0, y))}%`;
      handles[i].title = points ? `${points[2 * i]}, ${points[2 * i + 1]}` : '';
    });
  }

  function move(i, x, y) {
    points[2 * i] = Math.round(100 * Math.min(1, Math.max(0, x))) / 100;
    points[2 * i + 1] = Math.round(100 * Math.min(1, Math.max(0, y))) / 100;
    field.value = `cubic-bezier(${points.join(', ')})`;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  handles.forEach((handle, i) => {
    handle.addEventListener('keydown', (event) => {
      const step = event.shiftKey ? 0.1 : 0.01;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(i, points[2 * i] + by[0], points[2 * i + 1] + by[1]);
    });
    handle.addEventListener('pointerdown', (event) => {
      const place = box.getBoundingClientRect();
      const drag = (e) => move(i, (e.clientX - place.left) / place.width, 1 - (e.clientY - place.top) / place.height);
      handle.setPointerCapture(event.pointerId);
      handle.addEventListener('pointermove', drag);
      handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', drag), { once: true });
    });
  });
  field.addEventListener('input', draw);
  draw();
}
