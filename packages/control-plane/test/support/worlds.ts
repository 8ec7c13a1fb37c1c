/** Small worlds of any shape, made through the API, and what is known of them. */
import type { DiskStateName, InstanceState, JobThingKind } from '@steading/api/rules'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import type { Caller } from './caller.ts'
import type { TestServer } from './harness.ts'
import { affinityBody, blankDisk, detachedDisk, reaches, smallInstance } from './things.ts'

/** Indexes are taken modulo how many there are; null is none. */
type Index = number | null

export interface WorldShape {
  instances: { state: 'running' | 'stopped' | 'failed' | 'repairing' }[]
  disks: { on: Index; boots: boolean; state: DiskShape }[]
  snapshots: { of: number; creating: boolean }[]
  images: { of: number; ofSilo: boolean; snapshotDeleted: boolean }[]
  floatingIps: { on: Index }[]
  groups: { kind: 'affinity_group' | 'anti_affinity_group'; member: Index }[]
}
type DiskShape = 'plain' | 'import_ready' | 'importing' | 'faulted' | 'maintenance'

const index = fc.nat({ max: 9 })
const someIndex = fc.option(index, { freq: 3 })
const several = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength })
/** The first more often than all others. */
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
  groups: several(
    fc.record({
      kind: fc.constantFrom('affinity_group' as const, 'anti_affinity_group' as const),
      member: someIndex,
    }),
    2,
  ),
})

/** Something of a world. */
export interface Piece {
  kind: JobThingKind
  id: string
  name: string
  project: string
  /** Nothing can delete it as it is, nor make that possible. */
  stuck?: true
  /** Ids of what it is attached to, was taken of, or is made of. */
  instance?: string
  disk?: string
  snapshot?: string
  /** The disk its instance boots from. */
  boots?: true
}

let count = 0

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

/** Makes a project of a shape. */
export async function makeWorld(server: TestServer, shape: WorldShape): Promise<Piece[]> {
  const { admin } = server
  const number = count++
  const project = `world-${number}`
  const query = { project }
  const made: Piece[] = []
  const add = (
    kind: JobThingKind,
    { id, name }: { id: string; name: string },
    more: Partial<Piece> = {},
  ) => {
    const piece: Piece = { kind, id, name, project: made[0]?.id ?? id, ...more }
    made.push(piece)
    return piece
  }
  const named = (name: string) => ({ name, description: '' })
  const pick = <T>(from: T[], at: Index): T | undefined =>
    at === null || from.length === 0 ? undefined : from[at % from.length]

  add('project', await admin.call('project_create', { body: named(project) }))
  const [vpc] = (await admin.call('vpc_list', { query })).items
  add('vpc', vpc!)
  const subnets = await admin.call('vpc_subnet_list', { query: { vpc: vpc!.id } })
  add('vpc_subnet', subnets.items[0]!)

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
      })
      if (state === 'importing') {
        await admin.call('disk_bulk_write_import_start', { params: { disk: disk.id } })
      }
      return disk
    }),
  )
  /** The place in `disks` of what goes onto an instance. */
  const onto = shape.instances.map((_, instance) =>
    shape.disks.flatMap(({ on, state }, i) =>
      state === 'plain' && on !== null && on % shape.instances.length === instance ? [i] : [],
    ),
  )
  const instances = await Promise.all(
    shape.instances.map(async ({ state }, i) => {
      const boot = onto[i]!.find((disk) => shape.disks[disk]!.boots)
      const attach = (disk: number) => ({ type: 'attach', name: disks[disk]!.name })
      const { id } = await admin.call('instance_create', {
        query,
        body: smallInstance(`box-${i}`, {
          start: state === 'running',
          auto_restart_policy: 'never',
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
  for (const [i, { on }] of shape.floatingIps.entries()) {
    const address = await admin.call('floating_ip_create', { query, body: named(`address-${i}`) })
    const instance = pick(instances, on)
    const params = { floating_ip: address.id }
    if (instance) {
      const body = { kind: 'instance' as const, parent: instance.id }
      await admin.call('floating_ip_attach', { params, body })
    }
    const stuck = shape.instances[instances.indexOf(instance!)]?.state ?? ''
    add('floating_ip', address, {
      instance: instance?.id,
      // Failed instances keep their addresses.
      ...(['failed', 'repairing'].includes(stuck) ? { stuck: true } : {}),
    })
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

/** The parameters that things are named by, where that is not their kind. */
const parameters: Partial<Record<JobThingKind, string>> = {
  vpc_subnet: 'subnet',
  network_interface: 'interface',
}

const args = (kind: JobThingKind, id: string) =>
  ({ params: { [parameters[kind] ?? kind]: id } }) as never

const deletion = (kind: JobThingKind) =>
  (kind === 'network_interface'
    ? 'instance_network_interface_delete'
    : `${kind}_delete`) as 'disk_delete'

/** A thing as the API shows it; undefined if there is none. */
export async function look(
  caller: Caller,
  { kind, id }: { kind: JobThingKind; id: string },
): Promise<Record<string, unknown> | undefined> {
  const path = `/v1/${kind.replaceAll('_', '-')}s/${id}`
  const { status, body } = await caller.send('GET', path)
  return status === 200 ? (body as Record<string, unknown>) : undefined
}

/** Deletes a thing directly. */
export const remove = (caller: Caller, { kind, id }: { kind: JobThingKind; id: string }) =>
  caller.call(deletion(kind), args(kind, id))
export const refusedRemove = (caller: Caller, { kind, id }: { kind: JobThingKind; id: string }) =>
  caller.refusal(deletion(kind), args(kind, id))
