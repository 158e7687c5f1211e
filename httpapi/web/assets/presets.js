// Settings without code, under names, are kept on this device. A link shares
// them.

const most = 30;

// presets keeps settings in place, a key of the storage. read returns the
// settings of the page, apply takes some, copy gets a button and settings, to
// whose click it answers with a link.
export function presets(box, place, read, apply, copy) {
  const list = box.querySelector('[data-presets]');
  const name = box.querySelector('[data-preset-name]');
  const save = box.querySelector('[data-preset-save]');

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(place)) ?? [];
    } catch {
      return [];
    }
  }

  function keep(all) {
    try {
      localStorage.setItem(place, JSON.stringify(all.slice(0, most)));
    } catch {
      // There is no place for it: they last as long as the page.
    }
    show(all);
  }

  function button(label, text, click) {
    const element = document.createElement('button');
    element.type = 'button';
    element.setAttribute('aria-label', label);
    element.textContent = text;
    if (click) element.addEventListener('click', click);
    return element;
  }

  function show(all) {
    list.replaceChildren(...all.map((preset) => {
      const row = document.createElement('li');
      const link = button(`Copy a link to ${preset.name}`, 'Link');
      copy(link, preset.settings);
      row.append(
        button(`Use ${preset.name}`, preset.name, () => apply(preset.settings)),
        link,
        button(`Delete ${preset.name}`, 'Delete', () => keep(kept().filter((other) => other.name !== preset.name))),
      );
      return row;
    }));
  }

  function add() {
    const called = name.value.trim();
    if (called === '') {
      name.focus();
      return;
    }
    keep([{ name: called, settings: read() }, ...kept().filter((other) => other.name !== called)]);
    name.value = '';
  }

  save.addEventListener('click', add);
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  });
  show(kept());
}
