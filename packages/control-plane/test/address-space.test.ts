/** Free address ranges, compared with a list of the addresses in use. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { openDatabase } from '../src/open-database.ts'
import { addressKey } from '../src/resources/networking/addresses/keys.ts'
import {
  addToSpace,
  type AddressSpace,
  closeSpace,
  giveBack,
  openSpace,
  removeFromSpace,
  takeKey,
  takeLowest,
} from '../src/resources/networking/addresses/space.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openDatabase(openSqlite(':memory:'))
})
afterAll(() => database.close())

const key = (value: number) => addressKey({ version: 'v4', value: BigInt(value) })
async function* inUse(used: ReadonlySet<number>): AsyncGenerator<string> {
  yield* [...used].toSorted((a, b) => a - b).map(key)
}

/** Two adjacent ranges, and one apart. */
const ranges: [number, number][] = [
  [10, 19],
  [20, 24],
  [30, 39],
]
const all = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index),
)
const spaceOf = (used: ReadonlySet<number>): AddressSpace => ({
  id: 'space',
  ranges: ranges.map(([first, last]) => ({ first_key: key(first), last_key: key(last) })),
  used: () => inUse(used),
})

const step = fc.oneof(
  fc.constant({ kind: 'lowest' as const }),
  fc.record({ kind: fc.constant('take' as const), value: fc.integer({ min: 8, max: 41 }) }),
  fc.record({ kind: fc.constant('give' as const), index: fc.nat() }),
)

test('frees exactly the addresses that are not in use, after any takes and returns', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...all)),
      fc.array(step, { maxLength: 60 }),
      async (before, steps) => {
        const used = new Set(before)
        const lowest = () => all.find((value) => !used.has(value))
        await closeSpace(db, 'space')
        expect(await openSpace(db, spaceOf(used))).toBe(true)
        for (const one of steps) {
          if (one.kind === 'lowest') {
            const expected = lowest()
            expect(await takeLowest(db, 'space')).toBe(expected && key(expected))
            if (expected !== undefined) used.add(expected)
          } else if (one.kind === 'take') {
            const free = all.includes(one.value) && !used.has(one.value)
            expect(await takeKey(db, 'space', key(one.value))).toBe(free)
            if (free) used.add(one.value)
          } else if (used.size > 0) {
            const value = [...used][one.index % used.size]!
            used.delete(value)
            await giveBack(db, 'space', key(value))
          }
        }
        expect(await openSpace(db, spaceOf(used))).toBe(false)
        const left: string[] = []
        for (let next = await takeLowest(db, 'space'); next;) {
          left.push(next)
          next = await takeLowest(db, 'space')
        }
        expect(left).toEqual(all.filter((value) => !used.has(value)).map(key))
      },
    ),
    { numRuns: 150 },
  )
})

test('adds and removes a range while the others are in use', async () => {
  const { db } = database
  const values = [key(9), key(20), key(24)]
  const span = (first: number, last: number) => ({ first_key: key(first), last_key: key(last) })
  await closeSpace(db, 'space')
  await openSpace(db, { id: 'space', ranges: [span(10, 19)], used: () => inUse(new Set([10, 19])) })
  // Adjacent to the first one, so that their free ranges merge.
  await addToSpace(db, 'space', span(20, 29))
  for (const value of [20, 21]) expect(await takeKey(db, 'space', key(value))).toBe(true)
  for (const value of [19, 20, 21]) await giveBack(db, 'space', key(value))
  expect(await takeKey(db, 'space', key(30))).toBe(false)
  await removeFromSpace(db, 'space', span(20, 29))
  for (const value of values) expect(await takeKey(db, 'space', value)).toBe(false)
  const left: string[] = []
  for (let next = await takeLowest(db, 'space'); next;) {
    left.push(next)
    next = await takeLowest(db, 'space')
  }
  expect(left).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19].map(key))
})
