/** Small random worlds, created through the API, with the facts known about them. */
import type { Wire } from '@steading/api'
import type { DiskStateName, InstanceState, JobResourceKind } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import type { Caller } from './caller.ts'
import type { TestServer } from './harness.ts'
import { affinityBody, blankDisk, detachedDisk, reaches, smallInstance } from './things.ts'

/** An index modulo the number of things; null for none. */
type Index = number | null

export interface WorldShape {
  instances: {
    state: 'running' | 'stopped' | 'failed' | 'repairing'
    /** Subnets of its interfaces, the primary one first; by default only the first subnet. */
    nets?: number[]
  }[]
  disks: { on: Index; boots: boolean; state: DiskShape }[]
  snapshots: { of: number; creating: boolean }[]
  images: { of: number; ofSilo: boolean; snapshotDeleted: boolean }[]
  floatingIps: { on: Index }[]
  externalSubnets?: { on: Index }[]
  /** Number of probes, all in the default subnet. */
  probes?: number
  /** Subnets besides the default one. */
  subnets?: { routed: boolean }[]
  /** Routes of a router that may be attached to the subnets. */
  routes?: { toGateway: boolean }[]
  groups: { kind: 'affinity_group' | 'anti_affinity_group'; member: Index }[]
}
type DiskShape = 'plain' | 'import_ready' | 'importing' | 'faulted' | 'maintenance'

const index = fc.nat({ max: 9 })
const someIndex = fc.option(index, { freq: 3 })
const several = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength })
/** One of the values, the first more often than the others. */
const mostly = <T>(first: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(first) },
    { weight: 3, arbitrary: fc.constantFrom(...others) },
  )

export const worldShape: fc.Arbitrary<WorldShape> = fc.record({
  instances: several(
    fc.record({
      state: mostly<WorldShape['instances'][0]['state']>(
        'running',
        'stopped',
        'stopped',
        'failed',
        'repairing',
      ),
      nets: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
    }),
    3,
  ),
  disks: several(
    fc.record({
      on: someIndex,
      boots: fc.boolean(),
      state: mostly<DiskShape>('plain', 'import_ready', 'importing', 'faulted', 'maintenance'),
    }),
    4,
  ),
  snapshots: several(fc.record({ of: index, creating: mostly(false, true) }), 3),
  images: several(
    fc.record({ of: index, ofSilo: fc.boolean(), snapshotDeleted: mostly(false, true) }),
    2,
  ),
  floatingIps: several(fc.record({ on: someIndex }), 2),
  externalSubnets: several(fc.record({ on: someIndex }), 2),
  probes: fc.nat({ max: 2 }),
  subnets: several(fc.record({ routed: fc.boolean() }), 2),
  routes: several(fc.record({ toGateway: fc.boolean() }), 2),
  groups: several(
    fc.record({
      kind: fc.constantFrom('affinity_group' as const, 'anti_affinity_group' as const),
      member: someIndex,
    }),
    2,
  ),
})

export const emptyWorld: WorldShape = {
  instances: [],
  disks: [],
  snapshots: [],
  images: [],
  floatingIps: [],
  groups: [],
}

/** A thing in a world. */
export interface Piece {
  kind: JobResourceKind
  id: string
  name: string
  project: string
  /** It cannot be deleted, nor can that be changed. */
  stuck?: true
  /** Ids of the things it is attached to, was taken of, or is made of. */
  instance?: string
  disk?: string
  snapshot?: string
  /** The subnet an interface is in. */
  subnet?: string
  /** The first interface of its instance, while that has others. */
  primary?: true
  /** Ids of things whose deletion also deletes it, without a step of its own. */
  partOf?: string[]
  /** Ids of things whose deletion changes it. */
  leans?: string[]
  /** The disk its instance boots from. */
  boots?: true
}

/** Id of a probe → its project, which each call must name. */
const projectOfProbe = new Map<string, string>()

let count = 0
const named = (name: string) => ({ name, description: '' })

