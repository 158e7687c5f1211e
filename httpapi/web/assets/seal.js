// Encryption of shares where they are written and read. The format is that of
// the Go package share/seal, and both read the same test vectors.

const mark = 'devkiln1.';
const nonceBytes = 12;

function toBase64url(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

// fromBase64url refuses what atob would forgive: padding and white space.
function fromBase64url(text) {
  if (!/^[\w-]*$/.test(text)) throw new Error('no base64url');
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  if (toBase64url(bytes) !== text) throw new Error('no base64url');
  return bytes;
}

const algorithm = (nonce, kind) => ({ name: 'AES-GCM', iv: nonce, additionalData: new TextEncoder().encode(mark + kind) });

function keyOf(text, use) {
  const bytes = fromBase64url(text);
  if (bytes.length !== 32) throw new Error('no key');
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, [use]);
}

// Pages without https have no WebCrypto.
export const able = Boolean(globalThis.crypto?.subtle);

// isKey tells whether the fragment of a link can be a key.
export const isKey = (text) => /^[\w-]{43}$/.test(text);

// seal encrypts a share with a new key.
export async function seal({ kind, title = '', language = '', content }) {
  const key = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const head = JSON.stringify({ title: title || undefined, language: language || undefined });
  const plain = new TextEncoder().encode(`${head}\n${content}`);
  const secret = new Uint8Array(await crypto.subtle.encrypt(algorithm(nonce, kind), await keyOf(key, 'encrypt'), plain));
  const sealed = new Uint8Array(nonceBytes + secret.length);
  sealed.set(nonce);
  sealed.set(secret, nonceBytes);
  return { sealed: mark + toBase64url(sealed), key };
}

// open decrypts what was sealed as a log or a snippet, or throws.
export async function open(kind, sealed, key) {
  if (!sealed.startsWith(mark)) throw new Error('not sealed');
  const bytes = fromBase64url(sealed.slice(mark.length));
  const plain = await crypto.subtle.decrypt(algorithm(bytes.subarray(0, nonceBytes), kind), await keyOf(key, 'decrypt'), bytes.subarray(nonceBytes));
  const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(plain);
  const at = text.indexOf('\n');
  const { title = '', language = '' } = JSON.parse(text.slice(0, at));
  return { kind, title, language, content: text.slice(at + 1) };
}
