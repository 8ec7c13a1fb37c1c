/** The benchmarks run at all, with little data. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test.each([
  ['bench', ['server'], 'requests '],
  ['bench-hostile', ['pasted'], '512 MiB pasted to a serial console'],
  ['bench-sleds', [], 'list of 50 sleds'],
  ['bench-time-series', [], 'samples'],
])('%s prints figures @long', async (script, args, words) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', script, ...args],
    { cwd: root, env: { ...process.env, STEADING_BENCH: 'smoke' } },
  )
  expect(stdout).toContain(words)
})
