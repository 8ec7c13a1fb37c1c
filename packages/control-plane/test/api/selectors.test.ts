/** Control plane specification 1.5: selection of things by id, or by name and parents. */
import { operationTable } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { affinityBody, blankDisk, detachedDisk, stoppedInstance } from '../support/things.ts'
import { addSubnetPool } from '../support/networks.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
let ids: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  const { admin } = server
  const project = await admin.call('project_create', { body: { name: 'web', description: '' } })
  await admin.call('project_create', { body: { name: 'other', description: '' } })
  const query = { project: 'web' }
  const disk = await admin.call('disk_create', { query, body: blankDisk('data') })
  const instance = await stoppedInstance(admin, query, 'box')
  const [nic] = (
    await admin.call('instance_network_interface_list', { query: { ...query, instance: 'box' } })
  ).items
  const vpc = await admin.call('vpc_view', { params: { vpc: 'default' }, query })
  const [subnet] = (await admin.call('vpc_subnet_list', { query: { ...query, vpc: 'default' } }))
    .items
  const snapshot = await server.createSnapshot('snap', project.id)
  const image = await server.createImage('img', project.id)
  const floatingIp = await admin.call('floating_ip_create', {
    query,
    body: { name: 'front', description: '' },
  })
  await addSubnetPool(server.db, 'networks', ['2001:db8::/32'], {
    siloId: server.siloId,
    isDefault: true,
  })
  const externalSubnet = await admin.call('external_subnet_create', {
    query,
    body: {
      name: 'net',
      description: '',
      allocator: { type: 'explicit', subnet: '2001:db8::/64' },
    },
  })
  const together = await admin.call('affinity_group_create', { query, body: affinityBody('near') })
  const apart = await admin.call('anti_affinity_group_create', {
    query,
    body: affinityBody('apart'),
  })
  ids = {
    web: project.id,
    box: instance.id,
    data: disk.id,
    snap: snapshot.id,
    img: image.id,
    vpc: vpc.id,
    subnet: subnet!.id,
    nic: nic!.id,
    front: floatingIp.id,
    net: externalSubnet.id,
    near: together.id,
    apart: apart.id,
  }
})
afterAll(() => server.close())

interface Row {
  /** Path before the selector. */
  path: string
  name: string
  /** Key in `ids`. */
  id: string
  /** Noun in messages about missing things. */
  type: string
  /** Parents with which the name works. */
  parents: Record<string, string>
  both: string
  /** Undefined if the name alone is enough. */
  neither: string | undefined
}

