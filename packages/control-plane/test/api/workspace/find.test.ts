/** Finding things by name, id or address: in the whole silo, and in the search of lists. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { named } from '../../../src/kernel/search/name-key.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { diskRow, projectRow, storeRows } from '../../support/many.ts'
import { smallInstance } from '../../support/things.ts'

let server: TestServer
let mill: string
let wheel: Wire.Instance
let nic: Wire.InstanceNetworkInterface
let front: Wire.FloatingIp

const inMill = { query: { project: 'mill' } }
const find = async (text: string, caller: Caller = server.admin, limit?: number) =>
  (await caller.call('find', { query: { text, limit } })).items
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)
const searchInstances = async (search: string, project = 'mill') =>
  namesOf((await server.admin.call('instance_search', { query: { project, search } })).items)

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['mill', 'other']) {
    await server.admin.call('project_create', { body: { name, description: '' } })
  }
  mill = (await server.admin.call('project_view', { params: { project: 'mill' } })).id
  front = await server.admin.call('floating_ip_create', {
    ...inMill,
    body: { name: 'front', description: '' },
  })
  wheel = await server.admin.call('instance_create', {
    ...inMill,
    body: {
      ...smallInstance('wheel'),
      start: false,
      external_ips: [
        { type: 'floating', floating_ip: 'front' },
        { type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'default' } },
      ],
    },
  })
  // The other project has an interface with the same private address.
  await server.admin.call('instance_create', {
    query: { project: 'other' },
    body: { ...smallInstance('wagon'), start: false },
  })
  nic = (
    await server.admin.call('instance_network_interface_list', {
      query: { project: 'mill', instance: 'wheel' },
    })
  ).items[0]!
  await server.admin.call('instance_create', {
    ...inMill,
    body: { ...smallInstance('axle'), start: false, network_interfaces: { type: 'none' } },
  })
})
afterAll(() => server.close())

const externalIps = async () =>
  (
    await server.admin.call('instance_external_ip_list', {
      params: { instance: 'wheel' },
      ...inMill,
    })
  ).items
const privateIp = () => {
  const { ip_stack: stack } = nic
  return stack.type === 'dual_stack' ? stack.value.v4.ip : stack.value.ip
}

describe('a list of instances', () => {
  test('is searched by external and private addresses', async () => {
    const ips = (await externalIps()).filter(({ kind }) => kind !== 'snat')
    expect(ips.map(({ kind }) => kind).sort()).toEqual(['ephemeral', 'floating'])
    for (const { ip } of ips) {
      expect(await searchInstances(ip)).toEqual(['wheel'])
      expect(await searchInstances(ip.replace(/\d+$/, ''))).toEqual(['wheel'])
      expect(await searchInstances(ip, 'other')).toEqual([])
    }
    expect(await searchInstances(privateIp())).toEqual(['wheel'])
    expect(await searchInstances(privateIp(), 'other')).toEqual(['wagon'])
  })

  test('is searched by MAC addresses in any spelling, and by ids', async () => {
    const { mac } = nic
    for (const text of [
      mac,
      mac.toLowerCase(),
      mac.replaceAll(':', '-'),
      mac.replaceAll(':', ''),
      mac
        .toLowerCase()
        .replaceAll(':', '')
        .replaceAll(/(....)(?=.)/g, '$1.'),
      mac.slice(0, 14),
    ]) {
      expect(await searchInstances(text), text).toEqual(['wheel'])
    }
    for (const id of [wheel.id, wheel.id.toUpperCase(), wheel.id.slice(0, 8), nic.id]) {
      expect(await searchInstances(id), id).toEqual(['wheel'])
    }
    expect(await searchInstances(crypto.randomUUID())).toEqual([])
  })

  test('is selected by an address for a job, as in the list', async () => {
    const job = await server.admin.call('job_create', {
      body: {
        action: 'start',
        kind: 'instance',
        project: 'mill',
        target: { type: 'matching', query: { search: nic.mac } },
      },
    })
    expect(job).toMatchObject({ targets: 1, name: 'wheel' })
  })
})

test('floating IPs are found by address and id, including in their list', async () => {
  for (const search of [front.ip, front.id]) {
    const { items } = await server.admin.call('floating_ip_search', {
      query: { project: 'mill', search },
    })
    expect(namesOf(items)).toEqual(['front'])
  }
})

describe('in the whole silo', () => {
  test('things of all kinds are found by the beginning of their names', async () => {
    expect(await find('whe')).toEqual([
      {
        kind: 'instance',
        id: wheel.id,
        name: 'wheel',
        project_id: mill,
        project_name: 'mill',
        inside: [],
        matched: 'name',
        address: null,
      },
    ])
    expect(await find('mill')).toMatchObject([{ kind: 'project', name: 'mill', project_id: null }])
    expect(namesOf(await find('DEBIAN'))).toContain('debian-13')
    expect(await find('heel')).toEqual([])
    expect(await find('100%_')).toEqual([])
  })

  test('an address finds its instance and its floating IP, with the address', async () => {
    const found = await find(front.ip)
    expect(found).toMatchObject([
      { kind: 'instance', name: 'wheel', matched: 'address', address: front.ip },
      { kind: 'floating_ip', name: 'front', matched: 'address', address: front.ip },
      { kind: 'system_ip_pool', name: 'default', matched: 'address', address: front.ip },
    ])
    expect(namesOf(await find(privateIp())).sort()).toEqual(['wagon', 'wheel'])
    expect(await find(nic.mac)).toMatchObject([{ name: 'wheel', address: nic.mac }])
  })

  test('an id finds its thing, and that of an interface its instance', async () => {
    for (const id of [wheel.id, wheel.id.slice(0, 8), nic.id]) {
      expect(await find(id)).toMatchObject([{ name: 'wheel', matched: 'id' }])
    }
    expect(await find(mill)).toMatchObject([{ kind: 'project', name: 'mill', matched: 'id' }])
  })

  test('exact names come first', async () => {
    const names = ['box', 'box-1', 'box-2']
    await storeRows(
      server.db,
      'disk',
      names.map((name) => diskRow(mill, name)),
    )
    await server.admin.call('project_create', { body: { name: 'box-0', description: '' } })
    expect(namesOf(await find('box'))).toEqual(['box', 'box-0', 'box-1', 'box-2'])
    expect(namesOf(await find('box', server.admin, 2))).toEqual(['box', 'box-0'])
  })

  test('callers find readable things, and nothing else', async () => {
    const member = await server.createUser('member', { projects: { [mill]: 'viewer' } })
    const stranger = await server.createUser('stranger')
    const viewer = await server.createUser('viewer', { silo: 'viewer' })
    const elsewhere = await server.createSilo('elsewhere')
    const foreigner = await server.createUser('foreigner', { silo: 'admin' }, elsewhere)
    const texts = ['wheel', wheel.id, nic.mac, privateIp(), front.ip, 'mill', mill]
    for (const text of texts) {
      expect(await find(text, stranger.caller), text).toEqual([])
      expect(await find(text, foreigner.caller), text).toEqual([])
      const all = await find(text)
      // Pools are for operators.
      const ofSilo = all.filter(({ kind }) => kind !== 'system_ip_pool')
      expect(await find(text, viewer.caller), text).toEqual(ofSilo)
      const mine = await find(text, member.caller)
      expect(mine.length, text).toBeGreaterThan(0)
      expect(
        mine.every((thing) => thing.project_name === 'mill' || thing.name === 'mill'),
        text,
      ).toBe(true)
    }
    // Images of the silo need a role on the silo; keys are found by their owner alone.
    expect(await find('debian', member.caller)).toEqual([])
    await member.caller.call('current_user_ssh_key_create', {
      body: { name: 'laptop', description: '', public_key: 'ssh-ed25519 A' },
    })
    expect(await find('laptop', member.caller)).toMatchObject([{ kind: 'ssh_key' }])
    expect(await find('laptop')).toEqual([])
  })

  test('operators find the identity providers of every silo, with the silo', async () => {
    const here = await server.createSilo('guild')
    const there = await server.createSilo('union')
    const now = new Date().toISOString()
    const times = { time_created: now, time_modified: now, time_deleted: null }
    const provider = (silo_id: string) => ({
      id: crypto.randomUUID(),
      ...named('porter'),
      description: '',
      silo_id,
      ...times,
      issuer: 'https://idp.example.com',
      client_id: 'x',
      client_secret: null,
      scopes: '["openid"]',
      user_claim: 'sub',
      display_name_claim: 'name',
      groups_claim: null,
      redirect_uri: 'https://console.example.com/login/guild/oidc/porter/callback',
    })
    const [own, other] = [provider(here), provider(there)]
    await server.db.insertInto('oidc_identity_provider').values([own, other]).execute()
    const inSilo = (id: string, name: string) => [{ kind: 'silo', id, name }]
    const operator = await server.createUser('operator', { fleet: 'viewer' })
    const found = await find('port', operator.caller)
    expect(found).toHaveLength(2)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: own.id, inside: inSilo(here, 'guild') }),
        expect.objectContaining({ id: other.id, inside: inSilo(there, 'union') }),
      ]),
    )
    expect(await find(other.id, operator.caller)).toMatchObject([
      { kind: 'oidc_identity_provider', inside: inSilo(there, 'union') },
    ])
    const admin = await server.createUser('admin-of-guild', { silo: 'admin' }, here)
    expect(await find('port', admin.caller)).toMatchObject([{ id: own.id }])
    const member = await server.createUser('member-of-guild', {}, here)
    expect(await find('port', member.caller)).toEqual([])
  })

  test('a silo with many projects is searched too', async () => {
    const silo = await server.createSilo('large')
    const { caller } = await server.createUser('owner', { silo: 'admin' }, silo)
    const projects = Array.from({ length: 60 }, (_, index) => projectRow(silo, `many-${index}`))
    await storeRows(server.db, 'project', projects)
    const disks = projects.map(({ id }, index) => diskRow(id, `needle-${index}`))
    await storeRows(server.db, 'disk', disks)
    expect(await find('needle-59', caller)).toMatchObject([
      { name: 'needle-59', project_name: 'many-59' },
    ])
    expect(await find(disks[30]!.id, caller)).toMatchObject([{ name: 'needle-30' }])
    expect(await find('wheel', caller)).toEqual([])
    expect(await find(front.ip, caller)).toEqual([])
    expect((await find('needle', caller)).length).toBe(10)
    expect(await find('needle')).toEqual([])
  })

  test.each([
    ['without a letter', '', 'text must have between 1 and 256 characters'],
    ['that is too long', 'a'.repeat(257), 'text must have between 1 and 256 characters'],
    ['with a null character', 'a\0', 'null character in a string'],
  ])('a text %s is refused', async (_, text, reason) => {
    expect(await server.admin.refusal('find', { query: { text } })).toMatchObject({
      status: 400,
      message: expect.stringContaining(reason),
    })
  })
})
