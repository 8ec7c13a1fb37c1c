/** The usage of silos is counted exactly, with any interleaving of changes in two of them. */
import { GiB } from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { blankDisk, siloBody, smallInstance, until } from '../support/things.ts'

const NAMES = 3
const steps = [
  'create',
  'start',
  'stop',
  'delete',
  'disk',
  'snapshot',
  'undisk',
  'unsnap',
  'grow',
  'roll',
] as const
const query = { project: 'web' }

let server: TestServer
const silos: { id: string; name: string; caller: Caller }[] = []
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['one', 'two']) {
    // Room for only some of the attempts, so that refusals occur.
    const quotas = { cpus: 2, memory: 3 * GiB, storage: 5 * GiB }
    const { id } = await server.admin.call('silo_create', { body: siloBody(name, { quotas }) })
    const { caller } = await server.createUser('admin', { silo: 'admin' }, id)
    await caller.call('project_create', { body: { name: 'web', description: '' } })
    silos.push({ id, name, caller })
  }
})
afterAll(() => server.close())

interface Step {
  silo: number
  what: (typeof steps)[number]
  /** Index of one of the few things. */
  thing: number
}

/** Tries a step; steps refused by the state of things count nothing. */
async function take({ silo, what, thing }: Step): Promise<void> {
  const { caller } = silos[silo]!
  const [vm, disk, snapshot] = [`vm${thing}`, `disk${thing}`, `snap${thing}`]
  const nothing = { network_interfaces: { type: 'none' } }
  const body = { name: snapshot, description: '', disk }
  const calls = {
    create: () => ['POST', '/v1/instances', smallInstance(vm, nothing)] as const,
    start: () => ['POST', `/v1/instances/${vm}/start`] as const,
    stop: () => ['POST', `/v1/instances/${vm}/stop`] as const,
    delete: () => ['DELETE', `/v1/instances/${vm}`] as const,
    disk: () => ['POST', '/v1/disks', blankDisk(disk)] as const,
    snapshot: () => ['POST', '/v1/snapshots', body] as const,
    undisk: () => ['DELETE', `/v1/disks/${disk}`] as const,
    unsnap: () => ['DELETE', `/v1/snapshots/${snapshot}`] as const,
    grow: () => ['POST', `/x/v1/disks/${disk}/grow`, { size: 2 * GiB }] as const,
    roll: () => ['POST', `/x/v1/disks/${disk}/roll-back`, { snapshot }] as const,
  }
  const [method, path, sent] = calls[what]()
  const { status } = await caller.send(method, `${path}?project=web`, { body: sent })
  expect(status === 507 || status < 500).toBe(true)
}

/** The usage of a silo, counted thing by thing, once nothing changes by itself any more. */
async function counted({ caller }: { caller: Caller }) {
  const { items: instances } = await until(
    () => caller.call('instance_list', { query }),
    ({ items }) =>
      expect(items.filter(({ run_state }) => !['running', 'stopped'].includes(run_state))).toEqual(
        [],
      ),
  )
  const running = instances.filter(({ run_state }) => run_state === 'running')
  const { items: disks } = await caller.call('disk_list', { query })
  const { items: snapshots } = await caller.call('snapshot_list', { query })
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)
  return {
    cpus: sum(running.map(({ ncpus }) => ncpus)),
    memory: sum(running.map(({ memory }) => memory)),
    storage: sum([...disks, ...snapshots].map(({ size }) => size)),
  }
}

const step = fc.record({
  silo: fc.constantFrom(0, 1),
  what: fc.constantFrom(...steps),
  thing: fc.integer({ min: 0, max: NAMES - 1 }),
})

test('each silo uses the sum of its things, and is listed with it', async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const together of all) await Promise.all(together.map(take))
      const { items } = await server.admin.call('silo_utilization_list')
      for (const silo of silos) {
        const expected = await counted(silo)
        const { provisioned } = await silo.caller.call('utilization_view')
        expect(provisioned).toEqual(expected)
        const params = { silo: silo.name }
        expect(await server.admin.call('silo_utilization_view', { params })).toMatchObject({
          silo_id: silo.id,
          provisioned: expected,
        })
        expect(items.map(({ silo_name }) => silo_name)).toContain(silo.name)
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
  // The other silos have used nothing.
  const params = { silo: 'main' }
  expect(await server.admin.call('silo_utilization_view', { params })).toMatchObject({
    provisioned: { cpus: 0, memory: 0, storage: 0 },
  })
})
