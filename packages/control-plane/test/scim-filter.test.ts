/** The grammar of SCIM filters and paths: every spelling is parsed to its meaning. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../src/kernel/errors.ts'
import {
  type AttributePath,
  comparisons,
  type Filter,
  parseFilter,
  parsePath,
  type TargetPath,
} from '../src/resources/identity/scim/filter.ts'

const name = fc.stringMatching(/^\$?[a-zA-Z][\w-]{0,8}$/)
const schema = fc.constantFrom(
  'urn:ietf:params:scim:schemas:core:2.0:User',
  'URN:example:x-y_z:1.0',
)
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

/** Without undefined properties, like the output of the parser. */
const defined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T

const path: fc.Arbitrary<AttributePath> = fc
  .record({ schema: optional(schema), name, sub: optional(name) })
  .map(defined)
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', 'a"] and b[', ') or (x eq 1'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      kind: fc.constant('compare' as const),
      path,
      operator: fc.constantFrom(...comparisons),
      value,
    }),
    fc.record({ kind: fc.constant('present' as const), path }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      left: tie('filter'),
      right: tie('filter'),
    }),
    fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
    fc.record({ kind: fc.constant('some' as const), path, filter: tie('filter') }),
  ),
}))

/** A client's style of writing: upper and lower case, and spaces. */
interface Style {
  word: (word: string) => string
  space: string
}
const style: fc.Arbitrary<Style> = fc.record({
  word: fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word[0]!.toUpperCase() + word.slice(1),
  ),
  space: fc.constantFrom('', ' ', '  '),
})

const pathText = ({ schema: urn, name: of, sub }: AttributePath): string =>
  `${urn ? `${urn}:` : ''}${of}${sub ? `.${sub}` : ''}`

function filterText(of: Filter, how: Style): string {
  const { word, space } = how
  const inside = (inner: Filter) => `${space}${filterText(inner, how)}${space}`
  switch (of.kind) {
    case 'compare':
      return `${pathText(of.path)} ${space}${word(of.operator)} ${space}${JSON.stringify(of.value)}`
    case 'present':
      return `${pathText(of.path)} ${space}${word('pr')}`
    case 'not':
      return `${word('not')}${space}(${inside(of.filter)})`
    case 'some':
      return `${pathText(of.path)}[${inside(of.filter)}]`
    case 'and':
    case 'or':
      return `(${inside(of.left)}) ${space}${word(of.kind)} ${space}(${inside(of.right)})`
  }
}

test('parses a filter to its meaning, in any spelling', () => {
  fc.assert(
    fc.property(filter, style, (of, how) => {
      expect(parseFilter(filterText(of, how))).toEqual(of)
    }),
    { numRuns: 500 },
  )
})

test('"and" binds more closely than "or", and both from the left', () => {
  const term = (of: string): Filter => ({ kind: 'present', path: { name: of } })
  const joined = (kind: 'and' | 'or', left: Filter, right: Filter): Filter => ({
    kind,
    left,
    right,
  })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(term) as [Filter, Filter, Filter, Filter]
  expect(parseFilter('a pr or b pr and c pr or d pr')).toEqual(
    joined('or', joined('or', a, joined('and', b, c)), d),
  )
  expect(parseFilter('not (a pr) and b pr')).toEqual(joined('and', { kind: 'not', filter: a }, b))
})

test('parses a PATCH path to its meaning', () => {
  const target: fc.Arbitrary<TargetPath> = fc.oneof(
    path,
    fc.record({ schema: optional(schema), name, sub: optional(name), filter }).map(defined),
  )
  fc.assert(
    fc.property(target, style, ({ filter: inner, sub, ...of }, how) => {
      const text = inner
        ? `${pathText(of)}[${filterText(inner, how)}]${sub ? `.${sub}` : ''}`
        : pathText({ ...of, sub })
      expect(parsePath(text)).toEqual(defined({ ...of, sub, filter: inner }))
    }),
    { numRuns: 300 },
  )
})

describe('any other text', () => {
  const refusalOf = (parse: () => unknown): string | undefined => {
    try {
      parse()
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return error.template.error_code
    }
  }
  const words = fc.constantFrom(
    'userName',
    'eq',
    '"x"',
    ' ',
    'and',
    'not',
    '(',
    ')',
    '[',
    ']',
    '.',
    '"',
  )
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
  )

  test('is a filter, or refused', () => {
    fc.assert(
      fc.property(noise, (text) => {
        expect([undefined, 'invalidFilter']).toContain(refusalOf(() => parseFilter(text)))
        expect([undefined, 'invalidPath']).toContain(refusalOf(() => parsePath(text)))
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    '',
    ' ',
    'a',
    'a eq',
    'a eq b',
    'a  eq "x" or',
    'a eq "x',
    "a eq 'x'",
    'a.b.c eq 1',
    'a eq 01',
  ])('like %j is refused', (text) => {
    expect(refusalOf(() => parseFilter(text))).toBe('invalidFilter')
  })

  test('with endless nesting is refused in time', () => {
    expect(refusalOf(() => parseFilter('('.repeat(100_000)))).toBe('invalidFilter')
    expect(refusalOf(() => parseFilter('not('.repeat(100_000)))).toBe('invalidFilter')
    expect(refusalOf(() => parseFilter('a['.repeat(100_000)))).toBe('invalidFilter')
    expect(refusalOf(() => parseFilter(`a eq "${'\\'.repeat(100_000)}`))).toBe('invalidFilter')
  })
})
