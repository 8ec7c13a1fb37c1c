/** Rows of large tables are read in pages. */
import { expect, test, vi } from 'vitest'
import { allInPages } from '../src/kernel/db/pages.ts'
import { perTurn } from './support/per-turn.ts'

test.for([0, 1, 999, 1_000, 1_001, 5_000])('all of %i rows are read, by pages', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'))
  const read = perTurn()
  const page = vi.fn<(after: string, limit: number) => Promise<string[]>>(async (after, limit) => {
    const some = rows.filter((row) => row > after).slice(0, limit)
    for (const row of some) read.note(row)
    return some
  })
  expect(await allInPages(page, (row) => row)).toEqual(rows)
  expect(await read.most()).toBeLessThanOrEqual(2_000)
  expect(page).toHaveBeenCalledTimes(Math.floor(count / 1_000) + 1)
})