const web = { project: 'web' }
const rows: Row[] = [
  {
    path: '/v1/instances/',
    name: 'box',
    id: 'box',
    type: 'instance',
    parents: web,
    both: 'when providing instance as an ID project should not be specified',
    neither: 'instance should either be UUID or project should be specified',
  },
  {
    path: '/v1/disks/',
    name: 'data',
    id: 'data',
    type: 'disk',
    parents: web,
    both: 'when providing disk as an ID project should not be specified',
    neither: 'disk should either be UUID or project should be specified',
  },
  {
    path: '/v1/snapshots/',
    name: 'snap',
    id: 'snap',
    type: 'snapshot',
    parents: web,
    both: 'when providing snapshot as an ID, project should not be specified',
    neither: 'snapshot should either be an ID or project should be specified',
  },
  {
    path: '/v1/images/',
    name: 'img',
    id: 'img',
    type: 'project-image',
    parents: web,
    both: 'when providing image as an ID, project should not be specified',
    neither: undefined,
  },
  {
    path: '/v1/vpcs/',
    name: 'default',
    id: 'vpc',
    type: 'vpc',
    parents: web,
    both: 'when providing vpc as an ID, project should not be specified',
    neither: 'vpc should either be an ID or project should be specified',
  },
  {
    path: '/v1/vpc-subnets/',
    name: 'default',
    id: 'subnet',
    type: 'vpc-subnet',
    parents: { ...web, vpc: 'default' },
    both: 'when providing subnet as an ID, vpc and project should not be specified',
    neither: 'subnet should either be an ID or vpc should be specified',
  },
  {
    path: '/v1/network-interfaces/',
    name: 'net0',
    id: 'nic',
    type: 'instance-network-interface',
    parents: { ...web, instance: 'box' },
    both: 'when providing network_interface as an id instance and project should not be specified',
    neither: 'network_interface should either be a UUID or instance should be specified',
  },
  {
    path: '/v1/floating-ips/',
    name: 'front',
    id: 'front',
    type: 'floating-ip',
    parents: web,
    both: 'when providing Floating IP as an ID project should not be specified',
    neither: 'Floating IP should either be UUID or project should be specified',
  },
  {
    path: '/v1/external-subnets/',
    name: 'net',
    id: 'net',
    type: 'external-subnet',
    parents: web,
    both: 'when providing external subnet as an ID project should not be specified',
    neither: 'external subnet should either be a UUID or project should be specified',
  },
  {
    path: '/v1/affinity-groups/',
    name: 'near',
    id: 'near',
    type: 'affinity-group',
    parents: web,
    both: 'when providing affinity_group as an ID, project should not be specified',
    neither: 'affinity_group should either be UUID or project should be specified',
  },
  {
    path: '/v1/anti-affinity-groups/',
    name: 'apart',
    id: 'apart',
    type: 'anti-affinity-group',
    parents: web,
    both: 'when providing anti_affinity_group as an ID, project should not be specified',
    neither: 'anti_affinity_group should either be UUID or project should be specified',
  },
]
const withQuery = (path: string, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const missing = (message: string) => ({
  status: 404,
  error_code: 'ObjectNotFound',
  message: `not found: ${message}`,
})
const unknownId = '00000000-0000-4000-8000-000000000000'

test('ids are case-insensitive, in bodies and paths', async () => {
  const { admin } = server
  const query = { project: 'web' }
  const capitals = (id: string) => ids[id]!.toUpperCase()
  const params = { instance: capitals('box') }
  const attached = await admin.call('instance_disk_attach', {
    params,
    body: { disk: capitals('data') },
  })
  expect(attached).toMatchObject({ id: ids.data, state: { instance: ids.box } })
  await admin.call('instance_disk_detach', { params, body: { disk: capitals('data') } })
  const snapshot = await admin.call('snapshot_create', {
    query,
    body: { name: 'of-data', description: '', disk: capitals('data') },
  })
  expect(snapshot.disk_id).toBe(ids.data)
  const address = await admin.call('floating_ip_attach', {
    params: { floating_ip: capitals('front') },
    body: { kind: 'instance', parent: capitals('box') },
  })
  expect(address.instance_id).toBe(ids.box)
  await admin.call('floating_ip_detach', { params: { floating_ip: ids.front! } })
  const job = await admin.call('job_create', {
    body: {
      action: 'start',
      kind: 'instance',
      project: capitals('web'),
      target: { type: 'ids', ids: [capitals('box')] },
    },
  })
  expect(job).toMatchObject({ targets: 1, project_id: ids.web })
})

describe.each(rows)('$path', ({ path, name, id, type, parents, both, neither }) => {
  const byName = withQuery(path + name, parents)
  const get = async (url: string) => (await server.admin.send('GET', url)).body

  test('finds one thing either way', async () => {
    const found = await get(byName)
    expect(found).toMatchObject({ id: ids[id], name })
    expect(await get(path + ids[id])).toEqual(found)
    expect(await get(path + ids[id]!.toUpperCase())).toEqual(found)
    expect(await get(withQuery(path + name, { ...parents, project: ids.web! }))).toEqual(found)
  })

  test('refuses an id together with its parents', async () => {
    for (const [parent, value] of Object.entries(parents)) {
      expect(
        await server.admin.refused('GET', withQuery(path + ids[id], { [parent]: value })),
      ).toEqual(invalid(both))
    }
  })

  test('refuses a name alone, or looks it up in the silo', async () => {
    expect(await server.admin.refused('GET', path + name)).toEqual(
      neither ? invalid(neither) : missing(`silo-image with name "${name}"`),
    )
  })

  test('names the missing thing, from the outside in', async () => {
    expect(await server.admin.refused('GET', withQuery(`${path}nope`, parents))).toEqual(
      missing(`${type} with name "nope"`),
    )
    // By id, an image of a project cannot be distinguished from a silo's.
    expect(await server.admin.refused('GET', path + unknownId)).toEqual(
      missing(`${type.replace('project-', '')} with id "${unknownId}"`),
    )
    expect(
      await server.admin.refused('GET', withQuery(path + name, { ...parents, project: 'nope' })),
    ).toEqual(missing('project with name "nope"'))
    expect(
      await server.admin.refused('GET', withQuery(path + name, { ...parents, project: unknownId })),
    ).toEqual(missing(`project with id "${unknownId}"`))
  })

  test('does not find it in another project', async () => {
    const answer = await server.admin.send(
      'GET',
      withQuery(path + name, { ...parents, project: 'other' }),
    )
    if (name === 'default') {
      expect(answer.body).not.toMatchObject({ id: ids[id] })
      return
    }
    const outermost = type === 'instance-network-interface' ? 'instance with name "box"' : undefined
    expect(answer).toMatchObject({
      status: 404,
      body: { message: `not found: ${outermost ?? `${type} with name "${name}"`}` },
    })
  })

  test('refuses a text that is neither name nor id', async () => {
    const tail = 'data did not match any variant of untagged enum NameOrId'
    const { message } = await server.admin.refused('GET', withQuery(`${path}No`, parents))
    const paths = Object.values(operationTable).map((operation) => operation.path)
    const [, parameter] = paths.find((one) => one.startsWith(`${path}{`))!.split(/[{}]/)
    expect(message).toBe(`bad parameter in URL path: ${parameter}: ${tail}`)
    expect(await server.admin.refused('GET', withQuery(path + name, { project: 'No' }))).toEqual({
      status: 400,
      message: `unable to parse query string: project: ${tail}`,
    })
  })
})

describe('nested parents follow the same rule', () => {
  const subnet = '/v1/vpc-subnets/default'
  const nic = '/v1/network-interfaces/net0'

  test('a parent by id needs no project', async () => {
    const found = await server.admin.send('GET', withQuery(subnet, { vpc: ids.vpc! }))
    expect(found.body).toMatchObject({ id: ids.subnet })
    const nicByInstance = await server.admin.send('GET', withQuery(nic, { instance: ids.box! }))
    expect(nicByInstance.body).toMatchObject({ id: ids.nic })
  })

  test.each([
    ['a parent by id with a project', subnet, { vpc: 'ID', project: 'web' }, rows[4]!.both],
    ['a parent by name alone', subnet, { vpc: 'default' }, rows[4]!.neither!],
    ['a grandparent alone', subnet, { project: 'web' }, rows[5]!.neither!],
    ['a parent by name alone', nic, { instance: 'box' }, rows[0]!.neither!],
    ['a grandparent alone', nic, { project: 'web' }, rows[6]!.neither!],
  ])('%s is refused: %s', async (_, path, query, message) => {
    const filled = Object.fromEntries(
      Object.entries(query as Record<string, string>).map(([key, value]) => [
        key,
        value === 'ID' ? ids.vpc! : value,
      ]),
    )
    expect(await server.admin.refused('GET', withQuery(path, filled))).toEqual(invalid(message))
  })

  test('the parents of lists follow it too', async () => {
    expect(
      await server.admin.refusal('vpc_subnet_list', { query: { vpc: 'default' } }),
    ).toMatchObject(invalid(rows[4]!.neither!))
    expect(
      await server.admin.refusal('instance_network_interface_list', {
        query: { instance: ids.box!, project: 'web' },
      }),
    ).toMatchObject(invalid(rows[0]!.both))
  })

  test('reports a missing parent', async () => {
    expect(
      await server.admin.refused('GET', withQuery(subnet, { vpc: 'nope', project: 'web' })),
    ).toEqual(missing('vpc with name "nope"'))
    expect(await server.admin.refused('GET', withQuery(nic, { instance: unknownId }))).toEqual(
      missing(`instance with id "${unknownId}"`),
    )
  })
})

test('takes a name that only looks like an id for a name', async () => {
  const name = 'a'.repeat(36)
  const query = { project: 'web' }
  const disk = await detachedDisk(server.admin, query, name)
  const attached = await server.admin.call('instance_disk_attach', {
    params: { instance: 'box' },
    query,
    body: { disk: name },
  })
  expect(attached.id).toBe(disk.id)
})
