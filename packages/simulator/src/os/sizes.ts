const units = ['', 'K', 'M', 'G', 'T', 'P']

/** A size in the format of guest tools: `512M`, `1.5G`. */
export function human(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = value < 10 && unit > 0 && !Number.isInteger(value) ? 1 : 0
  return value.toFixed(digits) + units[unit]
}

/** Aligns rows in columns of minimum width; numbers are right-aligned. */
export function columns(rows: string[][], right: readonly number[] = []): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
    }
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) =>
        right.includes(index) ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!),
      )
      return `${cells.join(' ').trimEnd()}\n`
    })
    .join('')
}

const SCREEN = 80

/** Arranges names in as many columns as fit the screen, from top to bottom. */
export function sideBySide(names: readonly string[]): string {
  if (names.length === 0) return ''
  const line = names.join('  ')
  if (line.length <= SCREEN) return `${line}\n`
  const width = Math.max(...names.map((name) => name.length)) + 2
  const perRow = Math.max(1, Math.floor(SCREEN / width))
  const rows = Math.ceil(names.length / perRow)
  let text = ''
  for (let row = 0; row < rows; row++) {
    const cells: string[] = []
    for (let at = row; at < names.length; at += rows) cells.push(names[at]!.padEnd(width))
    text += `${cells.join('').trimEnd()}\n`
  }
  return text
}
