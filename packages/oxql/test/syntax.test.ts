/** The language: valid and invalid queries, error messages, printing and completion. */
import { expect, test } from 'vitest'
import { completionAt, describe, highlight, parse, ParseError, print } from '../src/index.ts'

function errorOf(text: string): ParseError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ParseError) return error
    throw error
  }
  throw new Error(`"${text}" is a query`)
}

test('queries are printed in the usual style', () => {
  const usual = [
    'get virtual_machine:vcpu_usage',
    'get a:b | filter timestamp >= @2024-01-01 && timestamp < @2024-01-01T01:02:03.5',
    'get a:b | filter x == "10.0.0.1" || y == \'10.0.0.1\' || z == -5 && u == 1.5 ^ !(v != true)',
    'get a:b | filter timestamp > @now() - 5m | filter timestamp < @12:00:00 | filter t > @now()',
    'get a:b | filter x ~= "^sled-[0-9]\\\\d+$" && y == \'say "hi"\'',
    'get a:b | align mean_within(60s) | group_by [instance_id, state], sum | first 5 | last 3',
    '{ get a:b; get c:d | filter x > 1ns } | align interpolate(5Y) | join | group_by []',
  ]
  for (const text of usual) expect(print(parse(text))).toBe(text)
})

test('whitespace, trailing commas, hexadecimal numbers and UUIDs without dashes are accepted', () => {
  const same: [string, string][] = [
    ['\n get\ta_1:b2|filter\nx==0x1F', 'get a_1:b2 | filter x == 31'],
    ['{get a:b;get c:d}|join', '{ get a:b; get c:d } | join'],
    ['get a:b | group_by [x,y,],mean', 'get a:b | group_by [x, y]'],
    ['get a:b | filter !!(x==-0x10)&&y<=1e3', 'get a:b | filter !!(x == -16) && y <= 1000.0'],
    [
      'get a:b | filter ((x == 1 || y == 2) && z == 3)',
      'get a:b | filter (x == 1 || y == 2) && z == 3',
    ],
    [
      'get a:b | filter x == "A0EEBC999C0B4EF8BB6D6BB9BD380A11"',
      'get a:b | filter x == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"',
    ],
    ['get a:b | filter x == "FE80:0:0::1"', 'get a:b | filter x == "fe80::1"'],
    [String.raw`get a:b | filter x == '\u{1F600}\t\0'`, String.raw`get a:b | filter x == "😀\t\0"`],
    ['get a:b | filter x > @now()-5m', 'get a:b | filter x > @now() - 5m'],
    [
      'get a:b | filter x == 18446744073709551615 || x == -9223372036854775808',
      'get a:b | filter x == 18446744073709551615 || x == -9223372036854775808',
    ],
  ]
  for (const [text, printed] of same) expect(print(parse(text))).toBe(printed)
})

test('an error has a position, its context, and the expected input', () => {
  const text = 'get virtual_machine:vcpu_usage\n| filter state == "run" & cpu == 5'
  const error = errorOf(text)
  expect(error.message).toBe(
    [
      'Error at 2:25: .. | filter state == "run" & cpu == 5 ..',
      '                                          ^',
      'Expected: "^", "&&", "||", "|" or the end of the query',
    ].join('\n'),
  )
  expect(error).toMatchObject({ offset: 55, line: 2, column: 25 })
  expect(error.expected).toContain('"&&"')
})

