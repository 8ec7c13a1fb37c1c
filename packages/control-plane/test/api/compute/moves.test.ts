/** Moves of running instances by operators. */
import type { Wire } from '@steading/api'
import {
  GiB,
  instanceRefusal,
  moveFailure,
  moveMessages,
  MOVES_KEPT,
  placementProblems,
} from '@steading/api/rules'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addMembers, lastMove, movesOf } from '../../support/moves.ts'
import { affinityBody, reaches, stoppedInstance, until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let here: Wire.SledDetails
let there: Wire.SledDetails
let third: Wire.SledDetails
const query = { project: 'work' }
let on: ReturnType<typeof movesOf>

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  on = movesOf(server, query)
  ;[here, there, third] = (await on.sleds()) as [
    Wire.SledDetails,
    Wire.SledDetails,
    Wire.SledDetails,
  ]
})
afterAll(() => server.close())

const at = (sled: { id: string }, { id }: { id: string }) => ({
  sled_id: sled.id,
  instance_id: id,
})
const move = (instance: Wire.Instance, to: { id: string }) =>
  admin.call('instance_move', { params: at(here, instance), body: { sled_id: to.id } })
const refusal = (instance: { id: string }, to: { id: string }, from = here) =>
  admin.refusal('instance_move', { params: at(from, instance), body: { sled_id: to.id } })
const problems = async (instance: Wire.Instance) => {
  const { items } = await admin.call('instance_destination_list', { params: at(here, instance) })
  return new Map(items.map(({ id, problem }) => [id, problem]))
}
const cannot = (problem: string) => ({
  status: 507,
  message: expect.stringContaining(`Failed to place instance: ${problem}`),
})

test('an instance moves to the chosen sled, and runs on', async () => {
  const instance = await on.runningOn(here)
  const boots = () => server.db.selectFrom('simulated_machine').select(['id', 'boot']).execute()
  const before = await boots()
  expect((await problems(instance)).get(here.id)).toBe(placementProblems.here)
  const begun = await move(instance, there)
  expect(begun).toMatchObject({
    instance_id: instance.id,
    instance_name: instance.name,
    project_name: 'work',
    silo_name: 'main',
    from: { id: here.id, serial: here.name },
    to: { id: there.id, serial: there.name },
    cause: 'requested',
    state: 'moving',
    reason: null,
    user_name: 'admin',
  })
  expect(await lastMove(admin, instance)).toMatchObject({ id: begun.id, state: 'moved' })
  await reaches(admin, instance.id, 'running')
  expect(await on.sledOf(instance)).toBe(there.id)
  expect(await boots()).toEqual(before)
  for (const { id } of [here, there]) {
    const { items } = await admin.call('instance_move_list', { params: { sled_id: id } })
    expect(items.map((one) => one.id)).toContain(begun.id)
  }
  const { items } = await admin.call('instance_search', { query: { ...query, limit: 1000 } })
  expect(items.find(({ id }) => id === instance.id)!.sled).toEqual({
    id: there.id,
    serial: there.name,
  })
  await on.expectSums()
})

test('members do not learn the sleds of their instances', async () => {
  const { caller } = await server.createUser('member', { silo: 'collaborator' })
  const { items } = await caller.call('instance_search', { query })
  expect(items.length).toBeGreaterThan(0)
  expect(items.filter((item) => 'sled' in item)).toEqual([])
  const [{ id }] = items as [Wire.ListedInstance]
  expect(await caller.call('instance_sled_view', { params: { instance: id } })).toEqual({
    sled: null,
    move: null,
  })
})

test('only running instances move, and only from the sled that they are on', async () => {
  const stopped = await stoppedInstance(admin, query, 'at-rest')
  const running = await on.runningOn(here)
  expect((await refusal(stopped, there)).status).toBe(404)
  expect((await refusal(running, third, there)).status).toBe(404)
  expect((await refusal(running, { id: crypto.randomUUID() })).status).toBe(404)
  expect(await refusal(running, here)).toMatchObject(cannot(placementProblems.here))
  await on.hold(running)
  await move(running, there)
  const again = instanceRefusal('move', 'migrating')!
  expect(await refusal(running, third)).toMatchObject({
    status: again.status,
    message: again.message,
  })
  await on.letGo(running)
  expect((await lastMove(admin, running)).state).toBe('moved')
})

test('sleds say why they cannot take an instance', async () => {
  const large = { ncpus: 8, memory: 8 * GiB }
  const instance = await on.runningOn(here, large)
  const set = (values: object, { id }: { id: string }) =>
    server.db.updateTable('sled').set(values).where('id', '=', id).execute()
  const usual = { usable_hardware_threads: there.usable_hardware_threads, responding: 1 }
  const { used_hardware_threads } = await on.sledById(there.id)
  await set({ usable_hardware_threads: used_hardware_threads + 3 }, there)
  expect((await problems(instance)).get(there.id)).toBe(placementProblems.threads(3, 8))
  expect(await refusal(instance, there)).toMatchObject(cannot(placementProblems.threads(3, 8)))
  await set({ ...usual, responding: 0 }, there)
  expect((await problems(instance)).get(there.id)).toBe(placementProblems.silent)
  await set(usual, there)
  await on.setPolicy(there, 'non_provisionable')
  expect((await problems(instance)).get(there.id)).toBe(placementProblems.closed)
  await on.setPolicy(there, 'provisionable')
  expect((await problems(instance)).get(there.id)).toBeNull()
})

