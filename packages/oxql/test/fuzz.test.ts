/** Near-queries and arbitrary text get an answer or a clear error, and never hang. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  completionAt,
  evaluate,
  highlight,
  parse,
  ParseError,
  print,
  type Query,
  QueryError,
  tokenize,
  toWire,
} from '../src/index.ts'
import { memorySource, type World } from './support/memory-source.ts'
import { anyQueries, NOW, queries, worlds } from './support/random-queries.ts'

/** Runs per property; `STEADING_RUNS` changes it. */
const numRuns = Number(process.env.STEADING_RUNS ?? 250)

const words =
  'get a:counter a:gauge b:gauge filter align mean_within( group_by [ ] join first last 1 state datum timestamp start_time id n true sum __proto__ constructor'
const signs = '|| | && ^ ! == != < >= ~= ( ) { } ; , -- .. \\'
const values =
  '@now() @2026-03-04 @12:00:00 5s 1ns 9999Y 0x1F 1e308 -9223372036854775808 "run" \'i\' "::1" " \' \\u{1F600} "(a*)*b" "(x+x+)+y" "["'
const fragments = [
  ...[words, signs, values].flatMap((list) => list.split(' ')),
  // Characters that matter only in some positions.
  ...Array.from(' \n\t\0é😀'),
  '\uD800',
]

const soup = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...fragments) },
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 40,
    },
  )
  .chain((parts) => fc.constantFrom('', ' ').map((separator) => parts.join(separator)))

/** Queries with pieces removed, inserted and repeated. */
const damaged = fc
  .tuple(
    fc.oneof(queries, anyQueries).map((query: Query) => print(query)),
    fc.array(fc.tuple(fc.nat(400), fc.nat(12), fc.constantFrom('', ...fragments), fc.nat(3)), {
      maxLength: 4,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((edited, [place, length, piece, times]) => {
      const at = place % (edited.length + 1)
      return edited.slice(0, at) + piece.repeat(times) + edited.slice(at + length)
    }, text),
  )

const bytes = fc
  .uint8Array({ maxLength: 200 })
  .map((values) => new TextDecoder('latin1').decode(values))

function expectCovered(text: string): void {
  const tokens = tokenize(text)
  let end = 0
  for (const token of tokens) {
    expect(token.start).toBeGreaterThanOrEqual(end)
    // Only whitespace separates tokens.
    expect(text.slice(end, token.start)).toMatch(/^[ \t\r\n]*$/)
    expect(text.slice(token.start, token.end)).toBe(token.text)
    ;({ end } = token)
  }
  expect(end).toBe(text.length)
  expect(highlight(text)).toHaveLength(tokens.length - 1)
}

function parsed(text: string): Query | undefined {
  try {
    return parse(text)
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError)
    if (!(error instanceof ParseError)) return undefined
    expect(error.offset).toBeGreaterThanOrEqual(0)
    expect(error.offset).toBeLessThanOrEqual(text.length)
    expect(error.expected.length).toBeGreaterThan(0)
    const [line, caret] = error.message.split('\n') as [string, string]
    const shown = text[error.offset]
    // The caret is below the error.
    if (shown && /\S/.test(shown)) expect(line[caret.length - 1]).toBe(shown)
    return undefined
  }
}

async function expectAnswer(query: Query, world: World[]): Promise<void> {
  try {
    const source = memorySource(...world)
    const tables = await evaluate(query, { source, now: NOW, maxPoints: 2000 })
    expect(JSON.stringify(toWire(tables))).toBeDefined()
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError)
  }
}

test('any text can be tokenized, and is either a valid query or has a located error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(soup, damaged, damaged, bytes),
      fc.nat(),
      worlds,
      async (text, place, world) => {
        expectCovered(text)
        const { start, end } = completionAt(text, place % (text.length + 1))
        expect([0 <= start, start <= end, end <= text.length]).toEqual([true, true, true])
        const query = parsed(text)
        if (query) {
          expect(print(parse(print(query)))).toBe(print(query))
          await expectAnswer(query, world)
        }
      },
    ),
    { numRuns },
  )
})

const repeated = (piece: string, begin = 'get a:gauge | filter ', end = '') =>
  `${begin}${piece.repeat((4096 - begin.length - end.length) / piece.length)}${end}`

test('expensive texts are answered or refused', async () => {
  const [world] = fc.sample(worlds, { seed: 3, numRuns: 1 })
  const texts = [
    repeated('!', undefined, 'n == 1'),
    repeated('('),
    repeated('{', ''),
    repeated('datum>1||', undefined, 'n==1'),
    repeated('(n==1||n==2)&&', undefined, 'n==1'),
    repeated('timestamp!=@now()&&', undefined, 'n==1'),
    repeated('n==1^datum>1^', undefined, 'n==1'),
    repeated('state~="(x+x+)+y"||', undefined, 'n==1'),
    repeated('(a*)*', 'get a:gauge | filter state ~= "', 'b"'),
    repeated('get a:counter;', '{', 'get a:counter}'),
    // An expression that is expensive to compile, for many queries.
    repeated(
      'get a:gauge;',
      '{',
      `get a:gauge}|filter state~="${String.raw`\\d{1000}\\pL{1000}`.repeat(80)}"`,
    ),
    repeated('get a:counter;', '{', 'get a:counter}|align mean_within(1ns)'),
    repeated('|align mean_within(1us)', 'get a:counter|first 1'),
    repeated('|align mean_within(3s)|group_by[]', 'get a:gauge'),
    repeated('|last 1', 'get a:gauge'),
    'get a:gauge | align mean_within(1ns)',
    'get a:gauge | filter timestamp < @9999-12-31 | align mean_within(1s)',
    'get a:gauge | filter timestamp < @now() + 273000Y | align mean_within(273000Y)',
  ]
  for (const text of texts) {
    const query = parsed(text)
    if (query) await expectAnswer(query, world!)
    expect(text.length).toBeLessThanOrEqual(4096)
  }
})
