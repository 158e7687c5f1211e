// The switch that wraps lines. The browser remembers it for all listings.

const key = 'devkiln.wrap';

// wrap has a box turn the wrapping of lines on and off, by a function that
// changes their heights, and returns what a key does. Lines of an access log, whose
// ends are the names of browsers, are not wrapped at first where there is room.
export function wrap(box, lines, resize) {
  const turn = () => lines.toggleAttribute('data-unwrapped', !box.checked);
  try {
    box.checked = (localStorage.getItem(key) ?? (box.closest('[data-wide]') && innerWidth > 860 ? 'off' : 'on')) === 'on';
    box.addEventListener('change', () => localStorage.setItem(key, box.checked ? 'on' : 'off'));
  } catch {
    // A browser that keeps nothing still wraps.
  }
  turn();
  box.addEventListener('change', () => resize(turn));
  return () => box.click();
}
