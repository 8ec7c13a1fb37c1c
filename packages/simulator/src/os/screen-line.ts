import { widthOf } from './width.ts'

// eslint-disable-next-line no-control-regex -- terminals are told where to print by such characters
const pieces = /\x1b\[([0-9;?]*)([A-Za-z])|\x1b.|[^]/gu

/**
 * What a line of output looks like on the screen, after all that was printed over other parts of it.
 * @returns its text, and the number of characters between the cursor and its end
 */
export function screenLine(output: string): { text: string; back: number } {
  /** The character that begins in each column. */
  const cells: string[] = []
  let column = 0
  for (const [piece, , final] of output.matchAll(pieces)) {
    if (piece === '\b') column = Math.max(0, column - 1)
    else if (piece === '\r' || final === 'H') column = 0
    // The whole screen is cleared only after going to its beginning.
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
