/** Networks that are applied to VPCs: an engine that takes them, over simulated machines. */
import type { Wire } from '@steading/api'
import { JUMBO_MTU } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { composeEngine, partsWithout } from '../src/kernel/engine.ts'
import {
  NetworkSilent,
  type VpcNetwork,
  type VpcNetworks,
} from '../src/kernel/ports/vpc-networks.ts'
import { networkFaults, networkSilent } from '@steading/api/rules'
import { planVpcNetworks } from '../src/resources/networking/vpc-networks/plan.ts'
import { addPool } from './support/networks.ts'
import { startSmallServer } from './support/small-server.ts'
import { firewallRule, smallInstance, tcpTo, until } from './support/things.ts'

/** Takes the networks of VPCs, unless they are older than those it has. */
function takesVpcs() {
  const applied = new Map<string, VpcNetwork>()
  const calls: string[] = []
  const state = { isUp: true }
  const networks: VpcNetworks = {
    attachment: (port) => ({
      kind: 'openvswitch',
      bridge: 'br-int',
      port,
      mtu: 1500,
    }),
    async apply(network) {
      if (!state.isUp) throw new Error('a host does not answer')
      calls.push(network.rows.vpcs[0]!.name)
      const there = applied.get(network.vpcId)
      if (there && there.version > network.version) return there
      applied.set(network.vpcId, network)
      return network
    },
    remove: async (vpcId) => void applied.delete(vpcId),
    list: async () => [...applied.values()],
  }
  return { networks, applied, calls, state }
}

/** A control plane over a database file, and calls of it as its first user. */
async function start(path: string, engine = takesVpcs()) {
  const rack = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  const cables = {
    name: 'cables',
    ports: ['vpcNetworks'] as const,
    open: () => ({ vpcNetworks: engine.networks }),
  }
  // The networks of VPCs carry multicast as well.
  const { controlPlane, call, stop } = await startSmallServer(
    path,
    composeEngine(...partsWithout(rack, 'multicast'), cables),
    () => {},
    { settings: { multicast: true } },
  )
  onTestFinished(stop)
  const statusOf = (project: string) =>
    call<Wire.VpcNetworkStatus>('GET', `/x/v1/vpcs/default/network-status?project=${project}`)
  /** Waits until the default VPC of a project is in effect. */
  const settled = (project: string) =>
    until(
      () => statusOf(project),
      ({ behind }) => expect(behind).toBe(false),
    )
  return { ...engine, db: controlPlane.database.db, call, stop, statusOf, settled }
}
type Started = Awaited<ReturnType<typeof start>>

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'steading-vpcs-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'steading.db')
}

const addProject = async ({ call, settled }: Started, name: string) => {
  await call('POST', '/v1/projects', { name, description: '' })
  await settled(name)
}

const addInstance = ({ call }: Started, project: string) =>
  call<Wire.Instance>('POST', `/v1/instances?project=${project}`, {
    ...smallInstance('web'),
    network_interfaces: { type: 'default_ipv4' },
    external_ips: [{ type: 'ephemeral' }],
    start: true,
  })

const networkRow = (db: Started['db'], id: string) =>
  db.selectFrom('vpc_network').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const setRules = ({ call }: Started, project: string, port: string) =>
  call('PUT', `/v1/vpc-firewall-rules?project=${project}&vpc=default`, {
    rules: [firewallRule('web', { filters: tcpTo(port) })],
  })

test('the network of a VPC follows its contents, and ends with it', async () => {
  const started = await start(newPath())
  const { call, applied, settled, db } = started
  await addProject(started, 'shop')
  await addInstance(started, 'shop')
  await settled('shop')
  const [[id]] = [...applied] as [[string, VpcNetwork]]
  const rowsOf = () => applied.get(id)!.rows
  expect(rowsOf().vpcs).toEqual([expect.objectContaining({ id, name: 'default' })])
  expect(rowsOf().interfaces).toEqual([expect.objectContaining({ primary: true })])
  expect(rowsOf().external_ips.map(({ kind }) => kind)).toEqual(['snat', 'ephemeral'])

  const before = (await settled('shop')).version!
  await setRules(started, 'shop', '443')
  expect((await settled('shop')).version).toBeGreaterThan(before)
  expect(rowsOf().firewall_rules.map(({ filters }) => filters.ports)).toEqual([['443']])

  await call('POST', '/v1/instances/web/stop?project=shop')
  await until(
    () => call<Wire.Instance>('GET', '/v1/instances/web?project=shop'),
    ({ run_state }) => expect(run_state).toBe('stopped'),
  )
  await call('DELETE', '/v1/instances/web?project=shop')
  await call('DELETE', '/v1/vpc-subnets/default?project=shop&vpc=default')
  await call('DELETE', '/v1/vpcs/default?project=shop')
  await until(
    async () => [await db.selectFrom('vpc_network').select('id').execute(), [...applied]],
    (left) => expect(left).toEqual([[], []]),
  )
})

