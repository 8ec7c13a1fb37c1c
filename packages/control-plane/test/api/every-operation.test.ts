/**
 * Every operation succeeds over each database. `npm test` runs most tests of single operations over
 * SQLite only, so this is where SQL that only PostgreSQL refuses fails first.
 */
import { type OperationId, operationTable } from '@steading/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, locationOf } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { probes } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { callerOf, createWorld, provider } from '../support/probes/world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
})
afterAll(() => server.close())

/**
 * Somebody with the permission, whose own keys and factors the calls are about. Without a password,
 * which some of these calls would require.
 */
function callerFor(id: OperationId): Caller {
  if (operationTable[id].permission === 'scim') return provider.caller
  // Signing out would end the session of the later calls.
  if (id === 'logout' || id === 'sign_out') return server.anonymous
  return /^(?:current_user|factor|recovery_codes)_/.test(id)
    ? callerOf('fleet.admin')
    : server.admin
}

test('every operation succeeds', async () => {
  const answered: Record<string, number> = {}
  const wanted: Record<string, number> = {}
  for (const [id, probe] of Object.entries(probes) as [OperationId, Probe | object][]) {
    const { method, permission, success, websocket } = operationTable[id]
    // Sockets, and streams without end or of a gigabyte, are tests of the transport.
    if (websocket || (success.contentType && permission !== 'scim')) continue
    const caller = callerFor(id)
    const ways = 'args' in probe ? { '': probe } : (probe as Record<string, Probe>)
    for (const [way, { args, passes = success.status }] of Object.entries(ways)) {
      const label = `${id} ${way}`
      const given = await args()
      answered[label] = (await caller.send(method, locationOf(id, given), given)).status
      wanted[label] = passes
    }
  }
  expect(answered).toEqual(wanted)
})
