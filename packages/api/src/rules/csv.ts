type Value = string | number | bigint | null | undefined

/**
 * A cell of RFC 4180. Users choose some of the texts, and spreadsheets take a text that begins like
 * this for a formula, so it gets an apostrophe. Numbers stay as they are.
 */
function cell(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of a CSV file, with its end. */
export const csvLine = (cells: readonly Value[]): string => `${cells.map(cell).join(',')}\r\n`
