/** Regular expressions that are expensive to compile or to match, in queries and in rules. */
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { type Load, PROJECT } from './world.ts'

const queryOf = (pattern: string): string =>
  `get virtual_machine:vcpu_usage | filter state ~= "${pattern}" | align mean_within(1m) | group_by [instance_id], sum`

/** Repeats a piece up to the maximum length of a query. */
const filled = (before: string, piece: string, after = ''): string =>
  before + piece.repeat(Math.floor((3800 - before.length) / piece.length)) + after

/** Each is expensive in a different way. */
const patterns = [
  // Ranges, for which the cases of each character are looked up.
  filled('(?i)[', 'k-\u{1e943}', ']'),
  filled('(?i)[^', 'k-\u{1e943}', ']'),
  // Tables of characters.
  filled('(?i)[', '\\\\p{L}', ']'),
  filled('[', '\\\\P{Greek}', ']'),
  filled('', '\\\\pL\\\\pN'),
  // Instructions.
  '(((x{1,30}){1,30}){1,2})',
  filled('', '(a|b)*c'),
  filled('', '(x+x+)+y'),
  filled('', '(?i)k'),
  // Close to the permitted maximum.
  `(?i)[${'k-\u{1e943}'.repeat(7)}]`,
  `[${'\\\\PL'.repeat(100)}]`,
  '(?i)(\\\\pL?){300}[yY]',
  '(x?x?){300}[yY]',
  `(?i)(${'ax'.repeat(900)})+`,
]

/** A new pattern for each number, because servers cache compiled ones. */
const patternOf = (number: number): string => `${patterns[number % patterns.length]}|${number}`

const AT_ONCE = 20

/** @param next returns an unused pattern */
const queriesWith = (next: (number: number) => string): Load => ({
  async apply({ attacker }, signal) {
    const answers: Record<number, number> = {}
    const ask = async (first: number): Promise<void> => {
      for (let index = 0; !signal.aborted; index++) {
        const query = queryOf(next(first * 1_000_000 + index))
        const { status } = await attacker('POST', `/v1/timeseries/query?project=${PROJECT}`, {
          query,
        })
        answers[status] = (answers[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(index)))
    return Object.entries(answers)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', ')
  },
})

export const hostileQueries = queriesWith(patternOf)

/** Patterns of the most expensive parts, up to the maximum length of a query. */
const anyPattern = fc
  .tuple(
    fc.constantFrom('', '(?i)', '(?s)', '(?i)[', '[^', '['),
    fc.array(
      fc.oneof(
        fc.constantFrom(
          'k-\u{1e943}',
          '\\\\pL',
          '\\\\PN',
          '\\\\w',
          'a',
          '.',
          '(',
          ')',
          '|',
          ']',
          '[',
        ),
        fc.constantFrom(
          '{1,30}',
          '{200}',
          '*',
          '+',
          '?',
          '(?i:',
          '(x+)+',
          '[[:alpha:]',
          '\\\\p{Greek}',
        ),
      ),
      { minLength: 1, maxLength: 12 },
    ),
    fc.nat({ max: 400 }),
    fc.constantFrom('', ']', '){2,30}', 'y'),
  )
  .map(([before, parts, times, after]) => {
    const piece = parts.join('')
    return before + piece.repeat(Math.min(times, Math.floor(3600 / piece.length))) + after
  })

const RANDOM = 2000

/** Different ones in each run. */
const randomPatterns = fc.sample(anyPattern, RANDOM)

export const randomQueries = queriesWith(
  (number) => `${randomPatterns[number % RANDOM]!.replaceAll('"', '')}|${number}`,
)

const RULES = 200

export const hostileRules: Load = {
  async apply({ attacker }, signal) {
    let made = 0
    for (let index = 0; index < RULES && !signal.aborted; index++) {
      const { status } = await attacker('POST', `/x/v1/alert-rules?project=${PROJECT}`, {
        name: `rule-${index}`,
        description: '',
        query: queryOf(patternOf(index)),
        comparison: 'above',
        threshold: 1,
        duration: 0,
        severity: 'warning',
      })
      if (status === 201) made++
    }
    // The rules are evaluated meanwhile.
    await pause(60_000, undefined, { signal }).catch(() => {})
    return `${made} rules accepted`
  },
  async clear({ admin }) {
    const path = `/x/v1/alert-rules?project=${PROJECT}`
    for (let page; (page = (await admin('GET', `${path}&limit=100`)).body.items).length > 0;) {
      for (const { id } of page) await admin('DELETE', `/x/v1/alert-rules/${id}`)
    }
  },
}
