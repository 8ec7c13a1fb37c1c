/** Errors in queries and their positions. */
import { ParseError, parse, QueryError, tokenize } from '@steading/oxql/syntax'

export type Problem = {
  /** A sentence without its full stop. */
  message: string
  /** Range of the error in the text; undefined if it has no single range. */
  place?: { start: number; end: number }
}

/** The word at an offset, or the character if there is none. */
function wordAt(text: string, offset: number): { start: number; end: number } {
  const word = tokenize(text).find((one) => one.start <= offset && offset < one.end)
  // An unterminated string extends to the end of the text.
  if (!word || word.kind === 'invalid')
    return { start: offset, end: Math.max(offset + 1, word?.end ?? 0) }
  return { start: word.start, end: word.end }
}

/** The syntax error of a text; undefined if it is a query. */
export function syntaxProblem(text: string): Problem | undefined {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (error instanceof ParseError) {
      const { offset, line, column, expected } = error
      const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(expected)
      return {
        message: `Line ${line}, column ${column}: expected ${list}`,
        place: wordAt(text, offset),
      }
    }
    if (error instanceof QueryError) return { message: error.message }
    throw error
  }
}

/** Names in the control plane's messages about valid queries. */
const named = [
  /^Timeseries not found for: (\S+)/,
  /Invalid identifiers: \[([^\],]+)/,
  /^Timeseries does not contain field '([^']+)'/,
]

/** @param message of the control plane about this text */
export function queryProblem(text: string, message: string): Problem {
  const name = named
    .map((pattern) => pattern.exec(message)?.[1]?.replaceAll('"', '').trim())
    .find(Boolean)
  const word = name && tokenize(text).find((token) => token.text === name)
  return word ? { message, place: { start: word.start, end: word.end } } : { message }
}
