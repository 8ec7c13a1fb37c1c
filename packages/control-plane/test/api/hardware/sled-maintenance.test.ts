/** Maintenance of sleds: what moves, what cannot, and what an operator decides meanwhile. */
import type { Wire } from '@steading/api'
import {
  hardwareMessages,
  MAINTENANCE_REASON_MAX,
  maintenanceMessages,
  maintenanceProblems,
  MOVE_ATTEMPTS,
  MOVES_AT_ONCE,
} from '@steading/api/rules'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addMembers, movesOf } from '../../support/moves.ts'
import { affinityBody, reaches, until } from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'

let server: TestServer
let admin: Caller
let sled: Wire.SledDetails
let others: Wire.SledDetails[]
let on: ReturnType<typeof movesOf>
const query = { project: 'work' }

beforeEach(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  on = movesOf(server, query)
  const [first, ...rest] = await on.sleds()
  sled = first!
  others = rest
})
afterEach(() => server.close())

const params = () => ({ params: { sled_id: sled.id } })
type Values = Partial<Wire.SledMaintenanceBegin>
const body = (values: Values = {}): Wire.SledMaintenanceBegin => ({
  reason: 'New fans',
  unmovable: 'leave',
  ...values,
})
const begin = (values?: Values) =>
  admin.call('sled_maintenance_begin', { ...params(), body: body(values) })
const refused = async (values: object) =>
  (await admin.refusal('sled_maintenance_begin', { ...params(), body: { ...body(), ...values } }))
    .message
const progress = async () => (await admin.call('sled_maintenance_status', params())).progress!
const isAt = (wanted: Partial<Wire.SledMaintenanceProgress>) =>
  until(progress, (seen) => expect(seen).toMatchObject(wanted))
const policyOf = async () => (await on.sledById(sled.id)).policy
const provisionable = { kind: 'in_service', provision_policy: 'provisionable' }
const closed = { kind: 'in_service', provision_policy: 'non_provisionable' }

test('a sled in maintenance takes nothing, loses its instances, and is put back', async () => {
  const instances = [await on.runningOn(sled), await on.runningOn(sled)]
  const preview = await admin.call('sled_maintenance_preview', params())
  expect(preview).toMatchObject({ total: 2 })
  expect(preview.instances.map(({ problem }) => problem)).toEqual([null, null])
  const time_end = fromNow(3_600_000).toISOString()
  expect(await begin({ time_end })).toMatchObject({
    sled_id: sled.id,
    reason: 'New fans',
    time_end,
    unmovable: 'leave',
    paused: false,
    user_name: 'admin',
  })
  await isAt({ state: 'ready', moved: 2, moving: 0, waiting: 0, impossible: 0, instances: [] })
  for (const { id } of instances) {
    expect(await reaches(admin, id, 'running')).toBeTruthy()
    expect(await on.sledOf({ id })).not.toBe(sled.id)
  }
  const found = await on.sledById(sled.id)
  expect(found).toMatchObject({ policy: closed, maintenance: { reason: 'New fans', time_end } })
  const { items } = await admin.call('instance_move_list', params())
  expect(items.map(({ cause, state, user_name }) => ({ cause, state, user_name }))).toEqual(
    instances.map(() => ({ cause: 'maintenance', state: 'moved', user_name: 'admin' })),
  )
  await admin.call('sled_maintenance_end', params())
  expect(await on.sledById(sled.id)).toMatchObject({ policy: provisionable, maintenance: null })
  expect((await admin.refusal('sled_maintenance_view', params())).status).toBe(404)
  await on.expectSums()
})

test('refuses what cannot be', async () => {
  expect(await refused({ reason: ' ' })).toContain(maintenanceMessages.noReason)
  expect(await refused({ reason: 'x'.repeat(MAINTENANCE_REASON_MAX + 1) })).toContain(
    maintenanceMessages.longReason,
  )
  expect(await refused({ time_end: '2020-01-01T00:00:00Z' })).toContain(maintenanceMessages.endPast)
  expect(await refused({ unmovable: 'kick' })).toContain('unknown variant')
  for (const call of [
    'sled_maintenance_view',
    'sled_maintenance_pause',
    'sled_maintenance_resume',
    'sled_maintenance_end',
  ] as const) {
    expect(await admin.refusal(call, params())).toMatchObject({
      status: 404,
      message: `not found: ${maintenanceMessages.none}`,
    })
  }
  await begin()
  expect(await refused({})).toBe(maintenanceMessages.already)
  await admin.call('sled_expunge', params())
  expect(await refused({})).toBe(hardwareMessages.expunged)
  expect((await admin.refusal('sled_maintenance_view', params())).status).toBe(404)
})

test('a few instances move at the same time; a pause lets these finish and begins no others', async () => {
  const extra = 2
  const instances: Wire.Instance[] = []
  for (let n = 0; n < MOVES_AT_ONCE + extra; n++) instances.push(await on.runningOn(sled))
  await on.hold(...instances)
  await begin()
  await isAt({ state: 'moving', moving: MOVES_AT_ONCE, waiting: extra, moved: 0 })
  expect(await admin.call('sled_maintenance_pause', params())).toMatchObject({ paused: true })
  await on.letGo(...instances)
  await isAt({ state: 'paused', moving: 0, waiting: extra, moved: MOVES_AT_ONCE })
  await admin.call('sled_maintenance_resume', params())
  await isAt({ state: 'ready', moved: instances.length })
  await on.expectSums()
})

