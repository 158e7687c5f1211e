// A second implementation of sealed shares, written from the format that package seal documents, on WebCrypto.
//
//	node webcrypto.mjs seal > webcrypto.json    seals the shares below with new keys
//	node webcrypto.mjs open < vectors.json      opens every vector, and exits with 1 if one opens or fails unexpectedly
import { text } from 'node:stream/consumers'

const mark = 'devkiln1.'
const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = bytes => Buffer.from(bytes).toString('base64url')

// fromText decodes base64url, and refuses what encodes to another text.
function fromText(encoded) {
  const bytes = Buffer.from(encoded, 'base64url')
  if (toText(bytes) !== encoded) throw new Error('not base64url')
  return bytes
}

const importKey = (bytes, use) => crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, [use])
const parameters = (iv, kind) => ({ name: 'AES-GCM', iv, tagLength: 128, additionalData: encoder.encode(mark + kind) })

async function seal({ kind, title, language, content }) {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const plain = encoder.encode(JSON.stringify({ title, language }) + '\n' + content)
  const sealed = await crypto.subtle.encrypt(parameters(nonce, kind), await importKey(key, 'encrypt'), plain)
  return { key: toText(key), sealed: mark + toText(Buffer.concat([nonce, Buffer.from(sealed)])) }
}

async function open({ kind, key, sealed }) {
  if (!sealed.startsWith(mark)) throw new Error('no mark')
  const bytes = fromText(sealed.slice(mark.length))
  const opened = await crypto.subtle.decrypt(parameters(bytes.subarray(0, 12), kind), await importKey(fromText(key), 'decrypt'), bytes.subarray(12))
  const plain = strict.decode(opened)
  const end = plain.indexOf('\n')
  if (end < 0) throw new Error('no header')
  return { ...JSON.parse(plain.slice(0, end)), content: plain.slice(end + 1) }
}

const shares = [
  { kind: 'log', content: 'x' },
  { kind: 'log', content: '' },
  { kind: 'log', title: 'nightly build', content: '03:00:01 INFO up\n03:00:02 ERROR disk is full\n' },
  { kind: 'snippet', title: 'main.go', language: 'go', content: 'package main\r\n\r\nfunc main() {}\r\n' },
  { kind: 'snippet', language: 'text', content: '\n\n{"title":"not the header"}\n' },
  { kind: 'log', title: 'a\nb "c" <d> \\ \u2028', content: '\ufeffa byte order mark, NUL \0 and U+2028 \u2028' },
  { kind: 'log', title: 'Журнал 🎉', content: '日本語\r\n🎉 é e\u0301\n' },
  { kind: 'log', title: 't'.repeat(1000), content: 'line of a long log\n'.repeat(500) },
]

if (process.argv[2] === 'seal') {
  const vectors = await Promise.all(shares.map(async share => ({ name: `sealed by WebCrypto: ${share.title?.slice(0, 20) ?? share.content.slice(0, 20)}`, ...share, ...(await seal(share)) })))
  console.log(`[\n${vectors.map(vector => '  ' + JSON.stringify(vector)).join(',\n')}\n]`)
} else {
  for (const vector of JSON.parse(await text(process.stdin))) {
    const got = await open(vector).catch(() => null)
    const want = vector.fails ? null : { title: vector.title || undefined, language: vector.language || undefined, content: vector.content }
    const same = want === null ? got === null : got !== null && got.title === want.title && got.language === want.language && got.content === want.content
    if (!same) {
      console.error(`${vector.name}: opens as ${JSON.stringify(got)}`)
      process.exitCode = 1
    }
  }
}
