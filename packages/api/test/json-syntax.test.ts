import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonSyntaxProblem } from '../src/json-syntax.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a syntax problem is located where the platform locates it', () => {
  const damaged = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.nat({ max: 2 }),
      fc.constantFrom(
        '',
        ' ',
        '\n',
        '"',
        '{',
        ']',
        ',',
        ':',
        '\\',
        '\\u12',
        '0',
        '-',
        '.',
        'e',
        't',
      ),
    )
    .map(([text, at, remove, insert]) => {
      const cut = at % (text.length + 1)
      return text.slice(0, cut) + insert + text.slice(cut + remove)
    })
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string()), (text) => {
      expect(jsonSyntaxProblem(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: 2000 },
  )
})

test('only the text before the problem can be continued to valid JSON', () => {
  // A truncated text is valid so far.
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, at) => {
      const cut = text.slice(0, at % text.length)
      if (isJson(cut)) return
      expect(jsonSyntaxProblem(cut)).toMatchObject({
        reason: expect.stringMatching(/^EOF while parsing/),
        offset: cut.length,
      })
    }),
  )
})

test('endless nesting is refused', () => {
  expect(jsonSyntaxProblem('['.repeat(1_000_000))).toEqual({
    reason: 'recursion limit exceeded',
    offset: 130,
  })
})
