/** Who may send real packets, and what an engine is told about them; `packages/ovn` sends them. */
import type { Wire } from '@steading/api'
import { packetProblems as problems, REAL_PACKET_LIMITS } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { memoryBlockStore } from '../../../src/engines/volumes/memory.ts'
import { composeEngine } from '../../../src/kernel/engine.ts'
import {
  NotAttached,
  type PacketFate,
  type RealPacket,
} from '../../../src/kernel/ports/real-packets.ts'
import type { VpcNetwork, VpcNetworks } from '../../../src/kernel/ports/vpc-networks.ts'
import { createPacketTurns } from '../../../src/resources/networking/reachability/packet-turns.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool } from '../../support/networks.ts'
import { reaches, smallInstance, until } from '../../support/things.ts'

const arrived: PacketFate = { arrived: true, answer: 'answered', verdict: undefined }
const sent: RealPacket[] = []
let isBlind = false
let receive = async (): Promise<PacketFate> => arrived

/** Networks that are in effect at once, and pass packets on to the test. */
function networks(): VpcNetworks {
  const applied = new Map<string, VpcNetwork>()
  return {
    attachment: (port) => ({
      kind: 'openvswitch',
      bridge: 'br-int',
      port,
      mtu: 1500,
      nameServers: { v4: [], v6: [] },
    }),
    async apply(network) {
      applied.set(network.vpcId, network)
      return network
    },
    remove: async (vpcId) => void applied.delete(vpcId),
    list: async () => [...applied.values()],
    async sendPacket(packet) {
      sent.push(packet)
      return receive()
    },
    isBlind: () => isBlind,
  }
}

let server: TestServer
let admin: Caller
let viewer: Caller
let limited: Caller
const query = { project: 'shop' }
const nics: Record<string, Wire.InstanceNetworkInterface> = {}
let theirAddress = ''

async function run(name: string, project: string): Promise<string> {
  const external_ips = [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'front' } }]
  const { id } = await admin.call('instance_create', {
    query: { project },
    body: smallInstance(name, {
      start: true,
      external_ips,
      network_interfaces: { type: 'default_ipv4' },
    }),
  })
  await reaches(admin, id, 'running')
  const { items } = await admin.call('instance_network_interface_list', {
    query: { project, instance: name },
  })
  nics[name] = items[0]!
  await until(
    () => admin.call('vpc_network_status_view', { params: { vpc: 'default' }, query: { project } }),
    ({ behind }) => expect(behind).toBe(false),
  )
  return id
}

beforeAll(async () => {
  const cables = {
    name: 'cables',
    ports: ['vpcNetworks'] as const,
    open: () => ({ vpcNetworks: networks() }),
  }
  const times = { bootMs: 0, stopMs: 0, rebootMs: 0 }
  server = await startTestServer({}, async () =>
    composeEngine(...simulatedEngine(memoryBlockStore(), times).parts, cables),
  )
  admin = server.admin
  const { id: shop } = await admin.call('project_create', {
    body: { name: 'shop', description: '' },
  })
  await admin.call('project_create', { body: { name: 'other', description: '' } })
  const range = { first: '198.51.100.0', last: '198.51.100.99' }
  await addPool(server.db, 'front', { ...range, siloId: server.siloId })
  await run('web', 'shop')
  await run('db', 'shop')
  const theirs = await run('theirs', 'other')
  const { items } = await admin.call('instance_external_ip_list', { params: { instance: theirs } })
  theirAddress = items.find(({ kind }) => kind === 'ephemeral')!.ip
  const roleOn = (role: 'viewer' | 'limited_collaborator') => ({ projects: { [shop]: role } })
  viewer = (await server.createUser('viewer', roleOn('viewer'))).caller
})
beforeEach(async () => {
  sent.length = 0
  receive = async () => arrived
  const { id } = await admin.call('project_view', { params: { project: 'shop' } })
  // Each test with a user of its own, because the packets of a minute are counted.
  const name = `user-${crypto.randomUUID()}`
  limited = (await server.createUser(name, { projects: { [id]: 'limited_collaborator' } })).caller
})
afterAll(() => server.close())

const guest = (instance: string): Wire.ReachabilityEnd => ({ type: 'instance', instance })
const address = (text: string): Wire.ReachabilityEnd => ({ type: 'address', address: text })
const internet: Wire.ReachabilityEnd = { type: 'internet' }
const tcp = { protocol: 'tcp', port: 22 } as const
const privateOf = (name: string) => {
  const stack = nics[name]!.ip_stack
  return stack.type === 'v4' ? stack.value.ip : ''
}

