// Settings in the fragment of a link: JSON in raw DEFLATE in base64url.

const most = 1 << 20; // bytes of a fragment, and of the JSON in it

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > most) {
      reader.cancel();
      throw new Error('too large');
    }
    parts.push(value);
  }
}

export async function pack(config) {
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(config)));
  let text = '';
  for (const byte of new Uint8Array(await packed.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpack(fragment) {
  if (fragment.length > most) throw new Error('too large');
  const text = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  const json = await (await through(new DecompressionStream('deflate-raw'), bytes)).text();
  const config = JSON.parse(json);
  if (typeof config !== 'object' || config === null || typeof config.code !== 'string') throw new Error('no settings');
  return config;
}
