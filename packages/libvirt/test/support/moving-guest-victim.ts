/**
 * A server that is killed while it moves the disk of a running guest between two storage pools, and
 * has it write to it a few times. It prints a line for each move. Runs as a process of its own:
 * `moving-guest-victim.ts <data> <pool> <machine> <volume>`.
 */
import { join } from 'node:path'
import { libvirtEngine } from '../../src/engine.ts'
import { openTestDatabase } from './bytes.ts'
import { keys } from './guest.ts'
import { openEngines } from './open-engines.ts'

/** The disk has no room for many. */
const WRITES = 8

const [data, pool, machine, volume] = process.argv.slice(2) as [string, string, string, string]
const database = await openTestDatabase(data)
const engine = libvirtEngine({ directory: join(data, 'libvirt'), scanMs: 500, answerMs: 600_000 })
const engines = await openEngines(engine, database, (...parts) => console.error(...parts))
const viewer = { write() {}, resumeAt() {}, pending: () => 0, close() {} }
const line = engines.consoles.open(machine, { mostRecent: 0 }, viewer)

let writes = 0
for (let to: string | null = pool; ; to = to === null ? pool : null) {
  for (let done = false; !done;) {
    if (writes++ < WRITES) line.type(new TextEncoder().encode(keys.write))
    done = (await engines.storagePools.move(volume, to)).done
  }
  console.log(to)
}