test('groups keep an instance away from a sled, or on its own', async () => {
  const alone = await on.runningOn(here)
  const other = await on.runningOn(there)
  const strict = (name: string) => ({
    query,
    body: { ...affinityBody(name), policy: 'fail' as const },
  })
  const apart = await admin.call('anti_affinity_group_create', strict('apart'))
  await addMembers(server, apart, [alone, other])
  expect((await problems(alone)).get(there.id)).toBe(placementProblems.banned)
  expect(await refusal(alone, there)).toMatchObject(cannot(placementProblems.banned))
  const pair = [await on.runningOn(here), await on.runningOn(here)] as const
  const together = await admin.call('affinity_group_create', strict('together'))
  await addMembers(server, together, pair)
  expect((await problems(pair[0])).get(there.id)).toBe(placementProblems.required)
})

test('a move that an end of the instance overtakes has failed, with the reason', async () => {
  const instance = await on.runningOn(here)
  await on.hold(instance)
  await move(instance, there)
  await admin.call('instance_stop', { params: { instance: instance.id } })
  await on.letGo(instance)
  expect(await lastMove(admin, instance)).toMatchObject({
    state: 'failed',
    reason: moveFailure('stopped'),
  })
  await reaches(admin, instance.id, 'stopped')
  expect(await on.sledOf(instance)).toBeUndefined()
  await on.expectSums()
})

test('a sled that fails meanwhile ends a move to it; the instance stays', async () => {
  const instance = await on.runningOn(here)
  await on.hold(instance)
  await move(instance, there)
  const power = (on: boolean) =>
    admin.call('simulated_sled_set_power', { params: { serial: there.name }, body: { on } })
  await power(false)
  await on.letGo(instance)
  expect(await lastMove(admin, instance)).toMatchObject({
    state: 'failed',
    reason: moveFailure('running'),
  })
  await reaches(admin, instance.id, 'running')
  expect(await on.sledOf(instance)).toBe(here.id)
  await power(true)
  await until(
    () => admin.call('sled_details_view', { params: { sled_id: there.id } }),
    ({ responding }) => expect(responding).toBe(true),
  )
  await on.expectSums()
})

test('a move that the engine gives up has failed with its reason; another one can begin', async () => {
  const instance = await on.runningOn(here)
  const { machines } = server.host.controlPlane.engines
  machines.failMoves('The other sled has no room')
  await move(instance, there)
  expect(await lastMove(admin, instance)).toMatchObject({
    state: 'failed',
    reason: 'The other sled has no room',
  })
  await reaches(admin, instance.id, 'running')
  expect(await on.sledOf(instance)).toBe(here.id)
  await on.expectSums()
  machines.failMoves()
  await move(instance, there)
  expect(await lastMove(admin, instance)).toMatchObject({ state: 'moved', reason: null })
})

test('a move says how far it is, to its instance and to the maintenance behind it', async () => {
  const instance = await on.runningOn(here)
  const { machines } = server.host.controlPlane.engines
  machines.slowMoves(3_600_000)
  onTestFinished(() => machines.slowMoves())
  const total = instance.memory
  expect((await move(instance, there)).progress).toBeNull()
  const seen = await until(
    async () =>
      (await admin.call('instance_sled_view', { params: { instance: instance.id } })).move!,
    ({ progress }) => expect(progress).not.toBeNull(),
  )
  const { bytes_processed, bytes_remaining } = seen.progress!
  expect(seen).toMatchObject({
    state: 'moving',
    progress: { bytes_total: total, bytes_per_second: Math.round(total / 3_600) },
  })
  expect(bytes_processed + bytes_remaining).toBe(total)
  const params = { sled_id: here.id }
  const body = { reason: 'New fans', unmovable: 'leave' as const }
  await admin.call('sled_maintenance_begin', { params, body })
  const { progress } = await admin.call('sled_maintenance_status', { params })
  const moving = progress!.instances.find(({ id }) => id === instance.id)
  expect(moving).toMatchObject({ state: 'moving', progress: { bytes_total: total } })
  await admin.call('sled_maintenance_end', { params })
  await admin.call('instance_stop', { params: { instance: instance.id } })
  expect(await lastMove(admin, instance)).toMatchObject({ state: 'failed', progress: null })
})

test('a move is cancelled, and the instance stays', async () => {
  const instance = await on.runningOn(here)
  const { machines } = server.host.controlPlane.engines
  machines.slowMoves(3_600_000)
  onTestFinished(() => machines.slowMoves())
  const cancel = { params: at(here, instance) }
  expect(await admin.refusal('instance_move_cancel', cancel)).toMatchObject({
    status: 409,
    message: moveMessages.notMoving,
  })
  await move(instance, there)
  expect(await admin.call('instance_move_cancel', cancel)).toMatchObject({ cancelled_by: 'admin' })
  expect(await lastMove(admin, instance)).toMatchObject({
    state: 'cancelled',
    reason: null,
    cancelled_by: 'admin',
  })
  await reaches(admin, instance.id, 'running')
  expect(await on.sledOf(instance)).toBe(here.id)
  await on.expectSums()
  machines.slowMoves()
  await move(instance, there)
  expect((await lastMove(admin, instance)).state).toBe('moved')
})

test('the newest moves of an instance are kept @long', async () => {
  const instance = await on.runningOn(here)
  for (let n = 0; n < MOVES_KEPT + 3; n++) {
    const from = (await on.sledOf(instance))!
    const to = from === here.id ? third : here
    await admin.call('instance_move', {
      params: at({ id: from }, instance),
      body: { sled_id: to.id },
    })
    await lastMove(admin, instance)
  }
  const { length } = await server.db
    .selectFrom('instance_move')
    .select('id')
    .where('instance_id', '=', instance.id)
    .execute()
  expect(length).toBe(MOVES_KEPT)
})
