/**
 * `npm run bench:sleds`: lists of sleds and starts of instances in a cloud of 10,000 simulated sleds,
 * against one of four. Only measures.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn, startHost } from './bench/host.ts'
import { seedSleds, type SledFigures, sledFigures } from './bench/sleds.ts'
import { sized } from './bench/smoke.ts'

const MANY = sized(10_000, 20)
/** Measurements of simulated sleds would be made by the server itself, for all of them. */
const env = { STEADING_ENGINE: 'simulated', STEADING_COLLECTION: '0', STEADING_BOOT_MS: '1' }

async function measure(count?: number): Promise<SledFigures> {
  const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  try {
    let host = await startHost(data, { env })
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie: await signIn(host.url), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'work', description: '' }),
    })
    await host.stop()
    if (count !== undefined) seedSleds(data, count)
    host = await startHost(data, { env })
    try {
      return await sledFigures(host)
    } finally {
      await host.stop()
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
for (const [name, turn] of [
  ['longest turn after the start', 'start'],
  ['longest turn while asked', 'asked'],
] as const) {
  console.log(
    `${name.padEnd(32)}${ms(few.turns[turn]).padStart(10)}${ms(many.turns[turn]).padStart(12)}`,
  )
}
