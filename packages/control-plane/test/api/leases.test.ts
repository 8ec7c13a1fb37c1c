/** Leases: tasks for one server at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/kernel/db/database.ts'
import { releaseLease, renewLease, takeLease } from '../../src/kernel/db/leases.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
let database: OpenDatabase
beforeAll(async () => {
  server = await startTestServer()
  database = server.host.controlPlane.database
})
afterAll(() => server.close())

test('a lease has one holder, and a token for each', async () => {
  const name = crypto.randomUUID()
  const first = await takeLease(database, name)
  expect(first).toBe(1)
  expect(await takeLease(database, name)).toBeUndefined()
  expect(await renewLease(database, name, 1)).toBe(true)
  await database.db.updateTable('lease').set({ lease_until: 0 }).where('id', '=', name).execute()
  expect(await takeLease(database, name)).toBe(2)
  // The first holder was not there when its lease ran out.
  expect(await renewLease(database, name, 1)).toBe(false)
  await releaseLease(database.db, name, 1)
  expect(await takeLease(database, name)).toBeUndefined()
  await releaseLease(database.db, name, 2)
  expect(await takeLease(database, name)).toBe(3)
})

test('a lease from before the clock was set back does not last', async () => {
  const name = crypto.randomUUID()
  await takeLease(database, name)
  await database.db
    .updateTable('lease')
    .set((eb) => ({ lease_until: eb('lease_until', '+', 3_600_000) }))
    .where('id', '=', name)
    .execute()
  expect(await takeLease(database, name)).toBe(2)
})
