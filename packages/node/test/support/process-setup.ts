/** Vitest's global setup of tests that start servers as processes. */
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleServer } from '../../../../scripts/release/bundle.ts'
import { addMigratedSqlite } from '../../../control-plane/test/support/migrated.ts'
import { shareSetup } from '../../../control-plane/test/support/shared-setup.ts'

const root = join(import.meta.dirname, '../../../..')

/**
 * Bundles the program as for a release: finding and linking its two thousand modules is half of a
 * start. The long tests start it from its sources.
 * @param home an empty folder
 */
async function bundle(home: string): Promise<string> {
  await bundleServer(home)
  await copyFile(join(root, 'package.json'), join(home, 'package.json'))
  await symlink(join(root, 'packages/console/dist'), join(home, 'console'))
  // The library for real machines has native code, so it is not in the bundle.
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
  await symlink(join(root, 'docs/dist'), join(home, 'docs'))
  return join(home, 'server/main.js')
}

async function prepare() {
  const home = await mkdtemp(join(tmpdir(), 'steading-program-'))
  const isLong = process.env.STEADING_LONG_TESTS === '1'
  const program = isLong ? join(root, 'packages/node/src/main.ts') : await bundle(home)
  const migratedData = join(home, 'migrated')
  await mkdir(migratedData)
  await addMigratedSqlite(migratedData)
  const end = () => rm(home, { recursive: true, force: true })
  return { value: { program, migratedData }, end }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { value, leave } = await shareSetup('processes', prepare)
  provide('program', value.program)
  provide('migratedData', value.migratedData)
  return leave
}
