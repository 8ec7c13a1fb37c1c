/** Appended samples survive a kill, once and in order. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { temporaryDirectory } from '../../../node/test/support/process.ts'
import { embedded } from '../support/stores.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const MOST_BATCHES = 150
const MOMENT_MS = 5

test(`appended samples survive ${KILLS} kills`, { timeout: 200_000 + KILLS * 30_000 }, async () => {
  const directory = temporaryDirectory()
  const begin = Date.now() - 3_600_000
  const worker = join(import.meta.dirname, 'worker.ts')
  let next = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, [worker, directory, String(next), String(begin)])
    const exited = once(child, 'exit')
    let complaints = ''
    child.stderr.on('data', (text) => (complaints += text))
    const killAt = next + Math.ceil(random() * MOST_BATCHES)
    let last = -1
    for await (const line of createInterface({ input: child.stdout })) {
      last = Number(line)
      if (last !== killAt) continue
      await pause(random() * MOMENT_MS)
      child.kill('SIGKILL')
    }
    await exited
    expect(complaints).toBe('')
    next = last + 1
    const store = embedded(directory)
    const found = await store.read({ name: 'a:b', where: [] }, 10_000_000)
    await store.close()
    expect(found).toHaveLength(20)
    const count = found[0]!.timestamps.length
    // The batch after the last acknowledged one may be stored, but only as a whole.
    expect(count - next).toBeLessThanOrEqual(1)
    expect(count).toBeGreaterThanOrEqual(next)
    next = count
    for (const { fields, timestamps, startTimes, values } of found) {
      expect(timestamps).toEqual(Array.from({ length: count }, (_, batch) => begin + batch))
      expect(startTimes!.every((time) => time === begin)).toBe(true)
      expect(values).toEqual(
        Array.from({ length: count }, (_, batch) => batch * 20 + Number(fields.series)),
      )
    }
  }
})