test('an instance whose moves fail is left alone after a few of them, with the reason', async () => {
  const { id } = await on.runningOn(sled)
  const reason = 'The other sled has no room'
  server.host.controlPlane.engines.machines.failMoves(reason)
  await begin()
  const { instances } = await isAt({ state: 'blocked', impossible: 1, moved: 0 })
  expect(instances).toMatchObject([
    { id, state: 'impossible', reason: maintenanceProblems.failed(MOVE_ATTEMPTS, reason) },
  ])
  const { items } = await admin.call('instance_move_list', params())
  expect(items.map(({ state }) => state)).toEqual(Array(MOVE_ATTEMPTS).fill('failed'))
  await on.expectSums()
})

test('an instance whose move is cancelled stays and runs on, also where others are stopped', async () => {
  const { id } = await on.runningOn(sled)
  server.host.controlPlane.engines.machines.slowMoves(3_600_000)
  await begin({ unmovable: 'stop' })
  await isAt({ moving: 1 })
  await admin.call('instance_move_cancel', { params: { sled_id: sled.id, instance_id: id } })
  const { instances } = await isAt({ state: 'blocked', impossible: 1, stopped: 0 })
  const reason = maintenanceProblems.cancelled('admin')
  expect(instances).toMatchObject([{ id, state: 'impossible', run_state: 'running', reason }])
  await on.expectSums()
})

test('an instance that cannot move is listed with the reason, and left until there is room', async () => {
  const instance = await on.runningOn(sled)
  for (const other of others) await on.setPolicy(other, 'non_provisionable')
  await begin()
  const { instances } = await isAt({ state: 'blocked', impossible: 1, moved: 0 })
  expect(instances).toMatchObject([
    {
      id: instance.id,
      state: 'impossible',
      run_state: 'running',
      reason: expect.stringContaining('Could not find any valid sled'),
    },
  ])
  await on.setPolicy(others[0]!, 'provisionable')
  // A change makes it due at once.
  await admin.call('sled_maintenance_update', { ...params(), body: body({ reason: 'Fans' }) })
  await isAt({ state: 'ready', impossible: 0, moved: 1 })
  expect(await on.sledOf(instance)).toBe(others[0]!.id)
})

test('by choice of the operator, an instance that cannot move is stopped', async () => {
  const instance = await on.runningOn(sled)
  for (const other of others) await on.setPolicy(other, 'non_provisionable')
  await begin()
  await isAt({ state: 'blocked', impossible: 1 })
  await admin.call('sled_maintenance_update', { ...params(), body: body({ unmovable: 'stop' }) })
  await isAt({ state: 'ready', stopped: 1, moved: 0, impossible: 0 })
  await reaches(admin, instance.id, 'stopped')
  const entries = await server.db
    .selectFrom('audit_log')
    .select(['operation_id', 'actor_name', 'user_agent', 'silo_id'])
    .where('target_id', '=', instance.id)
    .where('operation_id', '=', 'instance_stop')
    .execute()
  expect(entries).toEqual([
    {
      operation_id: 'instance_stop',
      actor_name: 'admin',
      user_agent: `maintenance of sled ${sled.name}`,
      silo_id: server.siloId,
    },
  ])
  await on.expectSums()
})

test('members of an anti-affinity group move to different sleds', async () => {
  const [first, second] = others
  await on.setPolicy(others[2]!, 'non_provisionable')
  const instances = [await on.runningOn(sled), await on.runningOn(sled)]
  const group = await admin.call('anti_affinity_group_create', {
    query,
    body: { ...affinityBody('apart'), policy: 'fail' },
  })
  await addMembers(server, group, instances)
  await begin()
  await isAt({ state: 'ready', moved: 2 })
  const places = await Promise.all(instances.map((instance) => on.sledOf(instance)))
  expect(places.toSorted()).toEqual([first!.id, second!.id].toSorted())
})

test('an end before all have moved puts the sled back; moves in progress go on', async () => {
  const instance = await on.runningOn(sled)
  await on.hold(instance)
  await begin()
  await isAt({ moving: 1 })
  await admin.call('sled_maintenance_end', params())
  expect(await policyOf()).toEqual(provisionable)
  await on.letGo(instance)
  await until(
    () => on.sledOf(instance),
    (id) => expect(id).not.toBe(sled.id),
  )
  await on.expectSums()
})

test('the policy of before comes back, and a change of the policy ends the maintenance', async () => {
  await on.setPolicy(sled, 'non_provisionable')
  await begin()
  await admin.call('sled_maintenance_end', params())
  expect(await policyOf()).toEqual(closed)
  await begin()
  await on.setPolicy(sled, 'provisionable')
  expect(await on.sledById(sled.id)).toMatchObject({ policy: provisionable, maintenance: null })
})

test('maintenance beyond its end is an issue until it ends', async () => {
  await begin({ time_end: fromNow(3_600_000).toISOString() })
  const overdue = async () =>
    (await admin.call('issue_list')).items.filter(({ kind }) => kind === 'sled_maintenance_overdue')
  expect(await overdue()).toEqual([])
  await server.db
    .updateTable('sled_maintenance')
    .set({ time_end: new Date(Date.now() - 1000).toISOString() })
    .execute()
  expect(await overdue()).toMatchObject([
    { sentence: `The maintenance of sled ${sled.name} lasts longer than expected: New fans` },
  ])
  await admin.call('sled_maintenance_end', params())
  expect(await overdue()).toEqual([])
})
