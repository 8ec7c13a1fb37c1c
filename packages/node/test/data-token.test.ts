/** Whose data directory a server has, by the token in it. */
import { join } from 'node:path'
import { openDatabase } from '@steading/control-plane'
import { tokenIn } from '@steading/files'
import { expect, test } from 'vitest'
import { defaultConfig } from '../src/config.ts'
import { proveDataDirectory } from '../src/data-token.ts'
import { createEngine } from '../src/engine.ts'
import { openSqlite } from '../src/sqlite.ts'
import { temporaryDirectory } from './support/process.ts'

const METRICS = 'http://127.0.0.1:8428'

async function openNew() {
  const data = temporaryDirectory()
  const { engine } = await createEngine({ ...defaultConfig(), engine: 'simulated', data })
  return openDatabase(openSqlite(join(data, 'steading.db')), engine)
}

test('servers share the data directory, unless their disks are elsewhere', async () => {
  const { db, close } = await openNew()
  const [first, second] = [temporaryDirectory(), temporaryDirectory()]
  const prove = (data: string, disksElsewhere: boolean, metricsUrl?: string) =>
    proveDataDirectory({ data, metricsUrl }, db, disksElsewhere)
  await prove(first, false)
  await prove(first, false)
  await expect(prove(second, false, METRICS)).rejects.toThrow('does not belong to this database')

  // Each server would answer with the time series of its own directory.
  await expect(prove(second, true)).rejects.toThrow('start all of them with --metrics-url')
  expect(await tokenIn(second)).toBe(undefined)
  await prove(second, true, METRICS)
  await prove(second, true, METRICS)
  expect(await tokenIn(second)).toBe(await tokenIn(first))
  await close()

  // It stays that of its database.
  const other = await openNew()
  await proveDataDirectory({ data: temporaryDirectory(), metricsUrl: METRICS }, other.db, true)
  const taken = proveDataDirectory({ data: second, metricsUrl: METRICS }, other.db, true)
  await expect(taken).rejects.toThrow('does not belong to this database')
  await other.close()
})
