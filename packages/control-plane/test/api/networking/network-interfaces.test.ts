/** Control plane specification 8.6: network interfaces of instances. */
import type { Wire } from '@steading/api'
import type { InstanceState } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool, addSubnet, addVpc } from '../../support/networks.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let subnets: Record<string, string>
let vpcId: string
const query = { project: 'work' }
/** Subnets of the default VPC besides `default`. */
const names = Array.from({ length: 8 }, (_, number) => `net-${number}`)

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const project = await admin.call('project_create', { body: { name: 'work', description: '' } })
  vpcId = (await admin.call('vpc_view', { params: { vpc: 'default' }, query })).id
  subnets = {}
  for (const [number, name] of names.entries()) {
    subnets[name] = await addSubnet(server.db, vpcId, name, number)
  }
  await addSubnet(server.db, await addVpc(server.db, project.id, 'away'), 'default', 0)
  await addPool(server.db, 'six', {
    ip_version: 'v6',
    first: '2001:db8::1',
    last: '2001:db8::ff',
    siloId: server.siloId,
  })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `box-${count++}`

async function stopped(network_interfaces: object = { type: 'none' }, values: object = {}) {
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(fresh(), { network_interfaces, ...values }),
  })
  return reaches(admin, id, 'stopped')
}

/** Puts an instance into a state that calls cannot hold. */
const force = (id: string, run_state: InstanceState) =>
  server.db
    .updateTable('instance')
    .set({ run_state, reconcile_at: null })
    .where('id', '=', id)
    .execute()

const nicBody = (name: string, values: object = {}) => ({
  name,
  description: '',
  vpc_name: 'default',
  subnet_name: 'net-0',
  ...values,
})
const only = (version: 'v4' | 'v6', values: object = {}) => ({
  type: version,
  value: { ip: { type: 'auto' }, ...values },
})
const explicit = (value: string) => only('v4', { ip: { type: 'explicit', value } })
const add = (instance: string, name: string, values: object = {}) =>
  admin.call('instance_network_interface_create', {
    query: { instance },
    body: nicBody(name, values),
  })
const refusedAdd = (instance: string, name: string, values: object = {}) =>
  admin.refusal('instance_network_interface_create', {
    query: { instance },
    body: nicBody(name, values),
  })
const update = (id: string, body: Partial<Wire.InstanceNetworkInterfaceUpdate>) =>
  admin.call('instance_network_interface_update', { params: { interface: id }, body })
const refusedUpdate = (id: string, body: Partial<Wire.InstanceNetworkInterfaceUpdate>) =>
  admin.refusal('instance_network_interface_update', { params: { interface: id }, body })
const remove = (id: string) =>
  admin.call('instance_network_interface_delete', { params: { interface: id } })
const refusedRemove = (id: string) =>
  admin.refusal('instance_network_interface_delete', { params: { interface: id } })
const list = async (instance: string) =>
  (await admin.call('instance_network_interface_list', { query: { instance } })).items
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

