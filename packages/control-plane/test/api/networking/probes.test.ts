/** Control plane specification 10.5: probes, each with its own interface and address. */
import type { Wire } from '@steading/api'
import { kinds, probeMessages } from '@steading/api/rules'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressFaults } from '../../support/address-account.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { addPool } from '../../support/networks.ts'
import { smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let sled: string
/** A project for each test. */
let query: { project: string }
let projects = 0
const unknownId = '00000000-0000-4000-8000-000000000000'
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const missing = (what: string) => ({ status: 404, message: `not found: ${what}` })

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
  sled = (await admin.call('sled_list')).items[0]!.id
})
afterAll(() => server.close())
beforeEach(async () => {
  query = { project: `work-${projects++}` }
  await admin.call('project_create', { body: { name: query.project, description: '' } })
})

const bodyOf = (name: string, more: object = {}) => ({ name, description: '', sled, ...more })
const create = (name: string, more: object = {}) =>
  admin.call('probe_create', { query, body: bodyOf(name, more) })
const refused = (name: string, more: object = {}) =>
  admin.refusal('probe_create', { query, body: bodyOf(name, more) })
const view = (probe: string, project = query.project) =>
  admin.call('probe_view', { params: { probe }, query: { project } })
const remove = (probe: string) => admin.call('probe_delete', { params: { probe }, query })

const stackOf = ({ interface: { ip_config } }: Wire.ProbeInfo) =>
  ip_config.type === 'dual_stack' ? ip_config.value : undefined

