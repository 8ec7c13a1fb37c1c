import {
  DESCRIPTION_MAX,
  descriptionProblem,
  generateName,
  hostnameProblem,
  isUuid,
  nameFieldProblem,
  nameProblem,
} from '@steading/api/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const inner = [...letters, ...'0123456789-']
const validName = fc
  .tuple(
    fc.constantFrom(...letters),
    fc.array(fc.constantFrom(...inner), { maxLength: 61 }),
    fc.constantFrom(...letters, ...'0123456789'),
  )
  .map(([first, middle, last]) => `${first}${middle.join('')}${last}`)
  .filter((name) => !isUuid(name))

describe('names', () => {
  test.each([
    ['a', undefined],
    ['a1-b', undefined],
    ['a'.repeat(63), undefined],
    ['a'.repeat(64), 'name may contain at most 63 characters'],
    ['', 'name requires at least one character'],
    ['1a', 'name must begin with an ASCII lowercase character'],
    ['-a', 'name must begin with an ASCII lowercase character'],
    ['A', 'name must begin with an ASCII lowercase character'],
    ['é', 'name must begin with an ASCII lowercase character'],
    [
      'aBc',
      'name contains invalid character: "B" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [
      'a😀',
      'name contains invalid character: "😀" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    [
      'a_b-',
      'name contains invalid character: "_" (allowed characters are lowercase ASCII, digits, and "-")',
    ],
    ['a-', 'name cannot end with "-"'],
    ['a1b2c3d4-0000-4000-8000-000000000000', 'name cannot be a UUID to avoid ambiguity with IDs'],
  ])('%j: %s', (name, problem) => {
    expect(nameProblem(name)).toBe(problem)
  })

  test('every name made by the rules is taken, by form and control plane alike', () => {
    fc.assert(
      fc.property(validName, (name) => {
        expect(nameProblem(name)).toBeUndefined()
        expect(nameFieldProblem(name)).toBeUndefined()
      }),
    )
  })

  test('the form refuses exactly what the control plane refuses', () => {
    const nearlyNames = fc.oneof(
      fc.string({ maxLength: 70 }),
      fc.string({ unit: fc.constantFrom(...inner, 'A', '_', ' '), maxLength: 70 }),
      fc.uuid(),
    )
    fc.assert(
      fc.property(nearlyNames, (text) => {
        expect(nameFieldProblem(text) === undefined).toBe(nameProblem(text) === undefined)
      }),
    )
  })

  test('the form names its field', () => {
    expect(nameFieldProblem('', 'DNS name')).toBe('DNS name is required')
  })
})

test('UUIDs are recognised in either case, and nothing else is', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(isUuid(uuid)).toBe(true)
      expect(isUuid(uuid.toUpperCase())).toBe(true)
      expect(isUuid(` ${uuid}`)).toBe(false)
      expect(isUuid(uuid.slice(1))).toBe(false)
      expect(isUuid(uuid.replaceAll('-', ''))).toBe(false)
    }),
  )
})

test('descriptions are at most 512 characters and may be empty', () => {
  expect(descriptionProblem('')).toBeUndefined()
  expect(descriptionProblem('x'.repeat(DESCRIPTION_MAX))).toBeUndefined()
  expect(descriptionProblem('x'.repeat(DESCRIPTION_MAX + 1))).toBeTypeOf('string')
})

test.each([
  ['a', undefined],
  ['web-1.example.Com', undefined],
  ['1', undefined],
  [`${'a'.repeat(126)}.${'b'.repeat(126)}`, undefined],
  ['a'.repeat(254), 'Max hostname length is 253'],
  ['', 'Hostnames must comply with RFC 1035'],
  ['a.', 'Hostnames must comply with RFC 1035'],
  ['.a', 'Hostnames must comply with RFC 1035'],
  ['a..b', 'Hostnames must comply with RFC 1035'],
  ['-a', 'Hostnames must comply with RFC 1035'],
  ['a-', 'Hostnames must comply with RFC 1035'],
  ['a-.b', 'Hostnames must comply with RFC 1035'],
  ['a_b', 'Hostnames must comply with RFC 1035'],
])('hostname %j: %s', (hostname, problem) => {
  expect(hostnameProblem(hostname)).toBe(problem)
})

describe('generated names', () => {
  test('are parts and six hex digits, and names themselves', () => {
    fc.assert(
      fc.property(fc.array(validName, { minLength: 1, maxLength: 4 }), (parts) => {
        const name = generateName(...parts)
        expect(nameProblem(name)).toBeUndefined()
        expect(name).toMatch(/-[0-9a-f]{6}$/)
      }),
    )
  })

  test('keep short parts whole and cut long ones evenly', () => {
    expect(generateName('disk', 'image')).toMatch(/^disk-image-[0-9a-f]{6}$/)
    // floor(63 / 2) - ceil(6 / 2) - 1
    expect(generateName('d'.repeat(63), 'i'.repeat(63))).toMatch(/^d{27}-i{27}-[0-9a-f]{6}$/)
    expect(generateName('d'.repeat(63))).toMatch(/^d{56}-[0-9a-f]{6}$/)
  })
})
