/** Deletions of subnets and VPCs that network interfaces block. */
import type { Wire } from '@steading/api'
import { errors, type InstanceState, PRIMARY_STAYS } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { execute, planAs, short } from '../support/deletion-plans.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { done, itemsOf, jobBody, start, targets } from '../support/jobs.ts'
import { reaches, stoppedInstance } from '../support/things.ts'

let server: TestServer
let admin: { id: string; caller: Caller }
beforeAll(async () => {
  server = await startTestServer()
  const { id } = await server.admin.call('current_user_view')
  admin = { id, caller: server.admin }
})
afterAll(() => server.close())

let count = 0
/** A project with the subnets `front` and `back` besides the default one. */
async function newNetwork() {
  const project = `project-${count++}`
  const query = { project }
  const { caller } = admin
  const { id } = await caller.call('project_create', { body: { name: project, description: '' } })
  const vpc = await caller.call('vpc_view', { params: { vpc: 'default' }, query })
  const subnet = (name: string, ipv4_block: string) =>
    caller.call('vpc_subnet_create', {
      query: { vpc: vpc.id },
      body: { name, description: '', ipv4_block },
    })
  const front = await subnet('front', '10.0.1.0/24')
  const back = await subnet('back', '10.0.2.0/24')
  return { id, query, vpc, front, back }
}

const nic = (subnet_name: string, name = subnet_name) => ({
  name,
  description: '',
  vpc_name: 'default',
  subnet_name,
  ip_config: { type: 'v4', value: { ip: { type: 'auto' }, transit_ips: [] } },
})
const nics = (...subnets: string[]) => ({
  network_interfaces: { type: 'create', params: subnets.map((name) => nic(name)) },
})

async function running(query: { project: string }, name: string, values: object) {
  const { id } = await stoppedInstance(admin.caller, query, name, values)
  await admin.caller.call('instance_start', { params: { instance: id } })
  return reaches(admin.caller, id, 'running')
}

const force = (id: string, run_state: InstanceState) =>
  server.db
    .updateTable('instance')
    .set({ run_state, reconcile_at: null })
    .where('id', '=', id)
    .execute()

const said = ({ groups }: Wire.Deletion) =>
  groups.map(
    ({ relation, kind, first, can_go, steps }) =>
      `${relation}${can_go ? '*' : ''} ${[...steps, kind].join(' ')}: ${first
        .map(({ name, detail }) => `${name} (${detail})`)
        .join(', ')}`,
  )
const ofSubnet = async ({ id }: { id: string }, caller = admin.caller) =>
  said(await caller.call('vpc_subnet_deletion', { params: { subnet: id } }))
const ofVpc = async ({ id }: { id: string }) =>
  said(await admin.caller.call('vpc_deletion', { params: { vpc: id } }))

const planned = async (
  ...asked: Parameters<typeof planAs> extends [TestServer, ...infer R] ? R : never
) => (await planAs(server, ...asked)).map(short)

