/**
 * Work before the limit: the size of all that a client sends is compared with its maximum before any
 * part of it is looked at, and rules about lists look at each element once.
 */
import { apiDocument, type Operation, operationTable } from '@steading/api'
import { firstRepeated, transitIpProblem } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { unboundedInputs } from '../src/bounds.ts'
import { ParseError, parseValue } from '../src/parse.ts'
import {
  array,
  bare,
  boolean,
  maxItemsOf,
  object,
  oneOf,
  ruledArray,
  ruledText,
  type Schema,
  schemasInside,
  string,
  uint8,
  wireForm,
} from '../src/schema.ts'
import { NEWEST_API_VERSION, upgradeRequest } from '../src/versions.ts'

const BODY = 1024 * 1024

test('all texts, lists and maps that a client sends have a maximum in the document', () => {
  expect(unboundedInputs(apiDocument(operationTable, { unpublished: true }))).toEqual([])
})

test('a list, a text or any JSON without a maximum in a request is found', () => {
  const base = { tags: [], summary: '', permission: 'session', success: { status: 204 } } as const
  const table: Record<string, Operation> = {
    one: { ...base, method: 'PUT', path: '/one', query: { word: string }, params: {} },
  }
  expect(unboundedInputs(apiDocument(table))).toEqual(['PUT /one query word'])
})

/** Adds a schema and all schemas inside, each once. */
function addSchemas(wrapped: Schema, found: Set<Schema>): void {
  const schema = bare(wrapped)
  if (found.has(schema)) return
  found.add(schema)
  for (const inner of schemasInside(schema)) addSchemas(inner, found)
}

const bodies = Object.values(operationTable as Record<string, Operation>).flatMap(({ body }) =>
  body ? [body] : [],
)
const all = new Set<Schema>()
for (const body of bodies) addSchemas(body, all)
const schemas = [...all]
const lists = schemas.filter((schema) => schema instanceof z.ZodArray)
const maps = schemas.filter((schema) => schema instanceof z.ZodRecord)
const texts = schemas.filter((schema) => 'maxLength' in (wireForm(schema) ?? {}))

/** A list that counts the reads of its elements. */
function countedList(elements: readonly unknown[]) {
  const reads = { count: 0 }
  const value = new Proxy(elements, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++
      return Reflect.get(target, key, receiver)
    },
  })
  return { value, reads }
}

const refusalOf = (schema: Schema, value: unknown): string => {
  try {
    upgradeRequest(schema, value)
    parseValue(object({ part: schema }), { part: value })
    return 'nothing was refused'
  } catch (error) {
    if (error instanceof ParseError) return error.message
    throw error
  }
}

/** Two bytes for each element. */
const longList = Array.from({ length: BODY / 2 }, () => 0)
const manyKeys = Object.fromEntries(
  Array.from({ length: BODY / 16 }, (_, index) => [`key${index}`, 0]),
)
const longText = 'x'.repeat(BODY)

describe('a body of the largest size', () => {
  test('is made of lists, maps and texts', () => {
    expect(lists.length).toBeGreaterThan(30)
    expect(maps.length).toBeGreaterThan(2)
    expect(texts.length).toBeGreaterThan(30)
  })

  test.each(lists.map((schema, index) => [index, schema] as const))(
    'is refused without a look at an element of its list %i',
    (_, schema) => {
      const { value, reads } = countedList(longList)
      expect(refusalOf(schema, value)).toMatch(/\b\d+\b/)
      expect(reads.count).toBe(0)
    },
  )

  test.each(lists.map((schema, index) => [index, schema] as const))(
    'is read once or twice where its list %i has as many elements as are permitted',
    (_, schema) => {
      const { value, reads } = countedList(Array.from({ length: maxItemsOf(schema) }, () => 0))
      refusalOf(schema, value)
      expect(reads.count).toBeLessThanOrEqual(2 * value.length)
    },
  )

  test.each(maps.map((schema, index) => [index, schema] as const))(
    'is refused without a look at a value of its map %i',
    (_, schema) => {
      let reads = 0
      const value = new Proxy(manyKeys, {
        get(target, key, receiver) {
          if (String(key).startsWith('key')) reads++
          return Reflect.get(target, key, receiver)
        },
      })
      expect(refusalOf(schema, value)).toMatch(/expected at most \d+ keys/)
      expect(reads).toBe(0)
    },
  )

  test.each(texts.map((schema, index) => [index, schema] as const))(
    'is refused with a short message for its text %i',
    (_, schema) => {
      const { maxLength } = wireForm(schema) as { maxLength: number }
      const message = refusalOf(schema, maxLength < BODY ? longText : 'x'.repeat(maxLength + 1))
      expect(message).not.toBe('nothing was refused')
      expect(message.length).toBeLessThan(12_000)
    },
  )
})

test('a long text instead of another type is refused with a short message', () => {
  for (const schema of [boolean, uint8, object({}), oneOf(1, 2), array(string, 1)]) {
    const message = refusalOf(schema, longText)
    expect(message).toContain('invalid type: string "xxx')
    expect(message.length).toBeLessThan(500)
  }
})

test('a rule of a handler sees what is a little too long, and the parser names the maximum of the rule', () => {
  expect(refusalOf(ruledArray(string, 2), ['a', 'b', 'c'])).toBe('nothing was refused')
  expect(refusalOf(ruledArray(string, 2), ['a', 'b', 'c', 'd', 'e'])).toContain(
    'invalid length 5, expected at most 2 elements',
  )
  expect(refusalOf(ruledText(2), 'abc')).toBe('nothing was refused')
  expect(refusalOf(ruledText(2), 'abcde')).toContain(
    'invalid length 5, expected at most 2 characters',
  )
})

test.each([
  ['transitIpProblem', transitIpProblem, (index: number) => `10.${index >> 8}.${index & 255}.0/24`],
  ['firstRepeated', firstRepeated, (index: number) => `v${index}`],
])('%s looks at each element of a list once', (_, problemOf, elementOf) => {
  const { value, reads } = countedList(Array.from({ length: 1000 }, (_each, i) => elementOf(i)))
  expect(problemOf(value as string[])).toBeUndefined()
  expect(reads.count).toBeLessThanOrEqual(value.length)
})

test.each([
  [['10.0.0.0/24', '10.0.1.0/24', '10.0.0.128/25'], '10.0.0.128/25 overlaps with 10.0.0.0/24'],
  [['10.0.0.128/25', '10.0.2.0/24', '10.0.0.0/16'], '10.0.0.0/16 overlaps with 10.0.0.128/25'],
  [['10.0.0.0/24', '10.0.0.0/25'], '10.0.0.0/25 overlaps with 10.0.0.0/24'],
  [['10.0.0.0/25', '10.0.0.0/24'], '10.0.0.0/24 overlaps with 10.0.0.0/25'],
  [['10.0.0.0/24', 'fd00::/64', '10.0.1.0/24'], undefined],
])('the overlap among the transit IPs %j is found', (nets, problem) => {
  expect(transitIpProblem(nets)).toEqual(problem && expect.stringContaining(problem))
})

test('the newest version is converted without a look at its contents', () => {
  for (const body of bodies) {
    const { value, reads } = countedList([0, 0])
    upgradeRequest(body, value, NEWEST_API_VERSION)
    expect(reads.count).toBe(0)
  }
})