test('takes the right to change the instance that sends, and tells the engine its ends', async () => {
  const body = { from: guest('web'), to: guest('db'), ...tcp }
  expect((await viewer.call('reachability_test', { query, body })).reachable).toBe(true)
  expect((await viewer.refusal('reachability_packet_send', { query, body })).status).toBe(403)
  // An address stands for its instance.
  const byAddress = { from: address(privateOf('web')), to: internet, ...tcp }
  const inVpc = { ...query, vpc: 'default' }
  expect(
    await viewer.refusal('reachability_packet_send', { query: inVpc, body: byAddress }),
  ).toMatchObject({ status: 403 })
  expect(sent).toEqual([])

  expect(await limited.call('reachability_packet_send', { query, body })).toMatchObject({
    arrived: true,
    answer: 'answered',
    outcome: 'It arrived at instance db, and the answer came back.',
    verdict: null,
    difference: null,
    model: { reachable: true },
  })
  const placeOf = ({ id, mac, subnet_id, vpc_id }: Wire.InstanceNetworkInterface) => ({
    interfaceId: id,
    mac,
    subnetId: subnet_id,
    vpcId: vpc_id,
  })
  expect(sent).toEqual([
    {
      ...tcp,
      source: privateOf('web'),
      destination: privateOf('db'),
      from: placeOf(nics['web']!),
      to: placeOf(nics['db']!),
      isDirect: true,
      stopsAtHost: false,
    },
  ])
})

test('looks at no interface that the caller may not see', async () => {
  const body = { from: guest('web'), to: address(theirAddress), ...tcp }
  receive = async () => ({ arrived: true, answer: 'silent', verdict: undefined })
  const answer = await limited.call('reachability_packet_send', { query, body })
  expect(sent).toMatchObject([{ to: undefined }])
  expect(answer).toMatchObject({ arrived: true, answer: 'silent', difference: null })
  expect(answer.outcome).toContain('It left the VPC')
  expect(JSON.stringify(answer)).not.toContain('theirs')
  const inward = { from: internet, to: address(theirAddress), ...tcp }
  const refusal = await limited.refusal('reachability_packet_send', { query, body: inward })
  expect(refusal.status).toBe(400)
  expect(sent).toHaveLength(1)
})

test('sends nothing that disturbs a guest, or reaches several', async () => {
  const refusalOf = (body: Wire.ReachabilityQuestion) =>
    limited.refusal('reachability_packet_send', { query, body })
  const ends = { from: guest('web'), to: guest('db') }
  expect(await refusalOf({ ...ends, protocol: 'icmp', icmp_type: 5 })).toMatchObject({
    status: 400,
    message: problems.icmp,
  })
  for (const group of ['224.0.0.1', '255.255.255.255']) {
    expect(await refusalOf({ from: guest('web'), to: address(group), ...tcp })).toMatchObject({
      status: 400,
      message: problems.manyReceivers(group),
    })
  }
  const itself = await refusalOf({ from: guest('web'), to: guest('web'), ...tcp })
  expect(itself.status).toBe(400)
  expect(sent).toEqual([])
})

test('says where a packet did something else than the model says', async () => {
  const body = { from: guest('web'), to: guest('db'), ...tcp }
  const differenceFor = async (fate: Partial<PacketFate>) => {
    receive = async () => ({ ...arrived, ...fate })
    const { difference } = await limited.call('reachability_packet_send', { query, body })
    return difference
  }
  const lost = { arrived: false, answer: undefined }
  const although = 'The packet did not arrive, although rules and routes let it through.'
  expect(await differenceFor(lost)).toBe(`${although} What stopped it is not known.`)
  // A rule that was deleted, and is in effect all the same.
  const verdict = { by: 'rule', allowed: false, direction: 'inbound', rule: 'gone' } as const
  expect(await differenceFor({ ...lost, verdict })).toBe(
    `${although} In the network, this decided: An inbound rule that does not exist any more denies it.`,
  )
  expect(await differenceFor({ answer: 'lost' })).toBe(
    'The answer did not come back, although rules and routes let it through.',
  )
  expect(await differenceFor({ answer: 'silent' })).toBeNull()
})

