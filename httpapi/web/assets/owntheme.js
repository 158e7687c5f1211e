// A colour theme of the visitor's own, from a file of VS Code or chroma, is
// kept on this device and goes along with each request for a picture.

const place = 'devkiln own theme';
export const mostTheme = 256 << 10; // bytes

export const isTheme = (file, text) => /\.(json|jsonc)$/i.test(file.name) && text.includes('tokenColors');

export function ownTheme(radio, swatch) {
  let text = '';

  function show() {
    radio.closest('label').hidden = text === '';
    const color = (key) => new RegExp(`"${key.replaceAll('.', '\\.')}"\\s*:\\s*"(#[0-9a-fA-F]{3,8})"`).exec(text)?.[1] ?? '';
    swatch.style.background = color('editor.background');
    swatch.style.color = color('editor.foreground');
  }

  try {
    text = localStorage.getItem(place) ?? '';
  } catch {
    // There is no storage.
  }
  show();
  return {
    text: () => (radio.checked ? text : ''),
    take(given) {
      text = given;
      try {
        localStorage.setItem(place, text);
      } catch {
        // It lasts as long as the page.
      }
      radio.checked = true;
      show();
    },
  };
}
