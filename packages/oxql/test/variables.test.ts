/** Variables of saved queries; a value can never become part of the query's text. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillVariables, maskVariables, parse, print, variablesOf } from '../src/syntax.ts'

const ID = '11111111-2222-4333-8444-555555555555'

test.each([
  ['get a:b | filter x == $instance', ['instance']],
  ['get a:b | filter x == $instance && y == $disk || z == $instance', ['instance', 'disk']],
  ['get a:b | filter x == "$instance"', []],
  ['get a:b | filter x == \'$instance\' && y ~= "a$disk"', []],
  ['get a:b | filter x == $ instance', []],
  ['get a:b | filter x == "unclosed $instance', []],
])('%s uses %j', (text, names) => {
  expect(variablesOf(text)).toEqual(names)
})

test('an ID replaces a variable, and nothing else', () => {
  const text = 'get a:b | filter x == $instance && y == "$instance" && z == $disk'
  const filled = fillVariables(text, { instance: ID })
  expect(filled).toBe(`get a:b | filter x == "${ID}" && y == "$instance" && z == $disk`)
  expect(() => parse(filled)).toThrow('Expected: a value')
  expect(print(parse(fillVariables(filled, { disk: ID })))).toContain(`z == "${ID}"`)
})

test('a query with variables is parsed with unchanged positions', () => {
  const text = 'get a:b | filter x == $instance && y == "$disk" && z == $disk'
  expect(maskVariables(text, ['instance', 'disk'])).toBe(
    'get a:b | filter x == 111111111 && y == "$disk" && z == 11111',
  )
  expect(maskVariables(text, [])).toBe(text)
})

test('values other than IDs are refused', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(() => fillVariables('get a:b | filter x == $instance', { instance: value })).toThrow(
        'stands for an ID',
      )
    }),
  )
  expect(fillVariables('get a:b | filter x == $toString', {})).toBe(
    'get a:b | filter x == $toString',
  )
})
