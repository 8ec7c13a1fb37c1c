/**
 * Actions that a token with fewer rights stores for later, such as schedules, have no more rights than
 * the token, and end with it. Generated from the operations and tables that declare such actions.
 */
import { type Operation, type OperationId, operationTable, writesRows } from '@steading/api'
import { scheduleMessages, tokenMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storedTables, type TableName } from '../../../src/kernel/db/tables.ts'
import { loadMandate } from '../../../src/resources/identity/access-tokens/mandate.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { outcomes, plan, start, targets } from '../../support/jobs.ts'
import { long } from '../../support/long.ts'
import { cases, statusOf } from '../../support/probes/expected.ts'
import { createWorld, PROJECT } from '../../support/probes/world.ts'
import { latestRun, ran, scheduleBody, setDue } from '../../support/schedules.ts'
import { detachedDisk } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let narrow: Caller
let tokenId: string
let count = 0
const query = { project: PROJECT }
/** A token of the administrator that is limited to one project. */
async function newToken() {
  const body = { name: `narrow-${count++}`, access: 'full', projects: [PROJECT] } as const
  const { id, token } = await admin.call('current_user_access_token_create', { body })
  return { id, caller: server.anonymous.withToken(token) }
}
const revoke = (token_id: string) =>
  admin.call('current_user_access_token_delete', { params: { token_id } })

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  admin = server.admin
  await createWorld(server)
  ;({ id: tokenId, caller: narrow } = await newToken())
})
afterAll(() => server.close())

const acting = () =>
  [...storedTables()].flatMap(([table, { actsLater }]) => (actsLater ? [{ table, actsLater }] : []))
type Rows = Map<string, Record<string, unknown>>
async function rowsOf(table: TableName): Promise<Rows> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
    server.db,
  )
  return new Map(rows.map((row) => [JSON.stringify(row['id'] ?? row), row]))
}
/** The rows that a call adds to tables of actions. */
async function addedBy(call: () => Promise<unknown>) {
  const before = new Map<TableName, Rows>()
  for (const { table } of acting()) before.set(table, await rowsOf(table))
  await call()
  const added: { table: TableName; actsLater: Operation['actsLater']; row: object }[] = []
  for (const { table, actsLater } of acting()) {
    for (const [id, row] of await rowsOf(table)) {
      if (!before.get(table)!.has(id)) added.push({ table, actsLater, row })
    }
  }
  return added
}
const operationOf = (id: OperationId): Operation => operationTable[id]

describe('actions stored with a token of one project keep the limits of the token after', () => {
  const writing = cases.filter(([, id]) => {
    const operation = operationOf(id)
    if (operation.permission === 'scim' || operation.permission === 'public') return false
    // In `npm test`, those that declare it; the others show that they need not.
    return operation.actsLater !== undefined || (long && writesRows(operation))
  })
  test.each(writing)('%s', async (_, id, probe) => {
    const args = await probe.args()
    let status = 0
    const added = await addedBy(async () => (status = await statusOf(narrow, id, args)))
    for (const { table, actsLater, row } of added) {
      expect(operationOf(id).actsLater, `${id} adds to ${table}`).toBe(actsLater)
      if (actsLater === 'mandate') expect(row).toMatchObject({ token_id: tokenId })
      if (actsLater === 'account') expect(row).toMatchObject({ user_id: null })
    }
    if (operationOf(id).actsLater === 'account' && added.length === 0) {
      expect([200, 202, 403, 404]).toContain(status)
    }
  })
})

test('each table that refers to a user says whether it acts for that user later', () => {
  const inactive = new Set<TableName>([
    // Credentials and memberships of the user.
    'access_token',
    'console_session',
    'passkey',
    'totp',
    'recovery_code',
    'ssh_key',
    'silo_group_membership',
    'scim_user',
    'user_identity',
    'user_mail',
    'user_link',
    // Settings that only the user sees.
    'dashboard',
    'saved_view',
    'star',
    'dismissal',
    'notification_read',
    'notification_reader',
    // Records of the users who did something.
    'deleted_resource',
    'sled_maintenance',
    'update_upload',
  ])
  const undeclared = [...storedTables()].filter(([table, declaration]) => {
    const { within, origins, partOf, actsLater } = declaration
    const referred = Object.values({ ...within, ...origins, ...partOf })
    return referred.includes('silo_user') && !actsLater && !inactive.has(table)
  })
  expect(undeclared.map(([table]) => table)).toEqual([])
})

test('a token with fewer rights neither makes nor lists subscriptions of its user', async () => {
  const channel = { type: 'slack', url: 'https://chat.invalid/hook' } as const
  const wanted = { topics: ['quota'], severity: 'warning', digest: 'daily', channel } as const
  for (const scope of ['mine', 'silo', 'project'] as const) {
    const body = { ...wanted, topics: [...wanted.topics], scope }
    expect(
      await narrow.refusal('notification_subscription_create', {
        body: scope === 'project' ? { ...body, ...query } : body,
      }),
    ).toMatchObject({ status: 403, message: tokenMessages.limited })
  }
  expect(await narrow.refusal('notification_subscription_list')).toMatchObject({ status: 403 })
})

describe('the end of a token ends', () => {
  test('its schedules, even if it has only expired', async () => {
    const { id, caller } = await newToken()
    const disk = await detachedDisk(admin, query, 'on-schedule')
    const body = scheduleBody({ name: 'nightly', disks: [disk.name] })
    const schedule = await caller.call('schedule_create', { query, body })
    const due = async () => {
      await setDue(server.db, new Date().toISOString(), [schedule.id])
      // Any change wakes the reconciler.
      await admin.call('schedule_create', { query, body: { ...body, name: `bell-${count++}` } })
    }
    await due()
    await ran(admin, schedule, 1)
    expect(await latestRun(admin, schedule)).toMatchObject({ state: 'succeeded' })
    const author = { user_id: schedule.user_id, token_id: id }
    await server.db
      .updateTable('access_token')
      .set({ time_expires: new Date(0).toISOString() })
      .where('id', '=', id)
      .execute()
    expect(await loadMandate(server.db, author, new Date())).toBeUndefined()
    await due()
    await ran(admin, schedule, 2)
    expect(await latestRun(admin, schedule)).toMatchObject({
      state: 'failed',
      reason: scheduleMessages.noToken,
    })
  })

  test('its jobs', async () => {
    const { id, caller } = await newToken()
    const disk = await detachedDisk(admin, query, 'of-a-job')
    const job = await plan(caller, 'delete', 'disk', targets(disk.id), PROJECT)
    await revoke(id)
    await start(admin, job)
    await expect
      .poll(() => outcomes(admin, job))
      .toEqual([expect.stringMatching(/^delete of-a-job: cancelled/)])
  })
})
