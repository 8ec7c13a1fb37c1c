/** Completion of a query that is being typed. */
import type { Span } from './ast.ts'
import { describe, type Expectation } from './expectation.ts'
import { ParseError } from './parse-error.ts'
import { type Inputs, Parser } from './parser.ts'
import { type Token, tokenize } from './tokens.ts'

/** The part of the text that a completion replaces, and the candidates. */
export type Completion = Span & {
  /** The part before the cursor. */
  typed: string
  /** Empty if the text before the part is invalid. */
  expected: readonly Expectation[]
  /** Timeseries whose fields and values may be completed. */
  inputs: Inputs
}

/** Symbols are complete, unless the parser does not know them. */
const isTyped = ({ kind }: Token): boolean => kind !== 'symbol' && kind !== 'end'

export function completionAt(text: string, offset: number): Completion {
  const tokens = tokenize(text)
  const typing = tokens.find((one) => isTyped(one) && one.start < offset && offset <= one.end)
  const { start, end } = typing ?? { start: offset, end: offset }
  const before = tokens.filter((one) => one.kind !== 'end' && one.end <= start)
  const place: Token = { kind: 'end', start, end: start, text: '', spaced: true }
  const parser = new Parser(text, [...before, place])
  let expected: readonly Expectation[] = []
  try {
    parser.parse()
    expected = parser.expectations
  } catch (error) {
    if (error instanceof ParseError && parser.token === place) expected = parser.expectations
  }
  const typed = text.slice(start, offset)
  return { start, end, typed, expected: distinct(expected), inputs: parser.inputs }
}

const distinct = (expected: readonly Expectation[]): Expectation[] => [
  ...new Map(expected.map((one) => [describe(one), one])).values(),
]
