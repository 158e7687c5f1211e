// Writes the themes of this folder out of the npm package tm-themes:
//
//	npm install tm-themes@1.12.12 && node convert.mjs
//
// They are themes of VS Code, with those of their colours that pictures have.
// ocean.json is written by hand: base16 Ocean is no theme of VS Code.
import fs from 'fs';

const themes = {
  dracula: 'dracula', monokai: 'monokai', 'github-dark': 'github-dark-default', 'night-owl': 'night-owl', synthwave: 'synthwave-84',
  'andromeeda': 'andromeeda', 'ayu-dark': 'ayu-dark', 'catppuccin-mocha': 'catppuccin-mocha', 'catppuccin-macchiato': 'catppuccin-macchiato',
  'dark-plus': 'dark-plus', 'everforest-dark': 'everforest-dark', 'gruvbox-dark': 'gruvbox-dark-medium', 'kanagawa-wave': 'kanagawa-wave',
  nord: 'nord', 'one-dark-pro': 'one-dark-pro', poimandres: 'poimandres', 'rose-pine': 'rose-pine', 'solarized-dark': 'solarized-dark',
  'tokyo-night': 'tokyo-night', 'vitesse-dark': 'vitesse-dark',
  'ayu-light': 'ayu-light', 'catppuccin-latte': 'catppuccin-latte', 'everforest-light': 'everforest-light', 'github-light': 'github-light-default',
  'gruvbox-light': 'gruvbox-light-medium', 'light-plus': 'light-plus', 'night-owl-light': 'night-owl-light', 'one-light': 'one-light',
  'rose-pine-dawn': 'rose-pine-dawn', 'solarized-light': 'solarized-light', 'vitesse-light': 'vitesse-light',
};
const kept = /^(editor\.(background|foreground|selectionBackground)|editorLineNumber\.foreground|terminal\.ansi\w+)$/;
const from = 'node_modules/tm-themes/';

for (const [name, file] of Object.entries(themes)) {
  const theme = JSON.parse(fs.readFileSync(`${from}themes/${file}.json`, 'utf8'));
  const colors = Object.fromEntries(Object.entries(theme.colors).filter(([key]) => kept.test(key)));
  const rules = (theme.tokenColors || theme.settings).filter((rule) => rule.settings && Object.keys(rule.settings).length > 0)
    .map(({ scope, settings: { foreground, fontStyle } }) => JSON.stringify({ scope, settings: { foreground, fontStyle } }));
  fs.writeFileSync(`${name}.json`, `{"name":${JSON.stringify(name)},"type":${JSON.stringify(theme.type)},"colors":${JSON.stringify(colors)},"tokenColors":[\n${rules.join(',\n')}\n]}\n`);
}

// The notice of each theme that is used, as the package has it.
const parts = fs.readFileSync(`${from}NOTICE`, 'utf8').split(/^=+$/m).slice(1);
const used = (part) => Object.values(themes).some((file) => part.includes(`${file}.json`));
fs.writeFileSync('LICENSES.txt', 'The themes of this folder, which are named as in the npm package tm-themes, and their licences.\n' +
  parts.filter(used).map((part) => '='.repeat(80) + part.replace(/-{81,}/g, '-'.repeat(80))).join(''));
