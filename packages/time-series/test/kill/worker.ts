/** Appends samples to a store until it is killed, and prints the number of each appended batch. */
import { tryLock } from '../../../node/src/data-lock.ts'
import { EmbeddedTimeSeries } from '../../src/embedded.ts'

const [, , directory, first, begin] = process.argv
const SERIES = 20

const store = new EmbeddedTimeSeries({
  directory: directory!,
  lock: tryLock,
  keepFree: 0,
  // A head of a few batches, so that many kills come while segments are written and merged.
  headWeight: 5_000,
  retention: { rawMs: 1e12, keepMs: 1e12, intervalMs: 1 },
  log: (message) => console.error(message),
})
for (let batch = Number(first); ; batch++) {
  await store.append(
    Array.from({ length: SERIES }, (_, series) => ({
      name: 'a:b',
      fields: { series },
      timestamp: Number(begin) + batch,
      startTime: Number(begin),
      datum: batch * SERIES + series,
    })),
  )
  process.stdout.write(`${batch}\n`)
}
