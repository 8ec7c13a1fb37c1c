/** Public keys and signatures of TUF metadata, by WebCrypto, which every host has. */
import { base64ToUint8Array, hexToUint8Array } from 'uint8array-extras'
import type { Bytes } from './bytes.ts'

export interface PublicKey {
  keytype: string
  scheme: string
  keyval: { public: string }
}

interface Scheme {
  keytypes: readonly string[]
  import: (key: string) => Promise<CryptoKey> | undefined
  algorithm: AlgorithmIdentifier | RsaPssParams | EcdsaParams
  /** A signature in WebCrypto's format; undefined if it is malformed. */
  signature: (bytes: Bytes) => Bytes | undefined
}

/** Bytes of the structure in a PEM text; undefined if it is malformed. */
function fromPem(text: string): Bytes | undefined {
  const body = /-----BEGIN PUBLIC KEY-----([\sA-Za-z0-9+/=]+)-----END PUBLIC KEY-----/.exec(text)
  if (!body) return undefined
  try {
    return base64ToUint8Array(body[1]!.replace(/\s/g, ''))
  } catch {
    return undefined
  }
}

const importPem =
  (algorithm: RsaHashedImportParams | EcKeyImportParams) =>
  (key: string): Promise<CryptoKey> | undefined => {
    const bytes = fromPem(key)
    return bytes && crypto.subtle.importKey('spki', bytes, algorithm, false, ['verify'])
  }

const COORDINATE_BYTES = 32

/** Converts an ECDSA signature from TUF's DER to WebCrypto's two numbers of fixed length. */
function fromDer(der: Bytes): Bytes | undefined {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  const joined = new Uint8Array(2 * COORDINATE_BYTES)
  let at = 2
  for (let part = 1; part <= 2; part++) {
    const length = der[at + 1]
    if (der[at] !== 0x02 || length === undefined || at + 2 + length > der.length) return undefined
    let number = der.subarray(at + 2, at + 2 + length)
    while (number[0] === 0 && number.length > 1) number = number.subarray(1)
    if (number.length > COORDINATE_BYTES) return undefined
    joined.set(number, part * COORDINATE_BYTES - number.length)
    at += 2 + length
  }
  return at === der.length ? joined : undefined
}

/** Signature schemes of the TUF specification. */
const schemes: Record<string, Scheme> = {
  ed25519: {
    keytypes: ['ed25519'],
    import(key) {
      return crypto.subtle.importKey('raw', hexToUint8Array(key), 'Ed25519', false, ['verify'])
    },
    algorithm: 'Ed25519',
    signature: (bytes) => bytes,
  },
  'ecdsa-sha2-nistp256': {
    keytypes: ['ecdsa', 'ecdsa-sha2-nistp256'],
    import: importPem({ name: 'ECDSA', namedCurve: 'P-256' }),
    algorithm: { name: 'ECDSA', hash: 'SHA-256' },
    signature: fromDer,
  },
  'rsassa-pss-sha256': {
    keytypes: ['rsa'],
    import: importPem({ name: 'RSA-PSS', hash: 'SHA-256' }),
    algorithm: { name: 'RSA-PSS', saltLength: 32 },
    signature: (bytes) => bytes,
  },
}

/** Whether a key has signed a text. An unreadable key has signed nothing. */
export async function hasSigned(key: PublicKey, text: Bytes, signature: string): Promise<boolean> {
  const scheme = Object.hasOwn(schemes, key.scheme) ? schemes[key.scheme] : undefined
  if (!scheme?.keytypes.includes(key.keytype)) return false
  try {
    const form = scheme.signature(hexToUint8Array(signature))
    if (!form) return false
    const imported = await scheme.import(key.keyval.public)
    return imported !== undefined && crypto.subtle.verify(scheme.algorithm, imported, form, text)
  } catch {
    return false
  }
}
