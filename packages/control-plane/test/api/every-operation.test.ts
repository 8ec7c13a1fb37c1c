/**
 * Every operation succeeds over each database, and emits events only of the kinds that it says it
 * changes. `npm test` runs most tests of single operations over SQLite only, so this is where SQL that
 * only PostgreSQL refuses fails first.
 */
import { changedBy, type OperationId, operationTable } from '@steading/api'
import { type KindName, kindTable } from '@steading/api/rules'
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

const lastEvent = async (): Promise<number> => {
  const { last } = await server.db
    .selectFrom('event')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

/** The resources that users have changed since an event; the system works at any time. */
async function changedSince(event: number): Promise<string[]> {
  const rows = await server.db
    .selectFrom('event')
    .select('resource')
    .distinct()
    .where('id', '>', event)
    .where('author_id', 'is not', null)
    .execute()
  return rows.map(({ resource }) => resource)
}

const resourcesChangedBy = (id: OperationId): Set<string> =>
  new Set(
    changedBy(operationTable, operationTable[id])
      .filter((name) => name in kindTable)
      .map((kind) => kindTable[kind as KindName].resource),
  )

test('every operation succeeds, and says what it changes', async () => {
  const answered: Record<string, number> = {}
  const wanted: Record<string, number> = {}
  const unsaid: string[] = []
  // Schedules change things later, in the name of their users.
  const isOfSchedules = ([id]: [string, unknown]) => id.startsWith('schedule_')
  const all = Object.entries(probes) as [OperationId, Probe | object][]
  const inOrder = [...all.filter((each) => !isOfSchedules(each)), ...all.filter(isOfSchedules)]
  for (const [id, probe] of inOrder) {
    const { method, permission, success, websocket } = operationTable[id]
    // Sockets, and streams without end or of a gigabyte, are tests of the transport.
    if (websocket || (success.contentType && permission !== 'scim')) continue
    const caller = callerFor(id)
    const ways = 'args' in probe ? { '': probe } : (probe as Record<string, Probe>)
    for (const [way, { args, passes = success.status }] of Object.entries(ways)) {
      const label = `${id} ${way}`
      const given = await args()
      const before = await lastEvent()
      answered[label] = (await caller.send(method, locationOf(id, given), given)).status
      wanted[label] = passes
      if (permission === 'public' || permission === 'scim' || id.startsWith('schedule_')) continue
      const said = resourcesChangedBy(id)
      for (const resource of await changedSince(before)) {
        if (!said.has(resource)) unsaid.push(`${label}: ${resource}`)
      }
    }
  }
  expect(answered).toEqual(wanted)
  expect(unsaid).toEqual([])
})
