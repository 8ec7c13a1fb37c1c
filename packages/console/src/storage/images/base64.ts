import { uint8ArrayToBase64 } from 'uint8array-extras'

/** Base64 of bytes, by the browser itself where it can. */
export function toBase64(bytes: Uint8Array): string {
  const native = bytes as { toBase64?: () => string }
  return native.toBase64 ? native.toBase64() : uint8ArrayToBase64(bytes)
}
