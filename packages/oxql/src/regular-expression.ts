/** Regular expressions of RE2, which take time linear in the length of the text. */
import { RE2JS, RE2JSException } from 're2js'
import { REGULAR_EXPRESSION_MAX } from './limits.ts'
import { QueryError } from './query-error.ts'

export type RegularExpression = {
  /** Instructions of its program, each of which may look at each character. */
  size: number
  /** Whether it matches anywhere in the text. */
  test: (text: string) => boolean
}

/**
 * @param spend is told the steps before they are taken
 * @throws QueryError that says what is wrong with the expression
 */
export function regularExpression(
  pattern: string,
  spend?: (steps: number) => void,
): RegularExpression {
  const compiled = compile(pattern)
  const size = compiled.programSize()
  // Many series have few values of a field.
  const known = new Map<string, boolean>()
  return {
    size,
    test: (text) => {
      let result = known.get(text)
      if (result === undefined) {
        spend?.(size * text.length)
        known.set(text, (result = compiled.matcher(text).find()))
      }
      return result
    },
  }
}

/** The latest ones, because stores ask for the same one again for each of their parts. */
const recent = new Map<string, RE2JS>()
const RECENT = 16

function compile(pattern: string): RE2JS {
  const compiled = recent.get(pattern) ?? compileAnew(pattern)
  recent.delete(pattern)
  recent.set(pattern, compiled)
  if (recent.size > RECENT) recent.delete(recent.keys().next().value!)
  return compiled
}

function compileAnew(pattern: string): RE2JS {
  try {
    const compiled = RE2JS.compile(pattern)
    if (compiled.programSize() <= REGULAR_EXPRESSION_MAX) return compiled
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new QueryError(`Invalid regular expression: ${error.message}`)
  }
  throw new QueryError('Invalid regular expression: it is too large')
}
