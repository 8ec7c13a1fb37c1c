/** Questions about reachability over HTTP; `packages/network` tests the answers themselves. */
import type { Wire } from '@steading/api'
import { questionProblems as problems } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool } from '../../support/networks.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'shop' }

/** A running instance; it has a SNAT address. */
async function running(name: string, project = 'shop', values: object = {}): Promise<string> {
  const { id } = await admin.call('instance_create', {
    query: { project },
    body: smallInstance(name, { start: true, ...values }),
  })
  await reaches(admin, id, 'running')
  return id
}

const ids = { web: '', db: '', lonely: '' }
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'shop', description: '' } })
  await admin.call('project_create', { body: { name: 'other', description: '' } })
  const { db, siloId } = server
  await addPool(db, 'front', { first: '198.51.100.0', last: '198.51.100.99', siloId })
  const external_ips = [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'front' } }]
  ids.web = await running('web', 'shop', { external_ips })
  ids.db = await running('db')
  ids.lonely = await running('lonely', 'shop', { network_interfaces: { type: 'none' } })
  await running('theirs', 'other', { external_ips })
})
afterAll(() => server.close())

const instance = (name: string): Wire.ReachabilityEnd => ({ type: 'instance', instance: name })
const internet: Wire.ReachabilityEnd = { type: 'internet' }
const address = (text: string): Wire.ReachabilityEnd => ({ type: 'address', address: text })

const ask = (
  from: Wire.ReachabilityEnd,
  to: Wire.ReachabilityEnd,
  port: number,
  caller = admin,
): Promise<Wire.Reachability> =>
  caller.call('reachability_test', { query, body: { from, to, protocol: 'tcp', port } })
const addressesOf = async (id: string) =>
  (await admin.call('instance_external_ip_list', { params: { instance: id } })).items
const ephemeralOf = async (id: string) =>
  (await addressesOf(id)).find(({ kind }) => kind === 'ephemeral')!.ip

test('an answer has the whole path with the ids and names of its decisions', async () => {
  const answer = await ask(instance('web'), instance('db'), 5432)
  expect(answer).toMatchObject({ reachable: true, ip_version: 'v4', protocol: 'tcp', port: 5432 })
  expect(answer.there.map(({ kind, passed }) => [kind, passed])).toEqual([
    ['endpoint', true],
    ['source', true],
    ['firewall', true],
    ['route', true],
    ['source', true],
    ['firewall', true],
    ['delivery', true],
  ])
  const [, , outbound, route, , inbound] = answer.there
  expect(outbound).toMatchObject({ rule: null, instance: { id: ids.web, name: 'web' } })
  expect(route).toMatchObject({ route: { name: 'default' }, router: { name: 'system' } })
  expect(inbound).toMatchObject({
    rule: { name: 'allow-internal-inbound' },
    instance: { id: ids.db, name: 'db' },
  })
  expect(answer.back.at(-1)).toMatchObject({ kind: 'delivery', passed: true })
})

test('the internet reaches an instance by its external address, if a rule permits', async () => {
  expect(await ask(internet, instance('web'), 22)).toMatchObject({
    reachable: true,
    destination: await ephemeralOf(ids.web),
  })
  expect(await ask(internet, instance('web'), 80)).toMatchObject({
    reachable: false,
    reason: 'No rule allows it, and inbound traffic is denied by default.',
  })
  expect((await ask(internet, instance('db'), 22)).reason).toBe(
    'Instance db has no IPv4 address that can be reached from outside of its VPC.',
  )
})

test('instances reach the internet by their own external address', async () => {
  const [snat] = await addressesOf(ids.db)
  const answer = await ask(instance('db'), internet, 443)
  expect(answer.reachable).toBe(true)
  expect(answer.there.find(({ kind }) => kind === 'gateway')).toMatchObject({
    internet_gateway: { name: 'default' },
    external_ip: { ip: snat!.ip, kind: 'snat' },
  })
})

test('an unassigned address of a pool leads nowhere', async () => {
  expect((await ask(instance('db'), address('198.51.100.90'), 80)).reason).toBe(
    'No instance has the external address 198.51.100.90.',
  )
})

test('reveals no more about the network of another project than an attempt would', async () => {
  const { id: projectId } = await admin.call('project_view', { params: { project: 'shop' } })
  const { caller } = await server.createUser('viewer', { projects: { [projectId]: 'viewer' } })
  const { items } = await admin.call('instance_list', { query: { project: 'other' } })
  const theirs = address(await ephemeralOf(items[0]!.id))
  const known = await ask(instance('web'), theirs, 22)
  expect(known.there.at(-1)).toMatchObject({ instance: { name: 'theirs' } })
  for (const [port, reachable] of [
    [22, true],
    [80, false],
  ] as const) {
    const answer = await ask(instance('web'), theirs, port, caller)
    expect(answer).toMatchObject({ reachable, arrives: reachable })
    expect(answer.there.at(-1)).toMatchObject({ kind: 'outside', passed: reachable, vpc: null })
    expect(JSON.stringify(answer)).not.toContain('theirs')
    expect(JSON.stringify(answer)).not.toContain(items[0]!.project_id)
  }
  // Packets from there are not revealed either.
  expect(JSON.stringify(await ask(theirs, instance('web'), 22, caller))).not.toContain('theirs')
  const refusal = await caller.refusal('reachability_test', {
    body: { from: internet, to: theirs, protocol: 'tcp', port: 22 },
  })
  expect(refusal).toMatchObject({ status: 400, message: problems.noNetwork })
})

