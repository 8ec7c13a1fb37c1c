/** Mutants: wrong values as JSON texts, of every type, at every bound, and worse. */
import { type JsonSchema, type Place, resolve } from './contract.ts'

const ofEveryType = [
  'null',
  'true',
  '"false"',
  '1',
  '1.5',
  '[]',
  '[null]',
  '[[]]',
  '{}',
  '{"type":"no-such"}',
  '{"toString":1,"valueOf":1}',
  '{"__proto__":{"length":1},"constructor":{}}',
]

const strings = [
  '',
  ' ',
  'x',
  'x'.repeat(513),
  '\u{1f4a5}'.repeat(200),
  '\0',
  'web\0',
  '\ud800',
  'web\udc00',
  '__proto__',
  "'; drop table disk; --",
]

/** Texts that are nearly valid, by the name of their schema or format. */
const nearly: [kind: RegExp, texts: string[]][] = [
  [
    /Name|UserId|Hostname/,
    [
      'Web',
      'web_1',
      '-web',
      'web-',
      '1web',
      'web.',
      'a'.repeat(63),
      'a'.repeat(64),
      'x'.repeat(254),
    ],
  ],
  [
    /uuid|NameOrId/,
    [
      '00000000-0000-4000-8000-00000000000A',
      '00000000-0000-4000-8000-00000000000g',
      '{00000000-0000-4000-8000-000000000000}',
      '00000000000040008000000000000000',
    ],
  ],
  [
    /date-time/,
    [
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00:00.123456789+02:00',
      '2030-01-01',
      '2030-01-01 00:00:00Z',
      '2030-13-01T00:00:00Z',
      '2030-01-01T25:00:00Z',
      '9999-12-31T23:59:59Z',
      '2030',
    ],
  ],
  [/ip|Net/, ['1.2.3.4', '01.2.3.4', '1.2.3.256', '1.2.3', '::1', ':::1', 'fe80::1%eth0']],
  [
    /Net/,
    [
      '1.2.3.4/32',
      '1.2.3.4/33',
      '1.2.3.4/',
      '1.2.3.4/08',
      '1.2.3.4/-1',
      'fd00::/128',
      'fd00::/129',
    ],
  ],
  [/byte/, ['aGk=', 'aGk', 'a-_=', 'aGk=\n', btoa('x'.repeat(32 * 1024 + 1))]],
  [/plain/, ['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(512), 'null']],
]

const numbers = [
  '-1',
  '-0.0',
  '0',
  '255',
  '256',
  '511',
  '65535',
  '65536',
  '4294967295',
  '4294967296',
  '9007199254740992',
  '9007199254740993',
  '9223372036854774784',
  '9223372036854775808',
  '36893488147419103232',
  '-9223372036854775808',
  '1e400',
  '-1e400',
  '1e-7',
]

/** Nested deeper than any legal body. */
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

/** Large values that cause trouble anywhere. */
export const monsters = [deep(100), deep(10_000), JSON.stringify('x'.repeat(100_000))]

/** Parameters that are encoded, but not as text, or as an odd one. */
export const parameterBytes = ['%FF', '%ED%A0%80', '%2F']

/**
 * Which schemas read a value in the same way: those of its types, or of any words, or the same schema.
 */
export function readerOf(mutant: string, schema: JsonSchema): string {
  const kinds = kindsOf(schema)
  if (ofEveryType.includes(mutant)) {
    return jsonTypes.filter((type) => kinds.includes(type)).join(' ')
  }
  return kinds.includes('words') && mutant.startsWith('"') ? 'words' : JSON.stringify(schema)
}

const jsonTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** The types of a schema, and its names and formats. */
function kindsOf(schema: JsonSchema): string[] {
  const { type = [], format, enum: words, oneOf = [], anyOf = [] } = resolve(schema)
  const named = schema.$ref?.split('/').at(-1) ?? format ?? (words ? 'words' : 'plain')
  return [...[type].flat(), named, ...[...oneOf, ...anyOf].flatMap(kindsOf)]
}

/** Texts to try in place of a text. */
function stringsFor(kinds: string[]): string[] {
  const kind = kinds.join(' ')
  return [...strings, ...nearly.flatMap(([pattern, texts]) => (pattern.test(kind) ? texts : []))]
}

/** Values to try for a parameter, as text. */
export function parameterTexts(schema: JsonSchema): string[] {
  const kinds = kindsOf(schema)
  const texts = stringsFor(kinds).filter((text) => text.isWellFormed())
  return kinds.includes('integer')
    ? [...texts, ...numbers, 'true', '0x10', ' 1', '1 ', '1_000']
    : texts
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values to try at a place of a body. */
export function mutantsFor({ schema, value }: Place): string[] {
  const kinds = kindsOf(schema)
  const found = [...ofEveryType]
  if (kinds.includes('string')) found.push(...stringsFor(kinds).map((text) => JSON.stringify(text)))
  if (kinds.includes('integer')) found.push(...numbers)
  // More items than permitted.
  if (Array.isArray(value) && value.length > 0) {
    found.push(JSON.stringify(Array.from({ length: 200 }, () => value[0])))
  }
  // An unknown field.
  if (isObject(value)) found.push(JSON.stringify({ ...value, no_such_field: [{ x: null }] }))
  return found
}

const PLACEHOLDER = '@here@'

/** The text of a body with a mutant in it. */
export const bodyWith = (place: Place, mutant: string): string =>
  JSON.stringify(place.put(PLACEHOLDER)).replace(JSON.stringify(PLACEHOLDER), () => mutant)

/** The text of a body without a field. */
export const bodyWithout = (place: Place): string => JSON.stringify(place.put(undefined))
