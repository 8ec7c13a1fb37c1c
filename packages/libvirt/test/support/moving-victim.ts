/**
 * A server that is killed while it moves volumes between two storage pools. It prints each volume that
 * was written. Runs as a process of its own: `moving-victim.ts <data> <pool> <seed>`.
 */
import { join } from 'node:path'
import { createQcow2Volumes } from '../../src/volumes/volumes.ts'
import { bytesOf, openTestDatabase } from './bytes.ts'

const [data, pool, seed] = process.argv.slice(2) as [string, string, string]
const database = await openTestDatabase(data, undefined)
const volumes = createQcow2Volumes(
  { database, log: (...parts) => console.error(...parts), clock: () => new Date() },
  { directory: join(data, 'volumes') },
)
await volumes.start()

let next = (Number(seed) + 1) * 1_000
for (;;) {
  const volume = crypto.randomUUID()
  await volumes.create(volume, { size: 1024 * 1024, blockSize: 512 })
  await volumes.write(volume, 0, bytesOf(next, 512))
  process.stdout.write(`${JSON.stringify({ volume, seed: next++ })}\n`)
  for (const place of [pool, null, pool]) {
    while (!(await volumes.storagePools.move(volume, place)).done);
  }
}
