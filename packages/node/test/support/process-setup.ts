/** Vitest's global setup of tests that start servers as processes. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { addMigratedSqlite } from '../../../control-plane/test/support/migrated.ts'

const root = join(import.meta.dirname, '../../../..')
const sources = join(root, 'packages/node/src')

/**
 * The program in a few files: finding and linking its two thousand modules is half of a start. The
 * long tests start it from its sources.
 *
 * @param home the folder that stands for the root of the repository
 */
async function bundle(home: string): Promise<string> {
  const directory = join(home, 'packages/node/dist')
  await mkdir(directory, { recursive: true })
  for (const beside of ['packages/console', 'docs', 'node_modules']) {
    await symlink(join(root, beside), join(home, beside))
  }
  const program = await rolldown({
    input: {
      main: join(sources, 'main.ts'),
      'sqlite-check-worker': join(sources, 'sqlite-check-worker.ts'),
    },
    platform: 'node',
    external: ['pg-native'],
  })
  await program.write({
    dir: directory,
    // A worker is started by the name of its source.
    entryFileNames: ({ name }) => (name === 'main' ? 'main.mjs' : `${name}.ts`),
    chunkFileNames: '[name]-[hash].mjs',
  })
  return join(directory, 'main.mjs')
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), 'steading-program-'))
  const isLong = process.env.STEADING_LONG_TESTS === '1'
  provide('program', isLong ? join(sources, 'main.ts') : await bundle(home))
  const data = join(home, 'migrated')
  await mkdir(data)
  await addMigratedSqlite(data)
  provide('migratedData', data)
  return () => rm(home, { recursive: true, force: true })
}
