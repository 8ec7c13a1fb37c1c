/** The cost of regular expressions is known before they are compiled. */
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { COMPILE_STEPS_MAX, REGULAR_EXPRESSION_MAX } from '../src/limits.ts'
import { patternCost } from '../src/pattern-cost.ts'
import { TooExpensiveError } from '../src/query-error.ts'
import { regularExpression } from '../src/regular-expression.ts'

const LAST = '\u{1e943}'

test.each([
  ['ranges that ignore case', `(?i)[${`k-${LAST}`.repeat(990)}]`],
  ['the same with escapes', `(?i)[${'k-\\x{1e943}'.repeat(300)}]`],
  ['the flag behind others', `(?s)(?mi:[${`k-${LAST}`.repeat(900)}])`],
  ['the flag behind the class', `[a](?i)[^${`k-${LAST}`.repeat(900)}]`],
  ['a class that begins with a bracket', `(?i)[]${`k-${LAST}`.repeat(900)}]`],
  ['a class behind a quotation', `(?i)\\Q[\\E[${`k-${LAST}`.repeat(900)}]`],
  ['classes of Unicode', `[${'\\pL'.repeat(1300)}]`],
  ['classes of Unicode in a row', '\\p{Lu}\\P{Ll}'.repeat(300)],
  ['repetitions in a row', 'x{1000}'.repeat(500)],
  ['repetitions of repetitions', '((x{10}){10}){10}'.repeat(200)],
  ['a repetition of a long group', `(${'x'.repeat(900)}){30}`],
  ['optional repetitions', '(x{0,1000})'.repeat(300)],
])('are refused before they are compiled: %s', (_, pattern) => {
  expect(patternCost(pattern).steps).toBeGreaterThan(COMPILE_STEPS_MAX)
  expect(() => regularExpression(pattern)).toThrow(TooExpensiveError)
})

test.each([
  '^t6_|^cpu',
  '(?i)^oxide-[a-z0-9-]+$',
  '(?i)[а-яё]+',
  '(?i)[一-龥]',
  '[a-z]{100}',
  '\\pL+\\d',
  Array.from({ length: 40 }, () => crypto.randomUUID()).join('|'),
])('everyday ones are compiled: %s', (pattern) => {
  expect(regularExpression(pattern)('none')).toBeTypeOf('boolean')
})

/** Valid pieces, in all kinds of nesting. */
const patterns = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom('a', '.', '\\d', '\\pL', '[a-z]', '[^k]', '\\.', '-', '\\b', '^', '$', '😀'),
    fc.constantFrom('\\Q(x\\E', '\\x{41}', '[]a]', '[[:alpha:]-]', '[\\]x-z]', '(?i)', '{a', '[(]'),
    fc.array(tie('any'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    fc.tuple(tie('any'), tie('any')).map((parts) => parts.join('|')),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?P<n>', '(?i:'), tie('any'))
      .map(([begin, inner]) => `${begin}${inner})`),
    fc
      .tuple(tie('any'), fc.constantFrom('*', '+', '?', '{3}', '{2,5}', '{0,30}', '{12,}'))
      .map(([inner, repeated]) => `(?:${inner})${repeated}`),
    fc
      .tuple(
        fc.constantFrom('a', '[xy]', '\\pN', '.'),
        fc.constantFrom('*?', '{9}', '{0,7}', '{4,}'),
      )
      .map((parts) => parts.join('')),
  ),
})).any

function programSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return undefined
  }
}

test('the size of a program is not underestimated', () => {
  let valid = 0
  fc.assert(
    fc.property(patterns, (pattern) => {
      const { size, steps } = patternCost(pattern)
      if (steps > 20 * COMPILE_STEPS_MAX) return
      const found = programSize(pattern)
      if (found === undefined) return
      valid++
      expect(size, pattern).toBeGreaterThanOrEqual(found)
    }),
    { numRuns: 300 },
  )
  expect(valid).toBeGreaterThan(100)
})

test('any text has a cost, and is compiled or refused', () => {
  const pieces = fc.constantFrom(...'()[]{}\\^-|*+?:<>P=!iQEpLx019,.a', LAST)
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const pattern = parts.join('')
      expect(patternCost(pattern).steps).toBeGreaterThan(0)
      const found = patternCost(pattern).steps > COMPILE_STEPS_MAX ? 0 : programSize(pattern)
      if (found !== undefined) expect(patternCost(pattern).size).toBeGreaterThanOrEqual(found)
    }),
    { numRuns: 500 },
  )
})

test('the cost of a pattern is charged before compiling, and of each text before matching', () => {
  const told: string[] = []
  const budget = {
    compile: (steps: number) => void told.push(steps > 0 ? 'compile' : 'nothing'),
    match: (steps: number) => void told.push(`match ${steps}`),
  }
  const matches = regularExpression('ab', budget)
  expect(matches('xaby')).toBe(true)
  expect(matches('xaby')).toBe(true)
  const size = programSize('ab')!
  expect(told).toEqual(['compile', `match ${4 * size}`])
  expect(size).toBeLessThan(REGULAR_EXPRESSION_MAX)
})
