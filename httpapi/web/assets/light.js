const mostLights = 2000;

// light sets off the texts that were looked for, where the browser can.
export function light(words, rows) {
  if (!CSS.highlights) return;
  CSS.highlights.delete('found');
  if (words.length === 0) return;
  const all = new Highlight();
  for (const row of rows) {
    if (all.size >= mostLights) break;
    for (const word of words) lightRow(all, row, word);
  }
  CSS.highlights.set('found', all);
}

function lightRow(all, row, word) {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.toLowerCase();
    if (text.length !== node.data.length) continue; // offsets would not fit
    for (let at = text.indexOf(word); at >= 0 && all.size < mostLights; at = text.indexOf(word, at + word.length)) {
      // A Range would be adjusted at each change of the document after this.
      all.add(new StaticRange({ startContainer: node, startOffset: at, endContainer: node, endOffset: at + word.length }));
    }
  }
}
