// The switch between light, dark and the scheme of the system. This browser
// remembers it.

const place = 'devkiln.theme';
const root = document.documentElement;

function apply(theme) {
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}

let known = '';
try {
  known = localStorage.getItem(place) ?? '';
} catch {
  // A browser that keeps nothing follows the system.
}
apply(known);

addEventListener('DOMContentLoaded', () => {
  const field = document.querySelector('[data-scheme]');
  if (!field) return;
  field.parentElement.hidden = false;
  field.value = root.dataset.theme ?? '';
  field.addEventListener('change', () => {
    apply(field.value);
    localStorage.setItem(place, field.value);
  });
});