async function forced(
  server: TestServer,
  table: 'instance' | 'disk' | 'snapshot',
  id: string,
  state: string,
): Promise<void> {
  await server.db
    .updateTable(table as 'instance')
    .set({
      [table === 'instance' ? 'run_state' : 'state']: state as InstanceState,
      reconcile_at: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Creates a project of a shape. */
export async function makeWorld(server: TestServer, shape: WorldShape): Promise<Piece[]> {
  const { admin } = server
  const number = count++
  const project = `world-${number}`
  const query = { project }
  const made: Piece[] = []
  const add = (
    kind: JobResourceKind,
    { id, name }: { id: string; name: string },
    more: Partial<Piece> = {},
  ) => {
    const piece: Piece = { kind, id, name, project: made[0]?.id ?? id, ...more }
    made.push(piece)
    return piece
  }
  const pick = <T>(from: T[], at: Index): T | undefined =>
    at === null || from.length === 0 ? undefined : from[at % from.length]

  add('project', await admin.call('project_create', { body: named(project) }))
  const [vpc] = (await admin.call('vpc_list', { query })).items
  add('vpc', vpc!)
  const nets = await makeNetwork(server, shape, vpc!, add)

  const importing = {
    type: 'distributed',
    disk_source: { type: 'importing_blocks', block_size: 512 },
  }
  const disks = await Promise.all(
    shape.disks.map(async ({ state }, i) => {
      const name = `disk-${i}`
      if (state !== 'import_ready' && state !== 'importing') return detachedDisk(admin, query, name)
      const body = blankDisk(name, { disk_backend: importing })
      const disk = await admin.call('disk_create', { query, body })
      await vi.waitFor(async () => {
        const seen = await admin.call('disk_view', { params: { disk: disk.id } })
        expect(seen.state.state).toBe('import_ready')
      }, 30_000)
      if (state === 'importing') {
        await admin.call('disk_bulk_write_import_start', { params: { disk: disk.id } })
      }
      return disk
    }),
  )
  /** The index in `disks` of each disk to attach to an instance. */
  const onto = shape.instances.map((_, instance) =>
    shape.disks.flatMap(({ on, state }, i) =>
      state === 'plain' && on !== null && on % shape.instances.length === instance ? [i] : [],
    ),
  )
  const netsOf = (instance: number) => [
    ...new Set((shape.instances[instance]!.nets ?? [0]).map((net) => nets[net % nets.length]!)),
  ]
  const instances = await Promise.all(
    shape.instances.map(async ({ state }, i) => {
      const boot = onto[i]!.find((disk) => shape.disks[disk]!.boots)
      const attach = (disk: number) => ({ type: 'attach', name: disks[disk]!.name })
      const { id } = await admin.call('instance_create', {
        query,
        body: smallInstance(`box-${i}`, {
          start: state === 'running',
          auto_restart_policy: 'never',
          network_interfaces: {
            type: 'create',
            params: netsOf(i).map((net) => ({
              ...named(net.name),
              vpc_name: vpc!.name,
              subnet_name: net.name,
              ip_config: { type: 'v4', value: { ip: { type: 'auto' }, transit_ips: [] } },
            })),
          },
          disks: onto[i]!.filter((disk) => disk !== boot).map(attach),
          boot_disk: boot === undefined ? null : attach(boot),
        }),
      })
      return reaches(admin, id, state === 'running' ? 'running' : 'stopped')
    }),
  )
  for (const [i, { member, kind }] of shape.groups.entries()) {
    const group = await admin.call(`${kind}_create`, { query, body: affinityBody(`group-${i}`) })
    add(kind, group)
    const instance = pick(
      instances.filter(({ run_state }) => run_state === 'stopped'),
      member,
    )
    if (!instance) continue
    const params = {
      affinity_group: group.id,
      anti_affinity_group: group.id,
      instance: instance.id,
    }
    await admin.call(`${kind}_member_instance_add`, { params })
  }
  /** The thing an address is attached to; failed instances keep their addresses. */
  const attachedTo = (instance: Wire.Instance | undefined): Partial<Piece> => {
    const state = shape.instances[instances.indexOf(instance!)]?.state ?? ''
    return {
      instance: instance?.id,
      ...(['failed', 'repairing'].includes(state) ? { stuck: true } : {}),
    }
  }
  for (const [i, { on }] of shape.floatingIps.entries()) {
    const address = await admin.call('floating_ip_create', { query, body: named(`address-${i}`) })
    const instance = pick(instances, on)
    const params = { floating_ip: address.id }
    if (instance) {
      const body = { kind: 'instance' as const, parent: instance.id }
      await admin.call('floating_ip_attach', { params, body })
    }
    add('floating_ip', address, attachedTo(instance))
  }
  for (const [i, { on }] of (shape.externalSubnets ?? []).entries()) {
    const body = { ...named(`net-out-${i}`), allocator: { type: 'auto', prefix_length: 30 } }
    const subnet = await admin.call('external_subnet_create', { query, body })
    const instance = pick(instances, on)
    const params = { external_subnet: subnet.id }
    if (instance) {
      await admin.call('external_subnet_attach', { params, body: { instance: instance.id } })
    }
    add('external_subnet', subnet, attachedTo(instance))
  }
  const [sled] = (await admin.call('sled_list')).items
  for (let i = 0; i < (shape.probes ?? 0); i++) {
    const body = { ...named(`probe-${i}`), sled: sled!.id }
    const probe = await admin.call('probe_create', { query, body })
    projectOfProbe.set(probe.id, project)
    add('probe', probe, { subnet: nets[0]!.id })
  }
  const plain = disks.filter((_, i) => shape.disks[i]!.state === 'plain')
  const snapshots: Piece[] = []
  for (const [i, { of }] of shape.snapshots.entries()) {
    const disk = pick(plain, of)
    if (!disk) continue
    const body = { ...named(`snap-${i}`), disk: disk.id }
    const snapshot = await admin.call('snapshot_create', { query, body })
    snapshots.push(add('snapshot', snapshot, { disk: disk.id }))
  }
  const deleted = new Set<string>()
  for (const [i, { of, ofSilo, snapshotDeleted }] of shape.images.entries()) {
    const snapshot = pick(
      snapshots.filter(({ id }) => !deleted.has(id)),
      of,
    )
    if (!snapshot) continue
    const image = await admin.call('image_create', {
      query: ofSilo ? {} : query,
      body: {
        ...named(`img-${number}-${i}`),
        os: 'Plan 9',
        version: '4',
        source: { type: 'snapshot', id: snapshot.id },
      },
    })
    add('image', image, {
      snapshot: snapshot.id,
      disk: snapshot.disk,
      ...(ofSilo ? { project: '' } : {}),
    })
    if (!snapshotDeleted) continue
    await admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
    deleted.add(snapshot.id)
  }
  for (const [i, { creating }] of shape.snapshots.entries()) {
    const snapshot = snapshots.find(({ name }) => name === `snap-${i}`)
    if (!creating || !snapshot || deleted.has(snapshot.id)) continue
    await forced(server, 'snapshot', snapshot.id, 'creating')
    snapshot.stuck = true
  }
  for (const [i, instance] of instances.entries()) {
    const { items } = await admin.call('instance_network_interface_list', {
      query: { instance: instance.id },
    })
    const several = netsOf(i).length > 1
    for (const nic of items) {
      add('network_interface', nic, {
        instance: instance.id,
        subnet: nic.subnet_id,
        partOf: [instance.id],
        ...(nic.primary && several ? { primary: true } : {}),
      })
    }
  }
  for (const [i, { state }] of shape.instances.entries()) {
    const { id } = instances[i]!
    if (state === 'failed' || state === 'repairing') await forced(server, 'instance', id, state)
    add('instance', instances[i]!, state === 'repairing' ? { stuck: true } : {})
  }
  for (const [i, { state }] of shape.disks.entries()) {
    const at = onto.findIndex((its) => its.includes(i))
    const instance = instances[at]
    if (state === 'faulted' || state === 'maintenance') {
      await forced(server, 'disk', disks[i]!.id, state satisfies DiskStateName)
    }
    const boots = instance && instance.boot_disk_id === disks[i]!.id
    const held = shape.instances[at]?.state === 'repairing'
    add('disk', disks[i]!, {
      instance: instance?.id,
      ...(boots ? { boots } : {}),
      ...(state === 'maintenance' || held ? { stuck: true } : {}),
    })
  }
  return made.filter(({ id }) => !deleted.has(id))
}

type Add = (
  kind: JobResourceKind,
  thing: { id: string; name: string },
  more?: Partial<Piece>,
) => Piece

/**
 * Creates the contents of the VPC of a world: subnets, gateways, and routers with their routes.
 * @returns the subnets, the default one first
 */
async function makeNetwork(
  { admin }: TestServer,
  { subnets = [], routes = [] }: WorldShape,
  vpc: Wire.Vpc,
  add: Add,
): Promise<Wire.VpcSubnet[]> {
  const query = { vpc: vpc.id }
  const partOf = [vpc.id]
  const gateways = (await admin.call('internet_gateway_list', { query })).items
  for (const gateway of gateways) add('internet_gateway', gateway, { partOf })
  const router = await admin.call('vpc_router_create', { query, body: named('by-hand') })
  add('vpc_router', router, { partOf })
  for (const [i, { toGateway }] of routes.entries()) {
    const route = await admin.call('vpc_router_route_create', {
      query: { router: router.id },
      body: {
        ...named(`route-${i}`),
        destination: { type: 'ip_net', value: `192.168.${i}.0/24` },
        target: toGateway ? { type: 'internet_gateway', value: 'default' } : { type: 'drop' },
      },
    })
    const leads = toGateway ? gateways.map(({ id }) => id) : []
    add('router_route', route, { partOf: [vpc.id, router.id, ...leads] })
  }
  const [first] = (await admin.call('vpc_subnet_list', { query })).items
  const made = [first!]
  for (const [i, { routed }] of subnets.entries()) {
    const body = {
      ...named(`net-${i}`),
      ipv4_block: `10.0.${i}.0/24`,
      custom_router: routed ? router.id : null,
    }
    made.push(await admin.call('vpc_subnet_create', { query, body }))
  }
  for (const subnet of made) add('vpc_subnet', subnet, { leans: [router.id] })
  const { items } = await admin.call('vpc_router_list', { query })
  const system = items.find(({ kind }) => kind === 'system')!
  add('vpc_router', system, { partOf, stuck: true })
  const own = await admin.call('vpc_router_route_list', { query: { router: system.id } })
  for (const route of own.items) {
    const { kind, target } = route
    const to = made.find(({ name }) => target.type === 'subnet' && name === target.value)
    const ends = kind === 'default' ? gateways : [to!]
    add('router_route', route, { partOf: [vpc.id, ...ends.map(({ id }) => id)], stuck: true })
  }
  return made
}

/** Changes stuck states into states from which a deletion is possible. */
export async function loosen(server: TestServer): Promise<void> {
  const { db } = server
  await db
    .updateTable('instance')
    .set({ run_state: 'stopped' })
    .where('run_state', '=', 'repairing')
    .where('time_deleted', 'is', null)
    .execute()
  await db
    .updateTable('disk')
    .set({ state: 'detached' })
    .where('state', '=', 'maintenance')
    .execute()
  await db.updateTable('snapshot').set({ state: 'ready' }).where('state', '=', 'creating').execute()
}

/** The parameters that select things, if not named after their kind. */
const parameters: Partial<Record<JobResourceKind, string>> = {
  vpc_subnet: 'subnet',
  vpc_router: 'router',
  router_route: 'route',
  internet_gateway: 'gateway',
  network_interface: 'interface',
}
/** The names of kinds in operations, if not the kind's own. */
const operations: Partial<Record<JobResourceKind, string>> = { router_route: 'vpc_router_route' }

const deletionOf = (kind: JobResourceKind) =>
  (kind === 'network_interface'
    ? 'instance_network_interface_delete'
    : `${operations[kind] ?? kind}_delete`) as 'disk_delete'
const args = (kind: JobResourceKind, id: string) =>
  ({
    params: { [parameters[kind] ?? kind]: id },
    // A job deletes a gateway with its attachments.
    query: {
      ...(kind === 'internet_gateway' ? { cascade: true } : {}),
      ...(kind === 'probe' ? { project: projectOfProbe.get(id) } : {}),
    },
  }) as never

/** A thing as the API shows it; undefined if it does not exist. */
export async function look(
  caller: Caller,
  { kind, id }: { kind: JobResourceKind; id: string },
): Promise<Record<string, unknown> | undefined> {
  const path =
    kind === 'probe'
      ? `/experimental/v1/probes/${id}?project=${projectOfProbe.get(id)}`
      : `/v1/${(operations[kind] ?? kind).replaceAll('_', '-')}s/${id}`
  const { status, body } = await caller.send('GET', path)
  return status === 200 ? (body as Record<string, unknown>) : undefined
}

/** Deletes a thing directly. */
export const remove = (caller: Caller, { kind, id }: { kind: JobResourceKind; id: string }) =>
  caller.call(deletionOf(kind), args(kind, id))
export const refusedRemove = (
  caller: Caller,
  { kind, id }: { kind: JobResourceKind; id: string },
) => caller.refusal(deletionOf(kind), args(kind, id))
