/** Saves a file as a browser download. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download begins after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
