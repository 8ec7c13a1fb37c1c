import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNumber } from '../src/ui/form/read-number.ts'

const whole = (text: string, units?: string) => readNumber(text, { units })
const fraction = (text: string, units?: string) => readNumber(text, { decimals: true, units })

describe('a number is read as people write it', () => {
  test.each([
    ['15', 15],
    [' 007 ', 7],
    ['+5', 5],
    ['１２', 12],
    ['10 000', 10_000],
    ['1\u00A0000\u00A0000', 1_000_000],
    ['1\u202F000', 1000],
    ["1'000", 1000],
    ['1,000,000', 1_000_000],
    ['10 GiB', 10],
    ['10gib', 10],
    ['1 TiB', 1024],
    ['2048 MiB', 2],
  ])('%s is the whole number %d', (text, value) => {
    expect(whole(text, 'GiB')).toEqual({ value })
  })

  test.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['１，５', 1.5],
    ['.5', 0.5],
    ['0,125', 0.125],
    ['1.125', 1.125],
    ['1 234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['512 MiB', 0.5],
  ])('%s is %d', (text, value) => {
    expect(fraction(text, 'GiB')).toEqual({ value })
  })

  test.each([
    ['1,5', 'Only whole numbers'],
    ['1.000', 'Only whole numbers'],
    ['5.', 'Only whole numbers'],
    ['512 MiB', 'Only whole numbers'],
    ['1,000', 'Only whole numbers, without commas: 1000'],
    ['10 GB', 'Only a number of GiB'],
    ['-5', 'Must not be negative'],
    ['1 5', 'Not a number'],
    ['1e3', 'Not a number'],
    ['0x10', 'Not a number'],
    ['½', 'Not a number'],
    ['-', 'Not a number'],
    ['12345678901234567', 'Too many digits'],
  ])('%s is refused: %s', (text, problem) => {
    expect(whole(text, 'GiB')).toEqual({ problem })
  })

  test('a comma that may separate a group or begin a fraction is refused', () => {
    expect(fraction('1,000')).toEqual({ problem: 'Write 1000 or 1.000: 1,000 can mean both' })
  })
})

test('no text becomes a number with other digits', () => {
  const characters = [..."0123456789０９.,-+ \u00A0'’_eExGiBM٣²½"]
  const texts = fc.string({ unit: fc.constantFrom(...characters), maxLength: 9 })
  const digits = (text: string) =>
    text.replace(/[０-９]/g, (digit) => digit.normalize('NFKC')).replace(/\D/g, '')
  const trimmed = (text: string) => digits(text).replace(/^0+|0+$/g, '')
  fc.assert(
    fc.property(texts, fc.boolean(), (text, decimals) => {
      const read = readNumber(text, { decimals, negative: true })
      if ('problem' in read) return read.problem !== ''
      expect(trimmed(read.value.toFixed(9))).toBe(trimmed(text))
      expect(text).not.toMatch(/[٣²½eEx]/)
      expect(read.value < 0).toBe(/[-]/.test(text) && Number(digits(text)) > 0)
      if (!decimals) expect(Math.abs(read.value)).toBe(Number(digits(text)))
      return true
    }),
  )
})