test('names a missing network or a stopped instance as the reason', async () => {
  expect((await ask(instance('web'), instance('lonely'), 22)).reason).toBe(
    'Instance lonely has no network interface.',
  )
  const { id } = await admin.call('instance_create', { query, body: smallInstance('asleep') })
  await reaches(admin, id, 'stopped')
  expect((await ask(instance('web'), instance('asleep'), 22)).reason).toBe(
    'Instance asleep is stopped.',
  )
})

test('private addresses belong to the VPC in the query', async () => {
  const nics = await admin.call('instance_network_interface_list', {
    query: { ...query, instance: 'db' },
  })
  const stack = nics.items[0]!.ip_stack
  const ip = stack.type === 'dual_stack' ? stack.value.v4.ip : ''
  const body = { from: internet, to: address(ip), protocol: 'tcp' as const, port: 22 }
  expect(await admin.refusal('reachability_test', { query, body })).toMatchObject({
    message: problems.noNetwork,
  })
  const answer = await admin.call('reachability_test', {
    query: { ...query, vpc: 'default' },
    body,
  })
  expect(answer.reason).toBe(
    'Instance db has no IPv4 address that can be reached from outside of its VPC.',
  )
})

test('refuses contradictory questions', async () => {
  const from = instance('web')
  const to = instance('db')
  const refused = async (body: object) => {
    const { status, message } = await admin.refusal('reachability_test', {
      query,
      body: { from, to, protocol: 'tcp', ...body } as never,
    })
    return { status, message }
  }
  const because = (message: string) => ({ status: 400, message })
  expect(await refused({})).toEqual(because(problems.noPort))
  expect(await refused({ protocol: 'icmp', port: 1 })).toEqual(because(problems.portOfIcmp))
  expect(await refused({ port: 1, icmp_type: 8 })).toEqual(because(problems.icmpOfPort))
  expect(await refused({ protocol: 'icmp', icmp_code: 0 })).toEqual(
    because(problems.codeWithoutType),
  )
  expect(await refused({ port: 1, to: address('::1'), ip_version: 'v4' })).toEqual(
    because(problems.version('::1', 'v4')),
  )
  const foreign = await admin.call('instance_network_interface_list', {
    query: { ...query, instance: 'web' },
  })
  expect(
    await refused({
      port: 1,
      to: { type: 'instance', instance: 'db', interface: foreign.items[0]!.id },
    }),
  ).toEqual(because(problems.otherInstance))
})

test('the view of a network has all its parts, and that of a project all its VPCs', async () => {
  const view = await admin.call('vpc_network_view', { params: { vpc: 'default' }, query })
  expect(view.vpcs).toMatchObject([{ name: 'default', firewall_rules: 3 }])
  expect(view.subnets.map(({ name }) => name)).toEqual(['default'])
  expect(view.routers.map(({ kind }) => kind)).toEqual(['system'])
  expect(view.routes.map(({ name, target }) => [name, target.type])).toEqual([
    ['default', 'subnet'],
    ['default-v4', 'internet_gateway'],
    ['default-v6', 'internet_gateway'],
  ])
  expect(view.internet_gateways).toMatchObject([
    { name: 'default', ip_pool_ids: [expect.any(String)] },
  ])
  const names = view.instances.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['db', 'web']))
  expect(names).not.toContain('lonely')
  expect(view.interfaces).toHaveLength(names.length)
  expect(view.external_ips.map(({ kind }) => kind)).toContain('ephemeral')
  expect(view.more_instances).toBe(0)
  expect(view.tags).toEqual({})
  const { id } = view.instances.find(({ name }) => name === 'web')!
  await admin.call('tags_change', {
    params: { kind: 'instance', thing: id },
    body: { set: ['env:prod', 'team'] },
  })
  const tagged = await admin.call('vpc_network_view', { params: { vpc: 'default' }, query })
  expect(tagged.tags).toEqual({ [id]: ['env:prod', 'team'] })
  const project = await admin.call('project_network_view', { params: query })
  expect(project.vpcs).toEqual(view.vpcs)
})

test('a project without VPCs has an empty network', async () => {
  await admin.call('project_create', { body: { name: 'bare', description: '' } })
  const bare = { project: 'bare' }
  await admin.call('vpc_subnet_delete', {
    params: { subnet: 'default' },
    query: { ...bare, vpc: 'default' },
  })
  await admin.call('vpc_delete', { params: { vpc: 'default' }, query: bare })
  const view = await admin.call('project_network_view', { params: bare })
  expect(view).toMatchObject({ vpcs: [], instances: [], more_instances: 0 })
})
