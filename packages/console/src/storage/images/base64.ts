/** Divisible by three, so that the pieces can be joined; small enough for the arguments of a call. */
const PIECE = 24_576

/** Base64 of bytes, by the browser itself where it can. */
export function toBase64(bytes: Uint8Array): string {
  const native = bytes as { toBase64?: () => string }
  if (native.toBase64) return native.toBase64()
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE)))
  }
  return text
}
