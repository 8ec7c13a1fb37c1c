/** The clock of the database, as servers estimate it from readings. All times are milliseconds. */
import { expect, test } from 'vitest'
import { offsetAfter } from '../src/kernel/db/database-clock.ts'

test('takes the middle of the first reading', () => {
  expect(offsetAfter(undefined, { sent: 100, time: 5_000, received: 141 })).toBe(4_880)
})

test('stays while readings leave room for it, however slow they are', () => {
  const offset = offsetAfter(undefined, { sent: 100, time: 5_000, received: 101 })
  expect(offset).toBe(4_900)
  expect(offsetAfter(offset, { sent: 200, time: 5_190, received: 4_200 })).toBe(offset)
})

test('changes by as much as a reading proves', () => {
  // The monotonic clock has gained some milliseconds, which a fast reading shows.
  expect(offsetAfter(4_900, { sent: 1_000, time: 5_890, received: 1_002 })).toBe(4_891)
  // A slow reading shows only a part of that.
  expect(offsetAfter(4_900, { sent: 1_000, time: 5_890, received: 1_500 })).toBe(4_891)
  expect(offsetAfter(4_900, { sent: 1_000, time: 5_990, received: 1_050 })).toBe(4_940)
})

test('follows a clock that was set, forth and back', () => {
  const ahead = offsetAfter(4_900, { sent: 1_000, time: 425_900, received: 1_000 })
  expect(ahead).toBe(424_900)
  expect(offsetAfter(ahead, { sent: 2_000, time: 6_900, received: 2_000 })).toBe(4_901)
})