describe('a new interface', () => {
  test('is primary if it is the first, and has the lowest free addresses', async () => {
    const { id } = await stopped()
    const first = await add(id, 'first', { description: 'the first' })
    expect(first).toMatchObject({
      name: 'first',
      description: 'the first',
      instance_id: id,
      vpc_id: vpcId,
      subnet_id: subnets['net-0'],
      primary: true,
      ip_stack: {
        type: 'dual_stack',
        value: {
          v4: { ip: '10.0.0.5', transit_ips: [] },
          v6: { ip: 'fd00:1::5', transit_ips: [] },
        },
      },
    })
    expect(first.mac).toMatch(/^A8:40:25:F[0-9A-E]:[0-9A-F]{2}:[0-9A-F]{2}$/)
    const second = await add(id, 'second', { subnet_name: 'net-1', ip_config: only('v4') })
    expect(second).toMatchObject({
      primary: false,
      ip_stack: { type: 'v4', value: { ip: '10.0.1.5' } },
    })
    expect(await list(id)).toEqual([first, second])
  })

  test('may have transit networks and a chosen address', async () => {
    const { id } = await stopped()
    const nic = await add(id, 'router', {
      subnet_name: 'net-2',
      ip_config: {
        type: 'dual_stack',
        value: {
          v4: { ip: { type: 'explicit', value: '10.0.2.77' }, transit_ips: ['10.9.0.0/16'] },
          v6: { ip: { type: 'auto' }, transit_ips: ['fd00:9::/32'] },
        },
      },
    })
    expect(nic.ip_stack).toMatchObject({
      value: {
        v4: { ip: '10.0.2.77', transit_ips: ['10.9.0.0/16'] },
        v6: { transit_ips: ['fd00:9::/32'] },
      },
    })
    const other = await stopped()
    expect(
      await refusedAdd(other.id, 'same', {
        subnet_name: 'net-2',
        ip_config: explicit('10.0.2.77'),
      }),
    ).toEqual(invalid("The IP address '10.0.2.77' is not available"))
  })

  test.each([
    [{ ip_config: explicit('10.1.0.9') }, '10.1.0.9 is outside subnet 10.0.0.0/24'],
    [{ ip_config: explicit('10.0.0.4') }, 'The first 5 addresses of a subnet are reserved'],
    [{ ip_config: explicit('10.0.0.255') }, 'Cannot request a broadcast address'],
    [
      { ip_config: only('v4', { transit_ips: ['10.0.0.1/8'] }) },
      'transit IP block 10.0.0.1/8 has a non-zero host identifier',
    ],
    [
      { ip_config: only('v6', { transit_ips: ['ff02::/16'] }) },
      'transit IP block ff02::/16 is a multicast network',
    ],
  ])('with %j is refused', async (values, message) => {
    const { id } = await stopped()
    expect(await refusedAdd(id, 'bad', values)).toEqual(invalid(message))
    expect(await list(id)).toEqual([])
  })

  test.each([
    [{ vpc_name: 'nope' }, 'vpc with name "nope"'],
    [{ subnet_name: 'nope' }, 'vpc-subnet with name "nope"'],
  ])('in %j is not found', async (values, what) => {
    const { id } = await stopped()
    expect(await refusedAdd(id, 'lost', values)).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: ${what}`,
    })
  })

  test('is deleted with the others of its instance', async () => {
    const { id } = await stopped()
    await add(id, 'one')
    expect(await refusedAdd(id, 'one', { subnet_name: 'net-1' })).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: instance-network-interface "one"',
    })
    expect(await refusedAdd(id, 'two')).toEqual(
      invalid('Each interface must be in a distinct VPC Subnet'),
    )
    expect(await refusedAdd(id, 'two', { vpc_name: 'away', subnet_name: 'default' })).toEqual(
      invalid(
        'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
      ),
    )
    for (const name of names.slice(1)) await add(id, name, { subnet_name: name })
    expect(await refusedAdd(id, 'ninth', { subnet_name: 'default' })).toEqual(
      invalid('May not attach more than 8 network interfaces'),
    )
    // A slot in the middle becomes free, and is used again.
    const [middle] = (await list(id)).filter(({ name }) => name === 'net-3')
    await remove(middle!.id)
    await add(id, 'again', { subnet_name: 'net-3' })
    const rows = await server.db
      .selectFrom('network_interface')
      .select('slot')
      .where('instance_id', '=', id)
      .execute()
    expect(rows.map(({ slot }) => slot).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  test('is refused in a full subnet', async () => {
    const project = await admin.call('project_view', { params: query })
    const vpc = await addVpc(server.db, project.id, 'tiny')
    const subnet = await addSubnet(server.db, vpc, 'tiny', 0)
    // Five reserved addresses and the broadcast address leave two.
    await server.db
      .updateTable('vpc_subnet')
      .set({ ipv4_block: '10.0.0.0/29' })
      .where('id', '=', subnet)
      .execute()
    const values = { vpc_name: 'tiny', subnet_name: 'tiny', ip_config: only('v4') }
    for (const ip of ['10.0.0.5', '10.0.0.6']) {
      const { id } = await stopped()
      expect((await add(id, 'nic', values)).ip_stack).toMatchObject({ value: { ip } })
    }
    const { id } = await stopped()
    expect(await refusedAdd(id, 'nic', values)).toEqual({
      status: 507,
      error_code: 'InsufficientCapacity',
      message: `Insufficient capacity: No available IPv4 addresses for interface in subnet 'tiny' with ID '${subnet}'`,
    })
  })
})

describe('an update', () => {
  test('renames, describes, and replaces the transit IPs of both versions', async () => {
    const { id } = await stopped()
    const nic = await add(id, 'old', { subnet_name: 'net-3' })
    const transit_ips = ['10.1.0.0/16', 'fd01::/48', '10.2.0.7/32']
    const updated = await update(nic.id, { name: 'new', description: 'better', transit_ips })
    expect(updated).toMatchObject({
      id: nic.id,
      name: 'new',
      description: 'better',
      mac: nic.mac,
      primary: true,
      ip_stack: {
        value: {
          v4: { transit_ips: ['10.1.0.0/16', '10.2.0.7/32'] },
          v6: { transit_ips: ['fd01::/48'] },
        },
      },
    })
    expect(updated.time_modified > nic.time_modified).toBe(true)
    expect(await update(nic.id, { primary: false })).toMatchObject({
      name: 'new',
      description: 'better',
      primary: true,
      ip_stack: { value: { v4: { transit_ips: [] }, v6: { transit_ips: [] } } },
    })
  })

  test.each([
    [['10.0.0.1/8'], 'transit IP block 10.0.0.1/8 has a non-zero host identifier'],
    [['224.0.0.0/8'], 'transit IP block 224.0.0.0/8 is a multicast network'],
    [['224.0.0.9/32'], 'transit IP 224.0.0.9/32 is a multicast address'],
    [['127.0.0.0/16'], 'transit IP block 127.0.0.0/16 is a loopback network'],
    [['::1/128'], 'transit IP ::1/128 is a loopback address'],
    [['fd00::/8', 'fd00:1::/32'], 'transit IP block fd00:1::/32 overlaps with fd00::/8'],
    [['10.1.1.1/32', '10.0.0.0/8'], 'transit IP block 10.0.0.0/8 overlaps with 10.1.1.1/32'],
  ])('to transit IPs %j is refused', async (transit_ips, message) => {
    const { id } = await stopped()
    const nic = await add(id, 'nic', { subnet_name: 'net-4' })
    expect(await refusedUpdate(nic.id, { transit_ips })).toEqual(invalid(message))
  })

  test('refuses transit IPs of a version without an address', async () => {
    const { id } = await stopped()
    const nic = await add(id, 'nic', { subnet_name: 'net-4', ip_config: only('v6') })
    expect(await refusedUpdate(nic.id, { transit_ips: ['10.0.0.0/8'] })).toEqual(
      invalid('IPv4 transit IP not supported by this network interface'),
    )
  })

  test('refuses invalid networks before anything is looked up', async () => {
    expect(
      await refusedUpdate('00000000-0000-4000-8000-000000000000', { transit_ips: ['10.0.0.0'] }),
    ).toMatchObject({
      message: expect.stringContaining('did not match any variant of untagged enum IpNet'),
    })
  })

  test('refuses the name of another interface', async () => {
    const { id } = await stopped()
    const nic = await add(id, 'one')
    await add(id, 'two', { subnet_name: 'net-1' })
    expect(await refusedUpdate(nic.id, { name: 'two' })).toMatchObject({
      message: 'already exists: instance-network-interface "two"',
    })
    expect(await update(nic.id, { name: 'one' })).toMatchObject({ name: 'one' })
  })

  test('makes another interface primary', async () => {
    const { id } = await stopped()
    const one = await add(id, 'one')
    const two = await add(id, 'two', { subnet_name: 'net-1' })
    expect(await update(two.id, { primary: true })).toMatchObject({ primary: true })
    expect((await list(id)).map(({ name, primary }) => [name, primary])).toEqual([
      ['one', false],
      ['two', true],
    ])
    // Repeated, and without changes, it stays primary.
    await update(two.id, { primary: true })
    await update(two.id, {})
    await update(one.id, { primary: false })
    expect((await list(id)).filter(({ primary }) => primary).map(({ name }) => name)).toEqual([
      'two',
    ])
  })

  test.each([
    ['v4', 'v6', 'default', 'IPv4'],
    ['v6', 'v4', 'six', 'IPv6'],
  ] as const)('keeps a primary with %s for external addresses', async (own, other, pool, name) => {
    const { id } = await stopped()
    await add(id, 'one')
    const lacking = await add(id, 'two', { subnet_name: 'net-1', ip_config: only(other) })
    const fitting = await add(id, 'three', { subnet_name: 'net-2', ip_config: only(own) })
    const selector = { type: 'explicit' as const, pool }
    await admin.call('instance_ephemeral_ip_attach', {
      params: { instance: id },
      body: { pool_selector: selector },
    })
    expect(await refusedUpdate(lacking.id, { primary: true })).toEqual(
      invalid(
        `Interface cannot be made the primary for this instance, since it does not have a private ${name} address to handle traffic for the instance's external ${name} addresses`,
      ),
    )
    expect(await update(fitting.id, { primary: true })).toMatchObject({ primary: true })
  })
})

