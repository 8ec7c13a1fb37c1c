/** Control plane specification 10.6: the target release, and the update of the rack to it. */
import type { Wire } from '@steading/api'
import { sledComponents, switchComponents } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { pruneReleases } from '../../../src/resources/maintenance/update-repositories/prune.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { reaches, smallInstance, until } from '../../support/things.ts'
import { addRelease, type Publisher, trustedPublisher } from '../../support/updates.ts'

const query = { project: 'work' }
const SLEDS = 4
const ALL = SLEDS * Object.keys(sledComponents).length + 2 * Object.keys(switchComponents).length

async function start(settings: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(settings)
  onTestFinished(() => server.close())
  const { admin } = server
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  return { server, admin, publisher: await trustedPublisher(admin) }
}

const setTarget = ({ admin }: TestServer, system_version: string) =>
  admin.call('target_release_update', { body: { system_version } })

const rollout = ({ admin }: TestServer): Promise<Wire.UpdateRollout> =>
  admin.call('update_rollout_view')

const isDone = (server: TestServer) =>
  until(
    () => rollout(server),
    ({ state, problem }) => expect([state, problem]).toEqual(['complete', null]),
  )

async function addAll(server: TestServer, publisher: Publisher, ...versions: string[]) {
  for (const version of versions) await addRelease(server.admin, publisher, version)
}

/** Fails the test if two sleds were ever updated at once, or one with instances on it. */
async function neverTwoSleds({ db }: TestServer) {
  const updating = await db.selectFrom('sled').select('id').where('updating', '=', 1).execute()
  expect(updating.length).toBeLessThan(2)
}

async function startInstances({ admin }: TestServer, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const body = smallInstance(`box-${n}`, { network_interfaces: { type: 'none' }, start: true })
    ids.push((await admin.call('instance_create', { query, body })).id)
  }
  for (const id of ids) await reaches(admin, id, 'running')
  return ids
}

/** The usage of sleds is the sum of their instances. */
async function accountsAgree({ db }: TestServer) {
  const sleds = await db.selectFrom('sled').select(['id', 'used_threads']).execute()
  const instances = await db.selectFrom('instance').select(['sled_id', 'ncpus']).execute()
  for (const { id, used_threads } of sleds) {
    const on = instances.filter(({ sled_id }) => sled_id === id)
    expect(used_threads).toBe(on.reduce((sum, { ncpus }) => sum + ncpus, 0))
  }
}

test('before the first target, the running software is unknown', async () => {
  const { admin, server, publisher } = await start()
  const controlPlanes = SLEDS
  await until(
    () => admin.call('system_update_status'),
    (status) =>
      expect(status).toEqual({
        components_by_release_version: {
          'install dataset': controlPlanes,
          unknown: ALL - controlPlanes,
        },
        contact_support: false,
        suspended: false,
        target_release: null,
        time_last_step_planned: expect.any(String),
      }),
  )
  expect((await rollout(server)).state).toBe('none')
  expect(await admin.refusal('target_release_view')).toMatchObject({
    status: 404,
    message: 'not found: target release',
  })
  const body = { system_version: '1.0.0' }
  expect(await admin.refusal('target_release_update', { body })).toMatchObject({
    status: 404,
    message: 'not found: tuf-repo with name "1.0.0"',
  })
  await addAll(server, publisher, '1.0.0')
  expect(await admin.refusal('system_update_recovery_finish', { body })).toMatchObject({
    status: 400,
    message: 'no evidence a mupdate has occurred - recovery not needed',
  })
})

