/**
 * Browsers withhold part of `crypto` from pages served over plain HTTP by another machine. The demo
 * has no secrets, so it may be served like that: this adds the missing functions.
 */
import { uint8ArrayToHex } from 'uint8array-extras'

export async function completeCrypto(): Promise<void> {
  if ('subtle' in crypto) return
  const { createHMAC, createSHA256 } = await import('hash-wasm')
  const hasher = await createSHA256()
  const digest = async (_algorithm: string, data: Uint8Array): Promise<ArrayBuffer> =>
    hasher.init().update(data).digest('binary').slice().buffer as ArrayBuffer
  // All keys are for HMAC-SHA256.
  const importKey = async (_format: string, key: Uint8Array) => key
  const sign = async (_algorithm: string, key: Uint8Array, data: Uint8Array) => {
    const hmac = await createHMAC(createSHA256(), key)
    return hmac.init().update(data).digest('binary').slice().buffer as ArrayBuffer
  }
  const randomUUID = (): string => {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return uint8ArrayToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  Object.defineProperty(crypto, 'subtle', { value: { digest, importKey, sign } })
  Object.defineProperty(crypto, 'randomUUID', { value: randomUUID })
}
