/** RE2 regular expressions, which take time linear in the length of the text. */
import { RE2JS, RE2JSException } from 're2js'
import { COMPILE_STEPS_MAX, REGULAR_EXPRESSION_MAX, tooExpensivePatterns } from './limits.ts'
import { patternCost } from './pattern-cost.ts'
import { QueryError, TooExpensiveError } from './query-error.ts'

/** Whether it matches anywhere in a text. */
export type RegularExpression = (text: string) => boolean

/** Charged for steps of about 20 ns before they are taken; may throw. */
export type PatternBudget = {
  compile: (steps: number) => void
  match: (steps: number) => void
}

/** For a single expression, whose matches are not charged. */
const single: PatternBudget = {
  compile(steps) {
    if (steps > COMPILE_STEPS_MAX) throw new TooExpensiveError(tooExpensivePatterns)
  },
  match() {},
}

/**
 * @throws QueryError with the syntax error of the expression
 * @throws the error of the budget
 */
export function regularExpression(pattern: string, budget = single): RegularExpression {
  budget.compile(patternCost(pattern).steps)
  const compiled = compile(pattern)
  const size = compiled.programSize()
  // Many series have few distinct values of a field.
  const known = new Map<string, boolean>()
  return (text) => {
    let result = known.get(text)
    if (result === undefined) {
      budget.match(size * text.length)
      known.set(text, (result = compiled.matcher(text).find()))
    }
    return result
  }
}

/** The latest ones, because queries and rules are repeated. */
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