test('an update takes one sled after the other, and stops no instance', async () => {
  const { admin, server, publisher } = await start()
  const ids = await startInstances(server, 6)
  const booted = async () =>
    (await server.db.selectFrom('simulated_machine').select(['id', 'boot']).execute()).toSorted(
      (a, b) => (a.id < b.id ? -1 : 1),
    )
  const before = await booted()
  await addAll(server, publisher, '1.0.0')

  const preview = await admin.call('update_preview', { query: { system_version: '1.0.0' } })
  expect(preview).toEqual({
    sleds: SLEDS,
    switches: 2,
    components: ALL,
    instances: ids.length,
    unmovable: [],
  })
  await setTarget(server, '1.0.0')
  await until(
    async () => {
      await neverTwoSleds(server)
      return rollout(server)
    },
    ({ state }) => expect(state).toBe('complete'),
  )
  const status = await admin.call('system_update_status')
  expect(status).toMatchObject({
    components_by_release_version: { '1.0.0': ALL },
    target_release: { version: '1.0.0' },
  })
  expect(await admin.call('target_release_view')).toEqual(status.target_release)
  const { parts } = await rollout(server)
  expect(parts.map(({ state }) => state)).toEqual(parts.map(() => 'updated'))

  for (const id of ids) {
    const instance = await admin.call('instance_view', { params: { instance: id } })
    expect(instance.run_state).toBe('running')
  }
  // The same machines, which have not rebooted.
  expect(await booted()).toEqual(before)
  await accountsAgree(server)
  const machines = await server.db
    .selectFrom('instance')
    .innerJoin('simulated_machine as machine', 'machine.id', 'instance.vm_id')
    .whereRef('machine.sled_id', '!=', 'instance.sled_id')
    .select('machine.id')
    .execute()
  expect(machines).toEqual([])
  expect((await admin.call('update_preview', { query: { system_version: '1.0.0' } })).sleds).toBe(0)
})

test('the target only moves forward, one step at a time', async () => {
  const { admin, server, publisher } = await start()
  await addAll(server, publisher, '1.0.0', '1.1.0', '1.2.0-rc.1', '2.0.0', '3.0.0')
  await setTarget(server, '1.1.0')
  await isDone(server)
  const refused = async (system_version: string) =>
    (await admin.refusal('target_release_update', { body: { system_version } })).message
  expect(await refused('1.1.0')).toBe(
    'cannot update to target release 1.1.0 (already targeting that version)',
  )
  expect(await refused('1.0.0')).toBe(
    'cannot downgrade: requested target release version 1.0.0 is older than current target release version 1.1.0',
  )
  expect(await refused('3.0.0')).toBe(
    'cannot skip from scheduled release 1.1.0 to scheduled release 3.0.0',
  )
  await setTarget(server, '1.2.0-rc.1')
  await isDone(server)
  await setTarget(server, '2.0.0')
  await isDone(server)
  expect((await admin.call('system_update_status')).components_by_release_version).toEqual({
    '2.0.0': ALL,
  })
})

