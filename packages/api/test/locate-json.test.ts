import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locate } from '../src/locate-json.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Every existing path in a value, with its target. */
function* places(value: Json, path: PropertyKey[] = []): Generator<[PropertyKey[], Json]> {
  yield [path, value]
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* places(item, [...path, index])
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* places(item, [...path, key])
  }
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

describe('locate', () => {
  test('finds the end of every value, in any formatting', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\n`
        for (const [path, expected] of places(JSON.parse(text) as Json)) {
          const before = text.slice(0, locate(text, path))
          // The value is the only text ending there that parses to it.
          const starts = [...before].map((_, at) => at)
          const found = starts.some((at) => {
            try {
              return JSON.stringify(JSON.parse(before.slice(at))) === JSON.stringify(expected)
            } catch {
              return false
            }
          })
          expect(found, `${path.join('.')} in ${text}`).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('stops at the nearest existing value', () => {
    const text = '{"a": {"b": 1}, "c": 2}'
    expect(text.slice(0, locate(text, ['a', 'x']))).toBe('{"a": {"b": 1}')
    expect(text.slice(0, locate(text, ['a', 'b', 'x']))).toBe('{"a": {"b": 1')
    expect(text.slice(0, locate(text, ['x']))).toBe(text)
    expect(text.slice(0, locate(text, []))).toBe(text)
  })

  test('ignores brackets and quotes in strings', () => {
    const text = String.raw`{"a":"}]\"{","b":[1,"x]"],"c":true}`
    expect(text.slice(0, locate(text, ['a']))).toBe(String.raw`{"a":"}]\"{"`)
    expect(text.slice(0, locate(text, ['b', 1]))).toBe(String.raw`{"a":"}]\"{","b":[1,"x]"`)
    expect(text.slice(0, locate(text, ['c']))).toBe(text.slice(0, -1))
  })
})
