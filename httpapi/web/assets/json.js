// indent spreads JSON over lines. It moves only blanks: numbers keep all their
// digits and objects the order of their keys, which parsing would not promise.
export function indent(json) {
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(depth, 40))}`;
  for (let i = 0; i < json.length; i++) {
    const c = json[i];
    if (c === '"') {
      const start = i;
      for (i++; json[i] !== '"'; i++) if (json[i] === '\\') i++;
      out += json.slice(start, i + 1);
    } else if (c === '{' || c === '[') {
      const empty = /^\s*[}\]]/.exec(json.slice(i + 1, i + 64));
      if (empty) {
        out += c + empty[0].trim();
        i += empty[0].length;
      } else {
        depth++;
        out += c + line();
      }
    } else if (c === '}' || c === ']') {
      depth--;
      out += line() + c;
    } else if (c === ',') {
      out += c + line();
    } else if (c === ':') {
      out += ': ';
    } else if (!/\s/.test(c)) {
      out += c;
    }
  }
  return out;
}
