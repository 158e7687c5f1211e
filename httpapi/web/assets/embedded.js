// The settings that a PNG of ours carries: the query and the fragment of a link
// to the studio, in a chunk of text with the keyword devkiln.

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const keyword = 'devkiln\0\0\0\0\0';

export const isPNG = (bytes) => signature.every((byte, i) => bytes[i] === byte);

// embedded returns the query and the fragment, or null if there are none.
export function embedded(bytes) {
  const numbers = new DataView(bytes.buffer);
  for (let at = signature.length; at + 12 <= bytes.length;) {
    const size = numbers.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === 'iTXt') {
      const text = new TextDecoder().decode(bytes.subarray(at + 8, at + 8 + size));
      const [, query, fragment] = text.startsWith(keyword) ? text.slice(keyword.length).match(/^\?([^#]*)#(.*)$/) ?? [] : [];
      if (fragment) return { query, fragment };
    }
    at += size + 12;
  }
  return null;
}
