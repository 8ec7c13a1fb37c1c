/**
 * Classifies the words of a query for an editor. Only depends on neighbouring words, so that a
 * mistake does not affect other parts.
 */
import type { Literal, Span } from './ast.ts'
import { type Token, tokenize } from './tokens.ts'

export type Highlight = Span & {
  kind:
    | 'operation'
    | 'function'
    | 'timeseries'
    | 'field'
    | 'operator'
    | 'punctuation'
    | 'number'
    | 'string'
    | 'timestamp'
    | 'boolean'
    | 'invalid'
}

const literals: Record<Literal['kind'], Highlight['kind']> = {
  boolean: 'boolean',
  duration: 'number',
  integer: 'number',
  double: 'number',
  uuid: 'string',
  ip: 'string',
  string: 'string',
  timestamp: 'timestamp',
}
const punctuation = new Set(['|', ';', ',', '(', ')', '[', ']', '{', '}'])
const beginsOperation = new Set([undefined, '|', ';', '{'])
const isComparison = (text = ''): boolean => /^(?:[=!<>~]=|[<>])$/.test(text)

function kindOfWord({ text }: Token, before?: Token, beforeThat?: Token): Highlight['kind'] {
  if (beginsOperation.has(before?.text)) return 'operation'
  if (before?.text === 'align' || (before?.text === ',' && beforeThat?.text === ']')) {
    return 'function'
  }
  if (isComparison(before?.text) && (text === 'true' || text === 'false')) return 'boolean'
  return 'field'
}

export function highlight(text: string): Highlight[] {
  const tokens = tokenize(text).slice(0, -1)
  return tokens.map((token, index) => {
    const { start, end } = token
    switch (token.kind) {
      case 'word':
        return { start, end, kind: kindOfWord(token, tokens[index - 1], tokens[index - 2]) }
      case 'name':
        return { start, end, kind: 'timeseries' }
      case 'literal':
        return { start, end, kind: literals[token.literal!.kind] }
      case 'symbol':
        return { start, end, kind: punctuation.has(token.text) ? 'punctuation' : 'operator' }
      default:
        return { start, end, kind: 'invalid' }
    }
  })
}
