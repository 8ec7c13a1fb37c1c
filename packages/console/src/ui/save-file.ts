/** Spreadsheets take a CSV file for UTF-8 only if it begins with this mark. */
const UTF8_MARK = '\uFEFF'

/** Saves a file as a browser download. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const contents = type.startsWith('text/csv') ? [UTF8_MARK, ...parts] : parts
  const url = URL.createObjectURL(new Blob(contents, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download begins after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
