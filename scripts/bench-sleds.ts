/**
 * `npm run bench:sleds`: lists of sleds, starts of instances and the collection of measurements in a
 * cloud of 10,000 simulated sleds, against one of four. Only measures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchHost, signIn, startHost } from './bench/host.ts'
import {
  collectionFigures,
  type CollectionFigures,
  seedSleds,
  sledFigures,
  type SledFigures,
} from './bench/sleds.ts'
import { sized } from './bench/smoke.ts'

const MANY = sized(10_000, 20)
/** The lists and starts are asked for while nothing is collected. */
const env = { STEADING_ENGINE: 'simulated', STEADING_COLLECTION: '0', STEADING_BOOT_MS: '1' }

interface Figures extends SledFigures {
  collection: CollectionFigures
}

async function measure(count?: number): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  try {
    const host = await startHost(data, { env })
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie: await signIn(host.url), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'work', description: '' }),
    })
    await host.stop()
    if (count !== undefined) seedSleds(data, count)
    const during = async <T>(
      settings: typeof env,
      figures: (host: BenchHost) => Promise<T>,
    ): Promise<T> => {
      const host = await startHost(data, { env: settings })
      try {
        return await figures(host)
      } finally {
        await host.stop()
      }
    }
    return {
      ...(await during(env, sledFigures)),
      collection: await during({ ...env, STEADING_COLLECTION: '1' }, collectionFigures),
    }
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

const [few, many] = [await measure(), await measure(MANY)]
const ms = (value: number) => `${value.toFixed(1)} ms`
console.log(`${''.padEnd(32)}${'4 sleds'.padStart(10)}${String(MANY).padStart(12)}   ratio`)
for (const [name, before] of Object.entries(few.times)) {
  const after = many.times[name]!
  console.log(
    `${name.padEnd(32)}${ms(before).padStart(10)}${ms(after).padStart(12)}   ${(after / before).toFixed(2)}`,
  )
}
const print = (name: string, of: (figures: Figures) => number) =>
  console.log(`${name.padEnd(32)}${ms(of(few)).padStart(10)}${ms(of(many)).padStart(12)}`)
print('longest turn after the start', ({ turns }) => turns.start)
print('longest turn while asked', ({ turns }) => turns.asked)
print('longest round of collection', ({ collection }) => collection.round)
print('longest turn while collecting', ({ collection }) => collection.turn)
print('99 % of delays while collecting', ({ collection }) => collection.delay)