test('refuses more than a few packets at once, and tells of a network that takes none', async () => {
  const body = { from: guest('web'), to: guest('db'), ...tcp }
  const send = () => limited.call('reachability_packet_send', { query, body })
  const { promise, resolve } = Promise.withResolvers<PacketFate>()
  receive = () => promise
  const running = Array.from({ length: REAL_PACKET_LIMITS.atOnce }, send)
  await until(
    async () => sent.length,
    (count) => expect(count).toBe(REAL_PACKET_LIMITS.atOnce),
  )
  const refusal = await limited.refusal('reachability_packet_send', { query, body })
  expect(refusal.status).toBe(429)
  resolve(arrived)
  await Promise.all(running)

  receive = () => Promise.reject(new NotAttached(nics['db']!.id))
  expect(await limited.refusal('reachability_packet_send', { query, body })).toMatchObject({
    status: 409,
    message: problems.notAttached('db', nics['db']!.name),
  })
  receive = () => Promise.reject(new Error('the switch is on fire'))
  expect(await limited.refusal('reachability_packet_send', { query, body })).toMatchObject({
    status: 503,
    message: problems.failed,
  })
})

test('sends from a probe and to one', async () => {
  const { items } = await admin.call('sled_list')
  const pool_selector = { type: 'explicit', pool: 'front' } as const
  const { id } = await admin.call('probe_create', {
    query,
    body: { name: 'eye', description: '', sled: items[0]!.id, pool_selector },
  })
  await until(
    () => admin.call('vpc_network_status_view', { params: { vpc: 'default' }, query }),
    ({ behind }) => expect(behind).toBe(false),
  )
  const probe = await admin.call('probe_view', { params: { probe: id }, query })
  const config = probe.interface.ip_config
  const own =
    config.type === 'v6' ? '' : config.type === 'v4' ? config.value.ip : config.value.v4.ip
  const inVpc = { ...query, vpc: 'default' }
  const outward = { from: address(own), to: guest('db'), ...tcp }
  expect(
    await viewer.refusal('reachability_packet_send', { query: inVpc, body: outward }),
  ).toMatchObject({ status: 403 })
  expect(
    await limited.call('reachability_packet_send', { query: inVpc, body: outward }),
  ).toMatchObject({ outcome: 'It arrived at instance db, and the answer came back.' })
  const inward = { from: internet, to: address(probe.external_ips[0]!.ip), ...tcp }
  expect(await limited.call('reachability_packet_send', { query, body: inward })).toMatchObject({
    outcome: 'It arrived at probe eye, and the answer came back.',
  })
  expect(sent).toMatchObject([
    {
      from: { interfaceId: probe.interface.id, mac: probe.interface.mac },
      to: { interfaceId: nics['db']!.id },
    },
    { from: undefined, to: { interfaceId: probe.interface.id } },
  ])
  const actions = await admin.call('action_list', { query })
  expect(actions.items.map(({ sentence }) => sentence)).toContain(
    'sent a real packet to test probe eye',
  )
  await admin.call('probe_delete', { params: { probe: id }, query })
})

test('says why a host sends none', async () => {
  const body = { from: guest('web'), to: guest('db'), ...tcp }
  const capabilities = () => limited.call('capabilities_view')
  const sends = { real_packets: true, real_packets_problem: null }
  expect(await capabilities()).toMatchObject(sends)
  isBlind = true
  const { oldKernel } = problems
  expect(await capabilities()).toMatchObject({
    real_packets: false,
    real_packets_problem: oldKernel,
  })
  expect(await limited.refusal('reachability_packet_send', { query, body })).toMatchObject({
    status: 501,
    message: oldKernel,
  })
  isBlind = false
})

test('counts the packets of each user over a minute', () => {
  let now = 0
  const turns = createPacketTurns(() => now)
  for (let at = 0; at < REAL_PACKET_LIMITS.perMinute; at++) {
    now = at * 1000
    turns.begin('ann')()
  }
  expect(() => turns.begin('ann')).toThrow(problems.tooMany(60_000 - now))
  turns.begin('bob')()
  now = 60_000
  turns.begin('ann')()
  expect(() => turns.begin('ann')).toThrow(problems.tooMany(1000))
  for (let at = 0; at < REAL_PACKET_LIMITS.ofServer; at++) turns.begin(`user ${at}`)
  expect(() => turns.begin('bob')).toThrow(problems.tooMany(1000))
})
