/** Times and addresses of the built cloud at another time and address. */
import { describe, expect, it } from 'vitest'
import { createMove } from '../src/file/move.ts'

const present = new Date('2026-11-26T12:00:00.000Z')
const now = new Date('2027-02-03T06:30:00.250Z')
const move = createMove(present, { now, origin: 'http://demo.test' })

describe('a value at another time', () => {
  it.each([
    ['2026-11-26T12:00:00.000Z', '2027-02-03T06:30:00.250Z'],
    ['2026-11-26T11:59:30Z', '2027-02-03T06:29:30Z'],
    ['{"at":"2026-11-25T12:00:00.000Z","n":1}', '{"at":"2027-02-02T06:30:00.250Z","n":1}'],
    ['2026-11-26', '2027-02-03'],
    // A schedule in nine days.
    ['2026-12-05T12:00:00.000Z', '2027-02-12T06:30:00.250Z'],
    [present.getTime() - 5000, now.getTime() - 5000],
  ])('%s becomes %s', (value, moved) => expect(move(value)).toBe(moved))

  it.each([
    '2046-01-01T00:00:00Z',
    '2020-01-01T00:00:00.000Z',
    '2026-11-26-a-migration',
    'api-1',
    4096,
    null,
  ])('%s stays', (value) => expect(move(value)).toBe(value))

  it('keeps the number of days between two days', () => {
    const late = createMove(new Date('2026-11-26T23:59:00.000Z'), {
      now: new Date('2026-11-27T00:01:00.000Z'),
      origin: '',
    })
    expect(['2026-11-25', '2026-11-26'].map((day) => late(day))).toEqual([
      '2026-11-26',
      '2026-11-27',
    ])
  })

  it('has the address of the site', () => {
    expect(move('<a href="https://demo.invalid/login/x">')).toBe(
      '<a href="http://demo.test/login/x">',
    )
  })
})
