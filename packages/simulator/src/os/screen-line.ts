import { widthOf } from './width.ts'

// eslint-disable-next-line no-control-regex -- terminals are told where to print by such characters
const pieces = /\x1b\[([0-9;?]*)([A-Za-z])|\x1b.|[^]/gu

/**
 * Renders a line of output after all overprinting.
 * @returns its text, and the number of characters between the cursor and its end
 */
export function screenLine(output: string): { text: string; back: number } {
  /** Character starting in each column. */
  const cells: string[] = []
  let column = 0
  for (const [piece, , final] of output.matchAll(pieces)) {
    if (piece === '\b') column = Math.max(0, column - 1)
    else if (piece === '\r' || final === 'H') column = 0
    // Clearing the screen always follows a move to its start.
    else if (final === 'J' || final === 'K') cells.length = Math.min(cells.length, column)
    else if (piece >= ' ' && !piece.startsWith('\x1b')) {
      const width = widthOf(piece)
      if (width === 0) cells[column - 1] = (cells[column - 1] ?? '') + piece
      else cells[column] = piece
      if (width === 2) cells[column + 1] = ''
      column += width
    }
  }
  const text = Array.from(cells, (cell) => cell ?? ' ').join('')
  return { text, back: [...cells.slice(column).join('')].length }
}
