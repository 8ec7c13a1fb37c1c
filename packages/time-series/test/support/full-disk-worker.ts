/** Fills the disk of a directory with samples, frees space again, and reports the results. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryLock } from '../../../node/src/data-lock.ts'
import { EmbeddedTimeSeries } from '../../src/embedded.ts'

const [, , directory] = process.argv
const ballast = join(directory!, 'ballast')
writeFileSync(ballast, Buffer.alloc(1024 * 1024, 1))

const log: string[] = []
const data = join(directory!, 'time-series')
const open = () =>
  new EmbeddedTimeSeries({
    directory: data,
    lock: tryLock,
    keepFree: 0,
    headWeight: 3 * 10_000,
    retention: { rawMs: 1e12, keepMs: 1e12, intervalMs: 1 },
    log: (message) => void log.push(message),
  })
let store = open()
let appended = 0
const append = async () => {
  const samples = Array.from({ length: 1_000 }, (_, index) => ({
    name: 'a:b',
    fields: { id: index % 10 },
    timestamp: Date.now() - 1e9 + appended + index,
    // Values that no compression makes smaller.
    datum: Math.sin(appended + index),
  }))
  await store.append(samples)
  appended += samples.length
}
const readAll = async () => {
  const found = await store.read({ name: 'a:b', where: [] }, 1e7)
  return found.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
}
const report: Record<string, unknown> = {}
for (;;) {
  try {
    await append()
  } catch (error) {
    report.refusal = String(error)
    break
  }
}
report.problem = (await store.status()).problem
report.lostWhenFull = appended - (await readAll())
rmSync(ballast)
// The store checks the space again after a while.
while (
  !(await append().then(
    () => true,
    () => false,
  ))
) {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
await store.settle()
report.lostAfter = appended - (await readAll())
await store.close()
store = open()
report.lostAfterRestart = appended - (await readAll())
report.problemAtEnd = (await store.status()).problem
await store.close()
report.files = readdirSync(data).filter((name) => statSync(join(data, name)).size === 0)
report.log = log
console.log(JSON.stringify(report))
