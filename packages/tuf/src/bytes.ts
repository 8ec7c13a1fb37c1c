import { uint8ArrayToHex } from 'uint8array-extras'

/** Bytes with their own buffer, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>

export const encodeText = (text: string): Bytes => new TextEncoder().encode(text)

export const sha256 = async (data: Bytes): Promise<string> =>
  uint8ArrayToHex(await crypto.subtle.digest('SHA-256', data))
