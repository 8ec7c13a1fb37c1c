/** Jobs that detach many floating IPs and external subnets. */
import type { InstanceState } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { done, outcomes, plan, start, targets } from '../support/jobs.ts'
import { addSubnetPool } from '../support/networks.ts'
import { stoppedInstance } from '../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await addSubnetPool(server.db, 'out', ['198.51.100.0/24'], {
    siloId: server.siloId,
    isDefault: true,
  })
})
afterAll(() => server.close())

const force = (id: string, run_state: InstanceState) =>
  server.db
    .updateTable('instance')
    .set({ run_state, reconcile_at: null })
    .where('id', '=', id)
    .execute()

test.each(['floating_ip', 'external_subnet'] as const)('%s', async (kind) => {
  const named = (name: string) => ({ name: `${kind.replace('_', '-')}-${name}`, description: '' })
  const allocator = { type: 'auto', prefix_length: 30 } as const
  const make = async (name: string, state?: InstanceState) => {
    const isIp = kind === 'floating_ip'
    const { id } = isIp
      ? await admin.call('floating_ip_create', { query, body: named(name) })
      : await admin.call('external_subnet_create', { query, body: { ...named(name), allocator } })
    if (!state) return id
    const instance = await stoppedInstance(admin, query, named(name).name)
    if (isIp) {
      const body = { kind: 'instance' as const, parent: instance.id }
      await admin.call('floating_ip_attach', { params: { floating_ip: id }, body })
    } else {
      const body = { instance: instance.id }
      await admin.call('external_subnet_attach', { params: { external_subnet: id }, body })
    }
    await force(instance.id, state)
    return id
  }
  const ids = [
    await make('one', 'stopped'),
    await make('two', 'running'),
    await make('loose'),
    await make('busy', 'starting'),
    await make('broken', 'failed'),
  ]
  const what = kind === 'floating_ip' ? 'floating IP' : 'external subnet'
  const job = await plan(admin, 'detach', kind, targets(...ids))
  const result = (end: string) => [
    `detach ${named('loose').name}: refused, This ${what} is not attached to an instance`,
    `detach ${named('busy').name}: refused, The instance is starting; try again in a moment`,
    `detach ${named('broken').name}: refused, cannot modify instance IPs or subnets, instance is in unhealthy state`,
    `detach ${named('one').name}: ${end}`,
    `detach ${named('two').name}: ${end}`,
  ]
  expect(await outcomes(admin, job)).toEqual(result('waiting'))
  await start(admin, job)
  await done(admin, job)
  expect(await outcomes(admin, job)).toEqual(result('succeeded'))
  const list = await admin.call(`${kind}_list`, { query })
  expect(list.items.filter(({ instance_id }) => instance_id !== null)).toHaveLength(2)
})