describe('a subnet', () => {
  test('is described with its route and its interfaces', async () => {
    const { id, query, front } = await newNetwork()
    expect(await ofSubnet(front)).toEqual(['goes router_route: front (front)'])
    await stoppedInstance(admin.caller, query, 'idle', nics('front'))
    const busy = await running(query, 'busy', nics('front'))
    expect(await ofSubnet(front)).toEqual([
      'blocks* network_interface: front (idle)',
      'blocks* stop network_interface: front (busy)',
      'goes router_route: front (front)',
    ])
    await force(busy.id, 'repairing')
    expect(await ofSubnet(front)).toEqual([
      'blocks* network_interface: front (idle)',
      'blocks network_interface: front (busy)',
      'goes router_route: front (front)',
    ])
    await force(busy.id, 'stopped')
    const viewer = await server.createUser(`looks-${query.project}`, {
      projects: { [id]: 'viewer' },
    })
    expect((await ofSubnet(front, viewer.caller)).filter((line) => line.includes('*'))).toEqual([])
  })

  test('is deleted after its interfaces, whose instances are stopped', async () => {
    const { query, front } = await newNetwork()
    const busy = await running(query, 'busy', nics('front'))
    await stoppedInstance(admin.caller, query, 'idle', nics('front'))
    const refused = 'VPC Subnet cannot be deleted while network interfaces in the subnet exist'
    expect(await planned(admin, 'vpc_subnet', [front])).toEqual([
      `0 delete vpc_subnet front: ${refused}`,
    ])
    const plan = await planAs(server, admin, 'vpc_subnet', [front], { chain: true })
    expect(plan.map(short)).toEqual([
      '0 stop instance busy',
      '1 delete network_interface front',
      '1 delete network_interface front',
      '2 delete vpc_subnet front',
    ])
    expect(plan.map(({ thing }) => thing.inside).toSorted()).toEqual([
      '',
      'busy',
      'default',
      'idle',
    ])
    await execute(server, admin.caller, plan)
    await reaches(admin.caller, busy.id, 'stopped')
  })

  test('cannot be deleted while it holds the primary interface of an instance with several', async () => {
    const { query, front, back } = await newNetwork()
    const box = await stoppedInstance(admin.caller, query, 'box', nics('front', 'back'))
    expect(await planned(admin, 'vpc_subnet', [front], { chain: true })).toEqual([
      `0 delete network_interface front: ${PRIMARY_STAYS}`,
      '1 delete vpc_subnet front: Cannot be deleted because network interface front cannot',
    ])
    expect(await ofSubnet(front)).toEqual([
      'blocks network_interface: front (box)',
      'goes router_route: front (front)',
    ])
    expect(await ofSubnet(back)).toEqual([
      'blocks* network_interface: back (box)',
      'goes router_route: back (back)',
    ])
    // Both at once: the primary interface goes last.
    const both = await planAs(server, admin, 'vpc_subnet', [front, back], { chain: true })
    expect(both.map(short)).toEqual([
      '0 delete network_interface back',
      '1 delete network_interface front',
      '2 delete vpc_subnet front',
      '2 delete vpc_subnet back',
    ])
    await execute(server, admin.caller, both)
    await reaches(admin.caller, box.id, 'stopped')
  })

  test('stays with an instance that cannot be stopped, and says so', async () => {
    const { query, vpc, front, back } = await newNetwork()
    const box = await stoppedInstance(admin.caller, query, 'box', nics('front', 'back'))
    await force(box.id, 'repairing')
    const reason = 'The instance must be stopped to delete a network interface'
    expect(await planned(admin, 'vpc_subnet', [front, back], { chain: true })).toEqual([
      `0 delete network_interface back: ${reason}`,
      '1 delete network_interface front: Cannot be deleted because network interface back cannot',
      '2 delete vpc_subnet front: Cannot be deleted because network interface front cannot',
      '2 delete vpc_subnet back: Cannot be deleted because network interface back cannot',
    ])
    expect(await ofVpc(vpc)).toEqual([
      'blocks network_interface: back (box), front (box)',
      'blocks* vpc_subnet: default (172.30.0.0/22)',
      'blocks vpc_subnet: back (10.0.2.0/24), front (10.0.1.0/24)',
      expect.stringContaining('vpc_firewall_rule'),
      expect.stringContaining('vpc_router'),
      expect.stringContaining('internet_gateway'),
    ])
    await force(box.id, 'stopped')
  })

  test('is not emptied for callers who may only change instances', async () => {
    const { id, query, front } = await newNetwork()
    await stoppedInstance(admin.caller, query, 'box', nics('front'))
    const limited = await server.createUser(`limited-${query.project}`, {
      projects: { [id]: 'limited_collaborator' },
    })
    expect(await planned(limited, 'vpc_subnet', [front], { chain: true })).toEqual([
      `0 delete vpc_subnet front: ${errors.forbidden().message}`,
    ])
  })
})

describe('a job', () => {
  test('deletes a VPC with subnets, interfaces and addresses, and shows their places', async () => {
    const { query, vpc } = await newNetwork()
    const box = await running(query, 'box', {
      ...nics('front', 'back'),
      external_ips: [{ type: 'ephemeral', pool_selector: { type: 'auto', ip_version: 'v4' } }],
    })
    const { caller } = admin
    const job = await caller.call('job_create', {
      body: { ...jobBody('delete', 'vpc', targets(vpc.id), query.project), chain: true },
    })
    expect(job).toMatchObject({ name: 'default', inside: [], counts: { refused: 0 } })
    const items = await itemsOf(caller, job)
    expect(items.map(({ step, thing }) => [step, thing.name, ...thing.inside].join(' '))).toEqual([
      'stop box',
      'delete back box',
      'delete front box',
      'delete back default',
      'delete default default',
      'delete front default',
      'delete default',
    ])
    await start(caller, job)
    expect(await done(caller, job)).toMatchObject({ counts: { succeeded: 7, failed: 0 } })
    await reaches(caller, box.id, 'stopped')
    expect((await caller.call('vpc_list', { query })).items).toEqual([])
  })

  test('about one subnet names its VPC; a search of a VPC has all of its subnets', async () => {
    const { query, vpc, front } = await newNetwork()
    const { caller } = admin
    const one = await caller.call('job_create', {
      body: jobBody('delete', 'vpc_subnet', targets(front.id), query.project),
    })
    expect(one).toMatchObject({ name: 'front', inside: ['default'], targets: 1 })
    const all = await caller.call('job_create', {
      body: jobBody(
        'delete',
        'vpc_subnet',
        { type: 'matching', query: { vpc: vpc.name } },
        query.project,
      ),
    })
    expect(all).toMatchObject({ name: null, inside: [], targets: 3 })
    await start(caller, all)
    expect(await done(caller, all)).toMatchObject({ counts: { succeeded: 3 } })
  })
})