test('the network carries the packets of instances with jumbo frames', async () => {
  const started = await start(newPath())
  const { call, applied, settled } = started
  await addProject(started, 'shop')
  const { id, boot_disk_id } = await addInstance(started, 'shop')
  await settled('shop')
  const [{ rows: before }] = [...applied.values()] as [VpcNetwork]
  expect(before.instances).toEqual([expect.not.objectContaining({ mtu: expect.anything() })])
  await call('PUT', '/v1/system/networking/settings', {
    external_jumbo_frames_opt_in_enabled: true,
  })
  await call('PUT', `/v1/instances/${id}`, {
    ...smallInstance('web'),
    boot_disk: boot_disk_id ?? null,
    auto_restart_policy: null,
    cpu_platform: null,
    enable_jumbo_frames: true,
  })
  await settled('shop')
  const [{ rows: after }] = [...applied.values()] as [VpcNetwork]
  expect(after.instances).toEqual([expect.objectContaining({ mtu: JUMBO_MTU })])
})

test('members of a multicast group have joined when their network is in effect', async () => {
  const engine = takesVpcs()
  const started = await start(newPath(), engine)
  const { call, applied, settled, db } = started
  const { id: siloId } = await db
    .selectFrom('silo')
    .select('id')
    .where('name', '=', 'main')
    .executeTakeFirstOrThrow()
  const [first, last] = ['239.1.0.0', '239.1.0.255']
  await addPool(db, 'casts', { pool_type: 'multicast', siloId, first, last })
  await addProject(started, 'shop')
  const { id } = await addInstance(started, 'shop')
  await settled('shop')
  const memberships = async () => {
    const { items } = await call<{ items: Wire.MulticastGroupMember[] }>(
      'GET',
      `/v1/instances/${id}/multicast-groups`,
    )
    return items.map(({ state }) => state)
  }

  engine.state.isUp = false
  await call('PUT', `/v1/instances/${id}/multicast-groups/news`, { source_ips: ['172.30.0.9'] })
  expect(await memberships()).toEqual(['Joining'])
  engine.state.isUp = true
  await until(memberships, (states) => expect(states).toEqual(['Joined']))
  const [{ rows, multicast }] = [...applied.values()] as [VpcNetwork]
  const [nic] = rows.interfaces
  expect(multicast).toEqual([
    {
      id: expect.any(String),
      address: expect.stringMatching(/^239\.1\.0\./),
      isShared: false,
      members: [{ interfaceId: nic!.id, sources: ['172.30.0.9'] }],
    },
  ])

  // The network of a VPC depends on whether another one has members.
  const sharing = () =>
    [...applied.values()].map((network) => network.multicast.map(({ isShared }) => isShared))
  await addProject(started, 'office')
  const other = await addInstance(started, 'office')
  await call('PUT', `/v1/instances/${other.id}/multicast-groups/news`, {})
  await until(
    async () => sharing(),
    (groups) => expect(groups).toEqual([[true], [true]]),
  )
  await call('DELETE', `/v1/instances/${other.id}/multicast-groups/news`)
  await until(
    async () => sharing(),
    (groups) => expect(groups).toEqual([[false], []]),
  )

  await call('DELETE', `/v1/instances/${id}/multicast-groups/news`)
  await until(
    async () => [...applied.values()].map((network) => network.multicast),
    (groups) => expect(groups).toEqual([[], []]),
  )
})

test('a network that was applied between a change and its end is applied again', async () => {
  const started = await start(newPath())
  const { applied, db } = started
  await addProject(started, 'shop')
  const [[id]] = [...applied] as [[string, VpcNetwork]]
  await addProject(started, 'office')
  const priorities = () => applied.get(id)!.rows.firewall_rules.map(({ priority }) => priority)
  const [before] = priorities()
  // No event tells the planner of these changes, as if it came late.
  const setPriority = (priority: number) =>
    db.updateTable('vpc_firewall_rule').set({ priority }).where('vpc_id', '=', id).execute()
  await setPriority(7)
  const due = { reconcile_at: new Date(0).toISOString() }
  await db.updateTable('vpc_network').set(due).where('id', '=', id).execute()
  // All rows that are due have their turn; only the networks of this project are planned.
  await setRules(started, 'office', '80')
  await until(
    async () => ({ priorities: priorities(), row: await networkRow(db, id) }),
    (seen) => {
      expect(new Set(seen.priorities)).toEqual(new Set([7]))
      expect(seen.row).toMatchObject({ reconcile_at: null, lease_until: null })
    },
  )
  await setPriority(before!)
  expect(await planVpcNetworks(db, new Date())).toBe(true)
  await until(
    async () => new Set(priorities()),
    (seen) => expect(seen).toEqual(new Set([before])),
  )
})

