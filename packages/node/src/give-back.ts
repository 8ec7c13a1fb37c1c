/**
 * Gives back the memory of bytes that nobody needs any more, unless other bytes are in it, too. V8
 * would collect it, for which it looks at everything that lives after each 64 MB.
 */
export function giveBack({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