test('releases that can never be installed again are pruned', async () => {
  const { admin, server, publisher } = await start()
  await addAll(server, publisher, '1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '2.0.0')
  const { database, engines } = server.host.controlPlane
  const { volumes } = engines
  const prune = () => pruneReleases({ database, volumes, clock: () => new Date() })
  const versions = async () =>
    (await admin.call('system_update_repository_list')).items.map((one) => one.system_version)
  const all = await versions()
  await prune()
  expect(await versions()).toEqual(all)
  // The release before the target is older than those that are kept for their age.
  await setTarget(server, '1.0.0')
  await isDone(server)
  await setTarget(server, '1.5.0')
  await isDone(server)
  const { id } = await server.db
    .selectFrom('update_repository')
    .select('id')
    .where('name', '=', '1.1.0')
    .executeTakeFirstOrThrow()
  await Promise.all([prune(), prune()])
  expect(await versions()).toEqual(['2.0.0', '1.5.0', '1.4.0', '1.3.0', '1.2.0', '1.0.0'])
  await expect(volumes.written(id)).rejects.toThrow('there is no volume')
  const refusal = await admin.refusal('target_release_update', {
    body: { system_version: '1.1.0' },
  })
  expect(refusal.message).toBe(
    `cannot make TUF repo ${id} the target release: it has been pruned from the system`,
  )
  // It can be uploaded again.
  await addRelease(admin, publisher, '1.1.0')
  expect(await versions()).toContain('1.1.0')
})

test('a sled that does not come back delays the update until it does', async () => {
  const { admin, server, publisher } = await start({ bootMs: 40 })
  await addAll(server, publisher, '1.0.0', '1.1.0')
  const { simulation } = server.host.controlPlane.engines
  await simulation.setPower('BRM-0002', false)
  await setTarget(server, '1.0.0')
  const stuck = await until(
    () => rollout(server),
    ({ problem }) => expect(problem).toBe('Sled BRM-0002 does not respond'),
  )
  expect(stuck.parts.map(({ name, state }) => [name, state])).toEqual([
    ['BRM-0001', 'updated'],
    ['BRM-0002', 'installing'],
    ['BRM-0003', 'waiting'],
    ['BRM-0004', 'waiting'],
    ['BRM-SW-0001', 'waiting'],
    ['BRM-SW-0002', 'waiting'],
  ])
  expect(
    await admin.refusal('target_release_update', { body: { system_version: '1.1.0' } }),
  ).toEqual({
    status: 400,
    error_code: 'InvalidRequest',
    message: 'a previous update is still in progress',
  })
  const issues = async () =>
    (await admin.call('issue_list')).items.filter(({ kind }) => kind === 'update_stuck')
  expect(await issues()).toMatchObject([
    {
      sentence: 'The update to 1.0.0 is stuck: Sled BRM-0002 does not respond',
      path: '/system/update',
      time_began: stuck.time_problem,
    },
  ])
  // Instances are placed on the others meanwhile.
  await startInstances(server, 3)
  await neverTwoSleds(server)
  await simulation.setPower('BRM-0002', true)
  await isDone(server)
  expect(await issues()).toEqual([])
  await accountsAgree(server)
})

test('an instance without another place delays the update, and is named', async () => {
  const { admin, server, publisher } = await start()
  const [id] = await startInstances(server, 1)
  const { items: sleds } = await admin.call('sled_list')
  const setPolicies = async (state: 'provisionable' | 'non_provisionable') => {
    for (const sled of sleds) {
      const params = { sled_id: sled.id }
      await admin.call('sled_set_provision_policy', { params, body: { state } })
    }
  }
  await setPolicies('non_provisionable')
  await addAll(server, publisher, '1.0.0')
  const { unmovable } = await admin.call('update_preview', { query: { system_version: '1.0.0' } })
  expect(unmovable.map((instance) => instance.id)).toEqual([id])
  await setTarget(server, '1.0.0')
  await until(
    () => rollout(server),
    ({ problem }) =>
      expect(problem).toMatch(
        /^Instance box-0 cannot move away from sled BRM-000\d: Insufficient capacity: Failed to place instance: /,
      ),
  )
  await setPolicies('provisionable')
  await isDone(server)
  await accountsAgree(server)
})

test('a sled recovered by support suspends updates, until the update is finished', async () => {
  const { admin, server, publisher } = await start()
  await addAll(server, publisher, '1.0.0', '1.1.0')
  await setTarget(server, '1.0.0')
  await isDone(server)
  await admin.call('simulated_sled_recover', { params: { serial: 'BRM-0003' } })
  await until(
    () => admin.call('system_update_status'),
    ({ suspended }) => expect(suspended).toBe(true),
  )
  const body = { system_version: '1.1.0' }
  expect(await admin.refusal('target_release_update', { body })).toMatchObject({
    status: 400,
    message: 'a support-driven recovery (mupdate) has occurred and must be cleared first',
  })
  await until(
    () => rollout(server),
    ({ problem }) => expect(problem).toBe('Sled BRM-0003 was recovered by support'),
  )
  await admin.call('system_update_recovery_finish', { body })
  await isDone(server)
  expect(await admin.call('system_update_status')).toMatchObject({
    suspended: false,
    components_by_release_version: { '1.1.0': ALL },
  })
})

test('a sled expunged during the update is skipped; a sled added later follows', async () => {
  const { admin, server, publisher } = await start()
  await addAll(server, publisher, '1.0.0')
  const { simulation } = server.host.controlPlane.engines
  await simulation.setPower('BRM-0001', false)
  await setTarget(server, '1.0.0')
  await until(
    () => rollout(server),
    ({ problem }) => expect(problem).toBe('Sled BRM-0001 does not respond'),
  )
  const { items } = await admin.call('sled_search', { query: { search: 'BRM-0001' } })
  await admin.call('sled_expunge', { params: { sled_id: items[0]!.id } })
  const { parts } = await isDone(server)
  expect(parts.map(({ name }) => name)).not.toContain('BRM-0001')

  const added = (await simulation.insertSled())!
  await until(
    () => admin.call('sled_list_uninitialized'),
    (waiting) =>
      expect(waiting.items.map(({ baseboard }) => baseboard.serial)).toContain(added.serial),
  )
  await admin.call('sled_add', { body: added })
  await until(
    () => rollout(server),
    (now) => expect(now.parts.map(({ name }) => name)).toContain(added.serial),
  )
  // As the next resync does.
  await server.db
    .updateTable('system_update')
    .set({ reconcile_at: new Date(0).toISOString() })
    .execute()
  await until(
    () => rollout(server),
    (now) => expect(now.parts.find(({ name }) => name === added.serial)?.state).toBe('updated'),
  )
})
