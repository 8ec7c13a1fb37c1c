/** Vitest's global setup of a folder in which the tests of the demo share one filled cloud. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'steading-filled-'))
  provide('filledFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
