/**
 * Frees the memory of bytes that are no longer needed, unless their buffer has other bytes too. V8
 * would collect it, but scans all live objects for that after each 64 MB.
 */
export function giveBack({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