describe('a delete', () => {
  test('removes the primary interface last, and frees address and name', async () => {
    const { id } = await stopped()
    const one = await add(id, 'one', { subnet_name: 'net-5' })
    const two = await add(id, 'two', { subnet_name: 'net-1' })
    expect(await refusedRemove(one.id)).toEqual(
      invalid(
        'The primary interface may not be deleted while secondary interfaces are still attached',
      ),
    )
    await remove(two.id)
    await remove(one.id)
    expect(await list(id)).toEqual([])
    const again = await add(id, 'one', { subnet_name: 'net-5' })
    expect(again).toMatchObject({ primary: true, ip_stack: one.ip_stack })
    expect(await refusedRemove(one.id)).toMatchObject({
      status: 404,
      message: `not found: instance-network-interface with id "${one.id}"`,
    })
  })
})

describe('the state of the instance decides', () => {
  const states: InstanceState[] = ['creating', 'starting', 'running', 'rebooting', 'repairing']
  test.each([...states, 'failed' as const])('%s', async (state) => {
    const { id } = await stopped()
    const nic = await add(id, 'nic')
    await force(id, state)
    expect(await refusedAdd(id, 'more', { subnet_name: 'net-1' })).toEqual(
      invalid('Instance must be stopped to attach a new network interface'),
    )
    expect(await refusedUpdate(nic.id, { name: 'other' })).toEqual(
      invalid('Instance must be stopped to update its network interfaces'),
    )
    if (state === 'failed') await remove(nic.id)
    else {
      expect(await refusedRemove(nic.id)).toEqual(
        invalid('Instance must be stopped or failed to detach a network interface'),
      )
    }
  })
})

test('every change emits events for the interface and its instance', async () => {
  const { id } = await stopped()
  const nic = await add(id, 'nic', { subnet_name: 'net-6' })
  const other = await add(id, 'other', { subnet_name: 'net-7' })
  await update(other.id, { primary: true })
  await remove(nic.id)
  const events = await server.db
    .selectFrom('event')
    .select(['resource', 'action', 'resource_id'])
    .where('resource_id', 'in', [nic.id, other.id])
    .where('resource', '=', 'network-interfaces')
    .orderBy('id')
    .execute()
  expect(events.map(({ action, resource_id }) => [action, resource_id])).toEqual([
    ['create', nic.id],
    ['create', other.id],
    ['update', nic.id],
    ['update', other.id],
    ['delete', nic.id],
  ])
  const touched = await server.db
    .selectFrom('event')
    .select('id')
    .where('resource', '=', 'instances')
    .where('resource_id', '=', id)
    .where('action', '=', 'update')
    .execute()
  // The instance becoming stopped is one of them.
  expect(touched).toHaveLength(5)
})
