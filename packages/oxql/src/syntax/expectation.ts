/** Expected input at a position of a query, for error messages and completion. */
import type { Comparison } from '../model.ts'

export type Expectation =
  /** Keywords and symbols of the language. */
  | { kind: 'operation' | 'function' | 'comparison' | 'symbol'; text: string }
  | { kind: 'timeseries' | 'field' | 'duration' | 'count' | 'space' | 'end' }
  /** A value to compare a field with. */
  | { kind: 'value'; identifier: string; comparison: Comparison }
  /** Anything else, in words. */
  | { kind: 'rule'; text: string }

const inWords = {
  timeseries: 'the name of a timeseries',
  field: 'a field',
  duration: 'a duration like 5m',
  count: 'a whole number from 1',
  space: 'a space',
  end: 'the end of the query',
  value: 'a value',
}

export function describe(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'operation':
    case 'function':
    case 'comparison':
    case 'symbol':
      return `"${expectation.text}"`
    case 'rule':
      return expectation.text
    default:
      return inWords[expectation.kind]
  }
}
