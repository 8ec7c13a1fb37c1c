export function sameBytes(one: ArrayBuffer, other: ArrayBuffer): boolean {
  const [a, b] = [new Uint8Array(one), new Uint8Array(other)]
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
