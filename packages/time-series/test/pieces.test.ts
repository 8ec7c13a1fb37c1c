/** Work on many series is done in pieces, between which other work has its turn. */
import type { Sample } from '@steading/oxql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDirectory } from '../../node/test/support/process.ts'
import { rowKey, SeriesGroup } from '../src/series-group.ts'
import { sortedByKey } from '../src/sort.ts'
import { perTurn } from '../../control-plane/test/support/per-turn.ts'
import { random } from '../../control-plane/test/support/random.ts'
import { embedded } from './support/stores.ts'

test('an append takes a few hundred samples in a turn', async () => {
  const store = embedded(temporaryDirectory())
  onTestFinished(() => store.close())
  const taken = perTurn()
  const samples = Array.from({ length: 3_000 }, (_, series): Sample => ({
    name: 'a:b',
    fields: { series },
    timestamp: 1,
    get datum() {
      taken.note(series)
      return series
    },
  }))
  await store.append(samples)
  expect(await taken.most()).toBeLessThanOrEqual(400)
  const series = await store.read({ name: 'a:b', where: [] }, 3_000)
  expect(series.map(({ values }) => values[0])).toEqual(samples.map((_, index) => index))
})

test('a series of a segment is found in a few steps among many', () => {
  const keys = Array.from({ length: 1_000 }, (_, number) => [`name ${number % 10}`, number])
  const group = new SeriesGroup('a:b', ['name', 'number'])
  for (const values of keys.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))) group.add(values)
  const looks = vi.spyOn(group, 'valuesOf')
  for (const values of keys) expect(group.valuesOf(group.sortedRowOf(values)!)).toEqual(values)
  expect(group.sortedRowOf(['name 1', 2])).toBeUndefined()
  expect(looks.mock.calls.length).toBeLessThan(12 * keys.length)
})

test('long lists are sorted in pieces', async () => {
  const breathe = vi.fn<() => Promise<void>>(async () => {})
  for (const length of [0, 1, 1_000, 5_001]) {
    const keys = Array.from({ length }, () => String(random()))
    const sorted = await sortedByKey(
      keys.map((key) => ({ key })),
      breathe,
    )
    expect(sorted.map(({ key }) => key)).toEqual(keys.toSorted())
  }
  expect(breathe.mock.calls.length).toBeGreaterThan(12)
})
