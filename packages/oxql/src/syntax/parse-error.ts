import { QueryError } from '../query-error.ts'

/** Characters shown before and after the position. */
const CONTEXT = 24

/** An invalid query, with the position of the first error. */
export class ParseError extends QueryError {
  override name = 'ParseError'
  readonly offset: number
  /** Line and column from 1. */
  readonly line: number
  readonly column: number
  /** Expected input, in words. */
  readonly expected: readonly string[]

  constructor(text: string, offset: number, expected: readonly string[]) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    const start = Math.max(0, offset - CONTEXT)
    // On one line, so that the caret is below its character.
    const context = text.slice(start, offset + CONTEXT).replaceAll(/\s/g, ' ')
    const intro = `Error at ${line}:${column}: .. `
    const caret = '^'.padStart(intro.length + offset - start + 1)
    super(`${intro}${context} ..\n${caret}\nExpected: ${listOf(expected)}`)
    this.offset = offset
    this.line = line
    this.column = column
    this.expected = expected
  }
}

const listOf = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)!}`
