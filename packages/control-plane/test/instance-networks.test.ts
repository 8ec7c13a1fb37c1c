/** Networks that are applied to machines: an engine that takes them, over simulated machines. */
import type { Wire } from '@steading/api'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import type { Engine } from '../src/kernel/ports/engines.ts'
import type {
  MachineNetwork,
  MachineNetworks,
  MachineNetworkStatus,
} from '../src/kernel/ports/machine-networks.ts'
import { planNetworks } from '../src/resources/networking/instance-networks/plan.ts'
import { startSmallServer } from './support/small-server.ts'
import { firewallRule, smallInstance, tcpTo, until } from './support/things.ts'

/** Takes networks, and opens each port that is open to everybody at the host port above it. */
function takesNetworks() {
  const applied = new Map<string, MachineNetwork>()
  const state = { isUp: true, measures: true, calls: 0 }
  const statusOf = (network: MachineNetwork): MachineNetworkStatus => ({
    machineId: network.machineId,
    version: state.isUp ? network.version : undefined,
    endpoints: network.ingresses
      .filter(({ sources }) => sources === null)
      .map(({ external, protocol, first }) => ({
        external,
        protocol,
        port: first,
        hostAddress: '127.0.0.1',
        hostPort: 20_000 + first,
      })),
    notEnforced: network.needs.filter((need) => need === 'inside'),
    measured: state.measures,
  })
  const networking: MachineNetworks = {
    lacks: ['inside'],
    measured: true,
    async apply(network) {
      state.calls++
      const before = applied.get(network.machineId)
      if (before && before.version > network.version) throw new Error('a newer network is there')
      applied.set(network.machineId, network)
      return statusOf(network)
    },
    async remove(machineId) {
      applied.delete(machineId)
    },
    async list() {
      return [...applied.values()].map(statusOf)
    },
  }
  return { networking, applied, state }
}

/** A control plane over a database file, and calls of it as its first user. */
async function start(path: string, networks = takesNetworks()) {
  const rack = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  const engine: Engine = {
    ...rack,
    open: (parts) => ({ ...rack.open(parts), networking: networks.networking }),
  }
  const { controlPlane, call, stop } = await startSmallServer(path, engine)
  onTestFinished(stop)
  return { ...networks, db: controlPlane.database.db, call, stop }
}
type Started = Awaited<ReturnType<typeof start>>

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-networks-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}

const networkOf = ({ call }: Started) =>
  call<Wire.InstanceNetwork>('GET', '/x/v1/instances/web/network?project=shop')

/** The network of the instance, once it is applied and as expected. */
const settles = (started: Started, check: (network: Wire.InstanceNetwork) => void) =>
  until(
    () => networkOf(started),
    (network) => {
      expect(network.behind).toBe(false)
      check(network)
    },
  )

const ports = ({ endpoints }: Wire.InstanceNetwork) => endpoints.map(({ port }) => port)

/** A project with an instance that has an ephemeral IP. */
async function addInstance({ call }: Started): Promise<void> {
  await call('POST', '/v1/projects', { name: 'shop', description: '' })
  await call('POST', '/v1/instances?project=shop', {
    ...smallInstance('web'),
    network_interfaces: { type: 'default_ipv4' },
    external_ips: [{ type: 'ephemeral' }],
    start: true,
  })
}

const rule = (name: string, port: string, more: object = {}) =>
  firewallRule(name, { filters: tcpTo(port), ...more })
const setRules = ({ call }: Started, ...rules: object[]) =>
  call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', { rules })

test('the network of a machine follows rules and addresses, and ends with it', async () => {
  const started = await start(newPath())
  const { call, applied, db } = started
  await addInstance(started)
  const first = await settles(started, ({ version }) => expect(version).not.toBeNull())
  expect(first.endpoints).toEqual([
    expect.objectContaining({ protocol: 'tcp', port: 22, host_ip: '127.0.0.1', host_port: 20_022 }),
  ])
  expect(first.not_enforced).toEqual(['inside'])
  const [machine] = [...applied.values()]
  expect(machine!.interfaces).toEqual([
    expect.objectContaining({ primary: true, addresses: [machine!.ingresses[0]!.address] }),
  ])

  await setRules(
    started,
    rule('web', '80'),
    rule('office', '443', {
      filters: tcpTo('443', { type: 'ip_net', value: '203.0.113.0/24' }),
    }),
  )
  const second = await settles(started, (network) => expect(ports(network)).toEqual([80]))
  expect(second.version).toBeGreaterThan(first.version!)
  expect([...applied.values()][0]!.ingresses).toContainEqual(
    expect.objectContaining({
      first: 443,
      last: 443,
      sources: [{ first: '203.0.113.0', last: '203.0.113.255' }],
    }),
  )

  await call('POST', '/v1/floating-ips?project=shop', {
    name: 'fixed',
    description: '',
    address_allocator: { type: 'auto' },
  })
  await call('POST', '/v1/floating-ips/fixed/attach?project=shop', {
    kind: 'instance',
    parent: 'web',
  })
  await settles(started, (network) => expect(ports(network)).toEqual([80, 80]))
  await call('POST', '/v1/floating-ips/fixed/detach?project=shop')
  await settles(started, (network) => expect(ports(network)).toEqual([80]))

  await call('POST', '/v1/instances/web/stop?project=shop')
  await until(
    async () => [await db.selectFrom('instance_network').select('id').execute(), [...applied]],
    (left) => expect(left).toEqual([[], []]),
  )
  expect(await networkOf(started)).toEqual({
    version: null,
    time_applied: null,
    behind: false,
    endpoints: [],
    direct: false,
    not_enforced: [],
    measured: true,
  })
})

test('a network is behind until its machine is up', async () => {
  const networks = takesNetworks()
  networks.state.isUp = false
  const started = await start(newPath(), networks)
  await addInstance(started)
  await until(
    () => networkOf(started),
    ({ version, behind }) => {
      expect({ version, behind }).toEqual({ version: null, behind: true })
      expect(networks.state.calls).toBeGreaterThan(0)
    },
  )
  networks.state.isUp = true
  await settles(started, (network) => expect(ports(network)).toEqual([22]))
})

test('a machine that was attached before the engine measured networks is not measured', async () => {
  const networks = takesNetworks()
  networks.state.measures = false
  const started = await start(newPath(), networks)
  await addInstance(started)
  await settles(started, ({ measured }) => expect(measured).toBe(false))
})

test('an engine that has lost its networks gets them again, and unknown ones end', async () => {
  const path = newPath()
  const before = await start(path)
  await addInstance(before)
  await settles(before, (network) => expect(ports(network)).toEqual([22]))
  const [[id, network]] = [...before.applied] as [[string, MachineNetwork]]
  await before.stop()

  const networks = takesNetworks()
  networks.applied.set('nobody', { ...network, machineId: 'nobody' })
  const after = await start(path, networks)
  await until(
    async () => [...networks.applied.keys()],
    (machines) => expect(machines).toEqual([id]),
  )
  await settles(after, ({ version }) => expect(version).toBeGreaterThan(network.version))
})

test('nothing is due when nothing has changed', async () => {
  const started = await start(newPath())
  await addInstance(started)
  await settles(started, (network) => expect(ports(network)).toEqual([22]))
  expect(await planNetworks(started.db, new Date())).toBe(false)
  await setRules(started, rule('ssh', '22'), rule('more', '22', { priority: 200 }))
  await settles(started, ({ not_enforced }) => expect(not_enforced).toEqual([]))
  expect(await planNetworks(started.db, new Date())).toBe(false)
})
