/** Maximum number of rows that the console saves as a file: they are in the memory of the browser. */
export const LIST_EXPORT_MAX = 50_000

type Value = string | number | bigint | null | undefined

/**
 * A cell as of RFC 4180. Spreadsheets would run some user-supplied texts as formulas, in some
 * languages also with full-width signs, so these get a leading apostrophe. Numbers are unchanged.
 */
function cell(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of a CSV file, with its line break. */
export const csvLine = (cells: readonly Value[]): string => `${cells.map(cell).join(',')}\r\n`