describe('a probe', () => {
  test('has an interface in the default subnet and an address of the default pool', async () => {
    const made = await create('echo', { description: 'Answers' })
    expect(made).toMatchObject({ name: 'echo', description: 'Answers', sled })
    const vpc = await admin.call('vpc_view', { params: { vpc: 'default' }, query })
    const subnet = await admin.call('vpc_subnet_view', {
      params: { subnet: 'default' },
      query: { ...query, vpc: 'default' },
    })
    const probe = await view('echo')
    expect(probe).toMatchObject({
      id: made.id,
      name: 'echo',
      sled,
      external_ips: [{ kind: 'ephemeral', first_port: 0, last_port: 65535 }],
      interface: {
        name: 'echo',
        kind: { type: 'probe', id: made.id },
        primary: true,
        slot: 0,
        mac: expect.stringMatching(/^A8:40:25:F[0-9A-E]:/),
        ip_config: {
          type: 'dual_stack',
          value: {
            v4: { ip: '172.30.0.5', subnet: subnet.ipv4_block, transit_ips: [] },
            v6: { subnet: subnet.ipv6_block, transit_ips: [] },
          },
        },
      },
    })
    expect(vpc.id).toBe(subnet.vpc_id)
    expect(await view(made.id.toUpperCase())).toEqual(probe)
    expect((await admin.call('probe_list', { query })).items).toEqual([probe])
    const { items } = await admin.call('probe_search', { query: { ...query, search: 'answ' } })
    expect(items).toEqual([{ ...made, ...probe }])
    expect(await addressFaults(server.db)).toEqual([])
  })

  test('never has the same address as an instance', async () => {
    const probe = await view((await create('echo')).id)
    await admin.call('instance_create', { query, body: smallInstance('box') })
    const nics = await admin.call('instance_network_interface_list', {
      query: { ...query, instance: 'box' },
    })
    const second = await view((await create('second')).id)
    expect(nics.items[0]!.ip_stack).toMatchObject({ value: { v4: { ip: '172.30.0.6' } } })
    expect([probe, second].map((one) => stackOf(one)!.v4.ip)).toEqual(['172.30.0.5', '172.30.0.7'])
    expect(await addressFaults(server.db)).toEqual([])

    await remove('echo')
    const third = await view((await create('third')).id)
    expect(stackOf(third)).toEqual(stackOf(probe))
    expect(third.external_ips).toEqual(probe.external_ips)
    expect(await addressFaults(server.db)).toEqual([])
  })

  test('gets its address from the requested pool', async () => {
    const { db, siloId } = server
    await addPool(db, 'few', { first: '198.51.100.1', last: '198.51.100.1', siloId })
    const pool_selector = { type: 'explicit', pool: 'few' }
    const { id } = await create('echo', { pool_selector })
    expect((await view(id)).external_ips).toMatchObject([{ ip: '198.51.100.1' }])
    expect(await refused('second', { pool_selector })).toMatchObject({
      status: 507,
      error_code: 'InsufficientCapacity',
    })
    // The refused create has taken nothing.
    expect(await addressFaults(server.db)).toEqual([])

    const found = await admin.call('probe_search', { query: { ...query, pool: 'few' } })
    expect(found.items.map(({ name }) => name)).toEqual(['echo'])
    const none = { ...query, sled: unknownId }
    expect((await admin.call('probe_search', { query: none })).items).toEqual([])
    const addresses = await admin.call('system_ip_pool_address_list', { params: { pool: 'few' } })
    expect(addresses.items).toMatchObject([
      {
        ip: '198.51.100.1',
        kind: 'probe',
        name: 'echo',
        project_name: query.project,
        instance_id: null,
      },
    ])
    const range = { first: '198.51.100.1', last: '198.51.100.1' }
    const params = { pool: 'few' }
    expect(
      await admin.refusal('system_ip_pool_range_remove', { params, body: range }),
    ).toMatchObject(
      invalid(
        'IP pool ranges cannot be deleted while external IP addresses are allocated from them',
      ),
    )
    await remove('echo')
    await admin.call('system_ip_pool_range_remove', { params, body: range })
  })

  test('is refused with a reason', async () => {
    await create('echo')
    expect(await refused('echo')).toMatchObject({ message: 'already exists: probe "echo"' })
    expect(await refused('second', { sled: unknownId })).toMatchObject(
      missing(`sled with id "${unknownId}"`),
    )
    expect(
      await refused('second', { pool_selector: { type: 'explicit', pool: 'none' } }),
    ).toMatchObject(missing('ip-pool with name "none"'))
    const other = (await admin.call('sled_list')).items.find(({ id }) => id !== sled)!
    const expunge = { params: { sled_id: other.id } }
    await admin.call('sled_expunge', expunge)
    expect(await refused('second', { sled: other.id })).toMatchObject(
      invalid(probeMessages.expunged(other.id)),
    )
    await remove('echo')
    const parents = { vpc: 'default', ...query }
    await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, query: parents })
    expect(await refused('second')).toMatchObject(missing('vpc-subnet with name "default"'))
  })

  test('belongs to the project in the call, even when named by id', async () => {
    const { id } = await create('echo')
    const away = { params: { probe: id }, query: { project: 'elsewhere' } }
    const gone = missing(`probe with id "${id}"`)
    expect(await admin.refusal('probe_view', away)).toMatchObject(gone)
    expect(await admin.refusal('probe_delete', away)).toMatchObject(gone)
    const nowhere = { params: { probe: id }, query: { project: 'nowhere' } }
    expect(await admin.refusal('probe_view', nowhere)).toMatchObject(
      missing('project with name "nowhere"'),
    )
    expect(await view('echo')).toMatchObject({ id })
  })
})

test('probes block the deletion of their subnet and project, and are deleted in bulk', async () => {
  const made = [await create('a'), await create('b')]
  const subnet = { params: { subnet: 'default' }, query: { vpc: 'default', ...query } }
  const inWay = { kind: 'probe', relation: 'blocks', total: 2, can_go: true }
  for (const { groups } of [
    await admin.call('vpc_subnet_deletion', subnet),
    await admin.call('vpc_deletion', { params: { vpc: 'default' }, query }),
    await admin.call('project_deletion', { params: { project: query.project } }),
  ]) {
    expect(groups).toContainEqual(expect.objectContaining(inWay))
  }
  expect(await admin.refusal('vpc_subnet_delete', subnet)).toMatchObject(
    invalid(kinds.vpc_subnet.deletion.refusal),
  )
  const found = await admin.call('find', { query: { text: made[0]!.id } })
  expect(found.items).toMatchObject([{ kind: 'probe', name: 'a' }])
  await runJob(admin, 'delete', 'probe', targets(...made.map(({ id }) => id)), query.project)
  expect((await admin.call('probe_list', { query })).items).toEqual([])
  await admin.call('vpc_subnet_delete', subnet)
  expect(await addressFaults(server.db)).toEqual([])
})
