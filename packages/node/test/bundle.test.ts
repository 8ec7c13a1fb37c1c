/** The bundled server, in a folder without packages. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { bundleServer } from '../../../scripts/release/bundle.ts'
import { startProgram, temporaryDirectory } from './support/process.ts'

vi.setConfig({ testTimeout: 60_000 })

test('the bundle needs only its manifest @long', async () => {
  const folder = temporaryDirectory()
  const packages = await bundleServer(folder)
  expect(packages).toEqual(expect.arrayContaining(['hono', 'kysely', 'pg', 'zod']))
  expect(packages).not.toContain('vitest')
  cpSync(join(import.meta.dirname, '../../../package.json'), join(folder, 'package.json'))
  const entry = join(folder, 'bin/steading.js')
  const data = join(folder, 'data')
  const server = await startProgram([process.execPath, entry], ['--data', data])
  const answer = await fetch(`${server.url}/x/v1/health`)
  expect(await answer.json()).toMatchObject({ ready: true })
  await server.end('SIGTERM')
  const { tables } = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
    .prepare('select count(*) as tables from sqlite_schema')
    .get()!
  expect(tables).toBeGreaterThan(100)
  const { stdout, stderr } = spawnSync(process.execPath, [entry, 'doctor', '--data', data], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ok +version: the database is up to date$/m)
  expect(stdout).toMatch(/^problem +console: not in .+; install Steading again$/m)
})
