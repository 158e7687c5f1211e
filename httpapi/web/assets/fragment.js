// Settings in the fragment of a link: JSON in raw DEFLATE in base64url.

const most = 1 << 20; // bytes of a fragment, and of the JSON in it

// DEFLATE makes at most 1,032 bytes out of one. A stream hands on all that a
// chunk becomes before anybody can stop it, so it is given small ones.
const slice = 1 << 10;

function sliced(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at += slice));
    },
  }, { highWaterMark: 0 });
}

async function through(stream, bytes) {
  const reader = sliced(bytes).pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > most) {
      await reader.cancel();
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