test('errors are located', () => {
  const mistakes: [text: string, column: number, expected: string][] = [
    ['', 1, '"get" or "{"'],
    ['get', 4, 'the name of a timeseries'],
    ['get virtual_machine', 5, 'the name of a timeseries'],
    ['get virtual_machine:', 21, 'the name of a metric'],
    ['get Virtual:x', 5, 'the name of a timeseries'],
    ['get a__b:x', 7, 'a letter from a to z or a digit'],
    ['get a :b', 5, 'the name of a timeseries'],
    ['get a:b filter x == 1', 9, '"|" or the end of the query'],
    ['get a:b || filter x == 1', 9, '"|" or the end of the query'],
    ['get a:b | filter', 17, '"!", "(" or a field'],
    ['get a:b | filter(x == 1)', 17, 'a space'],
    ['get a:b | filter x', 19, '"==", "!=", ">=", ">", "<=", "<" or "~="'],
    ['get a:b | filter x = 1', 20, '"==", "!=", ">=", ">", "<=", "<" or "~="'],
    ['get a:b | filter x == y', 23, 'a value'],
    ['get a:b | filter (x == 1', 25, '"^", "&&", "||" or ")"'],
    ['get a:b | filter x == 10x', 25, 'a digit or a unit of time'],
    ['get a:b | filter x == "abc', 27, 'a closing "'],
    [String.raw`get a:b | filter x == "a\q"`, 25, String.raw`one of \n, \r, \t, \\, \0 and \u{…}`],
    ['get a:b | filter x == 18446744073709551616', 23, 'an integer from'],
    ['get a:b | filter x == 1e999', 23, 'a number that fits into 64 bits'],
    ['get a:b | filter x > @2024-02-30', 22, 'a date of the calendar'],
    ['get a:b | filter x > @25:00:00', 22, 'a time of day'],
    ['get a:b | filter x > @yesterday', 22, 'a timestamp like @2026-01-31T12:00:00 or @now()'],
    [
      'get a:b | filter x > @2024-01-01T00:00:00Z',
      42,
      '"^", "&&", "||", "|" or the end of the query',
    ],
    ['get a:b | filter x > @now() - 5', 31, 'a duration like 5m'],
    ['get a:b | filter x ~= 5', 23, '~= comparison is only supported for string literals'],
    ['get a:b | filter x ~= "10.0.0.1"', 23, '~= comparison is only supported for string literals'],
    ['get a:b | align mean_within(0s)', 29, 'a duration like 5m'],
    ['get a:b | align mean_within(99999999Y)', 29, 'a shorter duration'],
    ['get a:b | align mean(5s)', 17, '"mean_within" or "interpolate"'],
    ['get a:b | group_by x', 20, '"["'],
    ['get a:b | group_by [x y]', 23, '"," or "]"'],
    ['get a:b | group_by [x], max', 25, '"mean" or "sum"'],
    ['get a:b | first 0', 17, 'a whole number from 1'],
    ['get a:b | first -1', 17, 'a whole number from 1'],
    ['get a:b | limit 5', 11, '"filter", "align", "group_by", "join", "first" or "last"'],
    ['filter x == 1', 1, 'every subquery must start with a `get` operation'],
    ['get a:b | get c:d', 11, 'every subquery must start with a `get` operation'],
    ['get a:b | { get c:d }', 11, 'every subquery must start with a `get` operation'],
    ['{ get a:b; join }', 12, 'every subquery must start with a `get` operation'],
    ['{ get a:b', 10, '"|", ";" or "}"'],
    ['{ get a:b; }', 12, '"get" or "{"'],
    ['get a:b }', 9, '"|" or the end of the query'],
  ]
  for (const [text, column, expected] of mistakes) {
    const { message, ...error } = errorOf(text)
    expect([text, error.column]).toEqual([text, column])
    expect(message).toContain(`Expected: ${expected}`)
  }
})

test('long, deeply nested and strange texts are refused at once', () => {
  const long = (text: string, count: number): string =>
    `get a:b | filter ${text.repeat(count)}x == 1`
  expect(() => parse(long('!', 4080))).toThrow('Queries must be <= 4096 characters')
  expect(() => parse(long('!', 4000))).toThrow('Logical expression is too complicated to simplify')
  expect(() => parse(long('(', 4000))).toThrow('Logical expression is too complicated to simplify')
  expect(() => parse('{'.repeat(4096))).toThrow('at most 16 groups in each other')
  expect(() => parse('\0'.repeat(4096))).toThrow('Error at 1:1')
  expect(() => parse('\u{1F600}'.repeat(2048))).toThrow('Error at 1:1')
})

/** Completions at the position of the bar. */
function offered(text: string) {
  const at = text.indexOf('¦')
  const { expected, typed, inputs } = completionAt(text.replace('¦', ''), at)
  return { typed, inputs, expected: expected.map(describe) }
}

test('completions are known at each position, even in the middle', () => {
  expect(offered('¦').expected).toEqual(['"get"', '"{"'])
  expect(offered('ge¦')).toMatchObject({ typed: 'ge', expected: ['"get"', '"{"'] })
  expect(offered('get virtual_machine:v¦ | last 1')).toMatchObject({
    typed: 'virtual_machine:v',
    expected: ['the name of a timeseries'],
  })
  expect(offered('get a:b ¦').expected).toEqual(['"|"', 'the end of the query'])
  expect(offered('get a:b | ¦').expected).toContain('"group_by"')
  expect(offered('get a:b | filter in¦').expected).toContain('a field')
  expect(offered('get a:b | filter x ¦').expected).toContain('"~="')
  const value = completionAt('get a:b | filter x == "ru', 25)
  expect(value).toMatchObject({
    start: 22,
    end: 25,
    typed: '"ru',
    expected: [{ kind: 'value', identifier: 'x', comparison: '==' }],
  })
  expect(offered('get a:b | filter x == 1 ¦ | last 1').expected).toContain('"&&"')
  expect(offered('get a:b | align ¦').expected).toEqual(['"mean_within"', '"interpolate"'])
  expect(offered('{ get a:b; get c:d } | filter ¦')).toMatchObject({
    inputs: { names: ['a:b', 'c:d'] },
  })
  expect(
    offered('get a:b | align mean_within(1m) | group_by [x, y], sum | filter ¦'),
  ).toMatchObject({
    inputs: { names: ['a:b'], fields: ['x', 'y'] },
  })
  expect(offered('get a:b | nonsense | filter ¦').expected).toEqual([])
})

test('words are highlighted, whatever errors are around them', () => {
  const kinds = (text: string) =>
    highlight(text).map(({ start, end, kind }) => `${text.slice(start, end)} ${kind}`)
  expect(
    kinds('get a:b | filter timestamp > @now() && get == true # | align mean_within(5'),
  ).toEqual([
    'get operation',
    'a:b timeseries',
    '| punctuation',
    'filter operation',
    'timestamp field',
    '> operator',
    '@now() timestamp',
    '&& operator',
    'get field',
    '== operator',
    'true boolean',
    '# invalid',
    '| punctuation',
    'align operation',
    'mean_within function',
    '( punctuation',
    '5 number',
  ])
})