test('a change is applied to the VPCs that it touches, and to no others', async () => {
  const started = await start(newPath())
  const { applied, calls, call, settled, db } = started
  await addProject(started, 'shop')
  await addProject(started, 'office')
  await addInstance(started, 'shop')
  await settled('shop')
  const versions = () => new Map([...applied].map(([id, { version }]) => [id, version]))
  const before = versions()
  const { id } = await call<Wire.Vpc>('GET', '/v1/vpcs/default?project=shop')

  await setRules(started, 'shop', '80')
  await settled('shop')
  const after = versions()
  expect(after.get(id)).toBeGreaterThan(before.get(id)!)
  for (const [other, version] of before) if (other !== id) expect(after.get(other)).toBe(version)

  // Whether an instance runs does not matter to its network.
  calls.length = 0
  await call('POST', '/v1/instances/web/stop?project=shop')
  await until(
    () => call<Wire.Instance>('GET', '/v1/instances/web?project=shop'),
    ({ run_state }) => expect(run_state).toBe('stopped'),
  )
  expect(await planVpcNetworks(db, new Date())).toBe(false)
  expect(calls).toEqual([])
})

test('a VPC is behind while a host does not answer', async () => {
  const started = await start(newPath())
  const { state, statusOf, settled } = started
  await addProject(started, 'shop')
  state.isUp = false
  await setRules(started, 'shop', '80')
  expect(await statusOf('shop')).toMatchObject({ carried: true, behind: true })
  state.isUp = true
  await settled('shop')
})

test('an engine that has lost its VPCs gets them again, and unknown ones end', async () => {
  const path = newPath()
  const before = await start(path)
  await addProject(before, 'shop')
  const [[id, network]] = [...before.applied] as [[string, VpcNetwork]]
  await before.stop()

  const engine = takesVpcs()
  engine.applied.set('nobody', { ...network, vpcId: 'nobody' })
  const after = await start(path, engine)
  await until(
    async () => [...engine.applied.keys()],
    (vpcs) => expect(vpcs).toEqual([id]),
  )
  await after.settled('shop')
})

test('an engine that is ahead of a restored database follows it again', async () => {
  const path = newPath()
  const before = await start(path)
  await addProject(before, 'shop')
  const [[id, network]] = [...before.applied] as [[string, VpcNetwork]]
  await before.stop()

  const engine = takesVpcs()
  engine.applied.set(id, { ...network, version: network.version + 1000 })
  const after = await start(path, engine)
  // The database says that all is well until the engine is asked.
  await until(
    () => after.statusOf('shop'),
    ({ behind, version }) => {
      expect(behind).toBe(false)
      expect(version).toBeGreaterThan(network.version + 1000)
      expect(engine.applied.get(id)!.version).toBe(version)
    },
  )
})

test('networks that do not answer hold up no comparison of anything else', async () => {
  const path = newPath()
  const before = await start(path)
  await addProject(before, 'shop')
  const rackOf = ({ db }: Started) =>
    db.selectFrom('rack').select(['fence', 'reconcile_at']).executeTakeFirstOrThrow()
  const { fence } = await until(
    () => rackOf(before),
    ({ reconcile_at }) => expect(reconcile_at).toBeNull(),
  )
  await before.stop()

  const engine = takesVpcs()
  engine.networks.list = () => Promise.reject(new Error('no connection'))
  const after = await start(path, engine)
  await until(
    () => rackOf(after),
    (rack) => expect(rack.fence).toBeGreaterThan(fence),
  )
})

test('a network that does not answer says so, to members and to operators', async () => {
  const engine = takesVpcs()
  const since = new Date('2026-01-01T00:00:00Z')
  const silent = () => Promise.reject(new NetworkSilent('no connection'))
  Object.assign(engine.networks, {
    firewallUse: silent,
    deniedPackets: silent,
    hostState: silent,
    health: () => ({
      silentCenter: { part: 'northd', since },
      hosts: [
        { name: 'one', answered: since, silentSince: undefined, tunnels: 1 },
        { name: 'two', answered: since, silentSince: since, tunnels: 1 },
      ],
      version: undefined,
    }),
  } satisfies Partial<VpcNetworks>)
  const started = await start(newPath(), engine)
  const { call, statusOf } = started
  await addProject(started, 'shop')
  await addInstance(started, 'shop')
  await started.settled('shop')

  expect(await statusOf('shop')).toMatchObject({ hosts: 2, silent_hosts: 1 })
  for (const path of ['vpcs/default/firewall-use', 'instances/web/denied-packets']) {
    await expect(call('GET', `/x/v1/${path}?project=shop`)).rejects.toThrow(networkSilent)
  }
  expect(await call('GET', '/x/v1/system/networks')).toMatchObject({
    silent: 'northd',
    time_silent: since.toISOString(),
    host_state: null,
  })
  const { items } = await call<Wire.Issues>('GET', '/x/v1/issues')
  expect(items.map(({ id, sentence }) => [id, sentence])).toEqual(
    expect.arrayContaining([
      ['network_center_silent:northd', networkFaults.center.northd],
      ['network_host_silent:two', networkFaults.host('two')],
    ]),
  )
})
