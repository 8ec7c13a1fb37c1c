/** Bytes with their own buffer, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

export const encodeText = (text: string): Bytes => new TextEncoder().encode(text)

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Bytes of a hexadecimal text; undefined if it is malformed. */
export function fromHex(text: string): Bytes | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export const sha256 = async (data: Bytes): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)))
