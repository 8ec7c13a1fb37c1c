/**
 * A server that is killed: it changes volumes as fast as it can, and prints each change that was
 * acknowledged. Runs as a process of its own: `victim.ts <data> <seed> [url]`.
 */
import { join } from 'node:path'
import { createQcow2Volumes } from '../../src/volumes/volumes.ts'
import { bytesOf, openTestDatabase } from './bytes.ts'

const [data, seed, url] = process.argv.slice(2) as [string, string, string | undefined]

/** One acknowledged change, as a line of JSON. */
export type Change =
  | { volume: string; seed: number }
  | { snapshot: string; seed: number }
  | { gone: string }
  /** A deletion that may have taken effect. */
  | { deleting: string }

const say = (change: Change): void => void process.stdout.write(`${JSON.stringify(change)}\n`)

const database = await openTestDatabase(data, url)
const volumes = createQcow2Volumes(
  { database, log: (...parts) => console.error(...parts), clock: () => new Date() },
  { directory: join(data, 'volumes') },
)
await volumes.start()

let next = Number(seed) * 1_000
const size = 1024 * 1024
const spec = { size, blockSize: 512 }
for (;;) {
  const id = crypto.randomUUID()
  await volumes.create(id, spec)
  const snapshots: string[] = []
  let written = 0
  // Long enough that its chain is shortened.
  for (let round = 0; round < 10; round++) {
    written = next++
    await volumes.write(id, 0, bytesOf(written, 512))
    const snapshot = crypto.randomUUID()
    await volumes.createSnapshot(snapshot, id)
    snapshots.push(snapshot)
    say({ snapshot, seed: written })
  }
  say({ volume: id, seed: written })
  const copy = crypto.randomUUID()
  await volumes.create(copy, { ...spec, source: snapshots.at(-1) })
  say({ volume: copy, seed: written })
  for (const snapshot of snapshots.slice(2)) {
    say({ deleting: snapshot })
    await volumes.deleteSnapshot(snapshot)
    say({ gone: snapshot })
  }
  say({ deleting: id })
  await volumes.delete(id)
  say({ gone: id })
}
