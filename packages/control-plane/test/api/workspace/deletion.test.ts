/** Descriptions of deletions. `deletion-plan` tests that plans match them. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { long } from '../../support/long.ts'
import { diskRow, instanceRow, storeRows } from '../../support/many.ts'
import { importingDisk } from '../../support/storage.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  forceState,
  keepNothing,
  reaches,
  stoppedInstance,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await keepNothing(admin)
})
afterAll(() => server.close())

let count = 0
async function newProject() {
  const name = `project-${count++}`
  const { id } = await admin.call('project_create', { body: { name, description: '' } })
  return { id, query: { project: name } }
}
const named = (name: string) => ({ name, description: '' })
const attach = (name: string) => ({ type: 'attach', name })

/** Groups, one per line. */
const lines = ({ groups }: Wire.Deletion): string[] =>
  groups.map(({ relation, kind, total, first, reason, can_go }) => {
    const things = first.map(({ name, detail }) => (detail === null ? name : `${name} (${detail})`))
    return `${relation}${can_go ? '*' : ''} ${total} ${kind}: ${things.join(', ')}: ${reason}`
  })
const ofInstance = async (instance: string, caller = admin) =>
  lines(await caller.call('instance_deletion', { params: { instance } }))
const ofDisk = async (disk: string, caller = admin) =>
  lines(await caller.call('disk_deletion', { params: { disk } }))
const ofSnapshot = async (snapshot: string, caller = admin) =>
  lines(await caller.call('snapshot_deletion', { params: { snapshot } }))
const ofImage = async (image: string, caller = admin) =>
  lines(await caller.call('image_deletion', { params: { image } }))
const ofProject = async (project: string, caller = admin) =>
  lines(await caller.call('project_deletion', { params: { project } }))

const snapshot = (query: { project: string }, disk: string, name: string) =>
  admin.call('snapshot_create', { query, body: { ...named(name), disk } })
const image = (query: { project?: string }, id: string, name: string) =>
  admin.call('image_create', {
    query,
    body: { ...named(name), os: 'Plan 9', version: '4', source: { type: 'snapshot', id } },
  })
const madeOf = (query: { project: string }, name: string, disk_source: object) =>
  detachedDisk(admin, query, name, { disk_backend: { type: 'distributed', disk_source } })

describe('the description of deleting', () => {
  test('an instance', async () => {
    const { query } = await newProject()
    await detachedDisk(admin, query, 'root')
    const data = await detachedDisk(admin, query, 'data')
    const box = await stoppedInstance(admin, query, 'box', {
      boot_disk: attach('root'),
      disks: [attach('data')],
      external_ips: [{ type: 'ephemeral' }],
    })
    const { ip } = await admin.call('floating_ip_create', { query, body: named('front') })
    await admin.call('floating_ip_attach', {
      params: { floating_ip: 'front' },
      query,
      body: { kind: 'instance', parent: 'box' },
    })
    await admin.call('affinity_group_create', { query, body: affinityBody('near') })
    await admin.call('affinity_group_member_instance_add', {
      params: { affinity_group: 'near', instance: 'box' },
      query,
    })
    const { id } = await snapshot(query, data.id, 'snap')
    await image(query, id, 'img')
    const ephemeral = (
      await admin.call('instance_external_ip_list', { params: { instance: box.id } })
    ).items.find(({ kind }) => kind === 'ephemeral')!
    const around = [
      'goes 1 network_interface: net0 (172.30.0.5): Deleted with the instance',
      `goes 1 ephemeral_ip: ${ephemeral.ip}: Back to the pool`,
      'goes 1 affinity_group_member: near: The instance leaves the group',
      'stays* 2 disk: data, root (boot disk): Will be detached',
      `stays* 1 floating_ip: front (${ip}): Will be detached`,
      'stays* 1 snapshot: snap: Will be kept',
      'stays* 1 image: img: Will be kept',
    ]
    expect(await ofInstance(box.id)).toEqual(around)
    await admin.call('instance_start', { params: { instance: box.id } })
    await reaches(admin, box.id, 'running')
    expect(await ofInstance(box.id)).toEqual([
      'blocks* 1 instance: box (running): Only stopped or failed instances can be deleted',
      ...around.slice(0, 3),
      'goes 1 serial_console: box: What it has written is lost',
      ...around.slice(3),
    ])
    await admin.call('instance_stop', { params: { instance: box.id } })
    await reaches(admin, box.id, 'stopped')
    await forceState(server, box.id, 'repairing')
    expect((await ofInstance(box.id))[0]).toBe(
      'blocks 1 instance: box (repairing): Only stopped or failed instances can be deleted',
    )
  })

  test('a disk: its instance, and things made of it', async () => {
    const { query } = await newProject()
    const [root, data] = [
      await detachedDisk(admin, query, 'root'),
      await detachedDisk(admin, query, 'data'),
    ]
    const { id } = await snapshot(query, data.id, 'snap')
    await image(query, id, 'img')
    const made = ['stays* 1 snapshot: snap: Will be kept', 'stays* 1 image: img: Will be kept']
    expect(await ofDisk(data.id)).toEqual(made)
    const box = await stoppedInstance(admin, query, 'box', {
      boot_disk: attach('root'),
      disks: [attach('data')],
    })
    expect(await ofDisk(data.id)).toEqual([
      'blocks* 1 instance: box (stopped): Disk must be detached before it can be deleted',
      ...made,
    ])
    expect(await ofDisk(root.id)).toEqual([
      'blocks* 1 instance: box (stopped): Boot disk must be unset before it can be detached',
    ])
    await admin.call('instance_start', { params: { instance: box.id } })
    await reaches(admin, box.id, 'running')
    expect((await ofDisk(data.id))[0]).toBe(
      'blocks* 1 instance: box (running): Disk must be detached before it can be deleted. Instance must be stopped before disk can be detached',
    )
  })

  test('a disk with an open import', async () => {
    const { query } = await newProject()
    const { id } = await importingDisk(admin, query.project, 'data')
    expect(await ofDisk(id)).toEqual([
      'blocks* 1 disk: data (importing_from_bulk_writes): An import into it is open. Only disks in state detached or faulted can be deleted',
    ])
    const maintained = await detachedDisk(admin, query, 'maintained')
    await server.db
      .updateTable('disk')
      .set({ state: 'maintenance' })
      .where('id', '=', maintained.id)
      .execute()
    expect(await ofDisk(maintained.id)).toEqual([
      'blocks 1 disk: maintained (maintenance): Only disks in state detached or faulted can be deleted',
    ])
  })

  test('a snapshot and its images: who keeps the data', async () => {
    const { query } = await newProject()
    const data = await detachedDisk(admin, query, 'data')
    const snap = await snapshot(query, data.id, 'snap')
    await madeOf(query, 'restored', { type: 'snapshot', snapshot_id: snap.id })
    const restored = 'stays 1 disk: restored: Will be kept'
    expect(await ofSnapshot(snap.id)).toEqual([
      'goes 1 data: snap: Will be deleted for good',
      restored,
    ])
    const one = await image(query, snap.id, 'one')
    const two = await image(query, snap.id, 'two')
    expect(await ofSnapshot(snap.id)).toEqual([
      'stays 1 data: snap: Will be kept for the images made of it',
      restored,
      'stays* 2 image: one, two: Will be kept',
    ])
    expect(await ofImage(one.id)).toEqual(['stays 1 snapshot: snap: Will be kept'])
    await madeOf(query, 'root', { type: 'image', image_id: one.id })
    await admin.call('snapshot_delete', { params: { snapshot: snap.id } })
    expect(await ofImage(one.id)).toEqual([
      'stays 1 data: one: Will be kept for other images made of the same snapshot',
      `stays 1 disk: root (${query.project}): Will be kept`,
    ])
    await admin.call('image_delete', { params: { image: two.id } })
    expect((await ofImage(one.id))[0]).toBe('goes 1 data: one: Will be deleted for good')
    const creating = await server.createSnapshot('creating', data.project_id)
    await server.db
      .updateTable('snapshot')
      .set({ state: 'creating' })
      .where('id', '=', creating.id)
      .execute()
    expect((await ofSnapshot(creating.id))[0]).toBe(
      'blocks 1 snapshot: creating (creating): Only snapshots in state ready or faulted can be deleted',
    )
  })

  test('a project: all its contents, ten names of each kind', async () => {
    const { id, query } = await newProject()
    const empty = 'Project must be empty before it can be deleted'
    const network = [`blocks* 1 vpc_subnet: default: ${empty}`, `blocks* 1 vpc: default: ${empty}`]
    expect(await ofProject(id)).toEqual(network)
    const names = Array.from({ length: 12 }, (_, i) => `disk-${String(i).padStart(2, '0')}`)
    await Promise.all(names.map((name) => detachedDisk(admin, query, name)))
    const box = await stoppedInstance(admin, query, 'box', { disks: [attach('disk-11')] })
    await stoppedInstance(admin, query, 'other', { network_interfaces: { type: 'none' } })
    const snap = await snapshot(query, 'disk-00', 'snap')
    await image(query, snap.id, 'img')
    const ofSilo = await image({}, snap.id, 'of-silo')
    const user = await server.createUser('one-of-us', { projects: { [id]: 'viewer' } })
    expect(await ofProject(id)).toEqual([
      `blocks* 2 instance: box, other: ${empty}`,
      `blocks* 12 disk: ${names.slice(0, 10).join(', ')}: ${empty}`,
      `blocks* 1 snapshot: snap: ${empty}`,
      `blocks* 1 image: img: ${empty}`,
      ...network,
      'goes 1 role: one-of-us (viewer): Roles in the project end with it',
      'stays* 1 image: of-silo: Will be kept',
    ])
    // Stuck things are grouped separately, with their attached things. The new fence ends a running
    // step of the reconciler, which would find no machine.
    await server.db
      .updateTable('instance')
      .set((eb) => ({
        run_state: 'repairing',
        reconcile_at: null,
        lease_until: null,
        fence: eb('fence', '+', 1),
      }))
      .where('id', '=', box.id)
      .execute()
    expect(await ofProject(id)).toEqual([
      `blocks* 1 instance: other: ${empty}`,
      'blocks 1 instance: box: Only stopped or failed instances can be deleted',
      `blocks* 11 disk: ${names.slice(0, 10).join(', ')}: ${empty}`,
      'blocks 1 disk: disk-11: Only disks in state detached or faulted can be deleted',
      `blocks* 1 snapshot: snap: ${empty}`,
      `blocks* 1 image: img: ${empty}`,
      'blocks 1 vpc_subnet: default: VPC Subnet cannot be deleted while network interfaces in the subnet exist',
      'blocks 1 vpc: default: VPC cannot be deleted while VPC Subnets exist',
      'goes 1 role: one-of-us (viewer): Roles in the project end with it',
      'stays* 1 image: of-silo: Will be kept',
    ])
    // Callers who may only read get the same description, but nothing can be deleted.
    const seen = await ofProject(id, user.caller)
    expect(seen.filter((line) => line.includes('*'))).toEqual([])
    expect(seen.at(-1)).toMatch(/^goes 1 role/)
    await admin.call('image_delete', { params: { image: ofSilo.id } })
  })
})

describe('a caller does not see', () => {
  test('images and disks they may not read', async () => {
    const { id, query } = await newProject()
    const other = await newProject()
    const data = await detachedDisk(admin, query, 'data')
    const snap = await snapshot(query, data.id, 'snap')
    const ofSilo = await image({}, snap.id, `silo-${count}`)
    await madeOf(query, 'here', { type: 'image', image_id: ofSilo.id })
    await madeOf(other.query, 'elsewhere', { type: 'image', image_id: ofSilo.id })
    const member = await server.createUser('member', { projects: { [id]: 'admin' } })
    const viewer = await server.createUser('viewer', {
      silo: 'viewer',
      projects: { [id]: 'limited_collaborator' },
    })
    // Not even that an image needs the data.
    expect(await ofSnapshot(snap.id, member.caller)).toEqual([])
    expect(await ofDisk(data.id, member.caller)).toEqual(['stays* 1 snapshot: snap: Will be kept'])
    // Visible, but not deletable by the caller.
    expect(await ofSnapshot(snap.id, viewer.caller)).toEqual([
      'stays 1 data: snap: Will be kept for the images made of it',
      `stays 1 image: ${ofSilo.name}: Will be kept`,
    ])
    const disks = `elsewhere (${other.query.project}), here (${query.project})`
    expect(await ofImage(ofSilo.id)).toEqual([
      `stays 2 disk: ${disks}: Will be kept`,
      'stays 1 snapshot: snap: Will be kept',
    ])
    // Back in the project, it is visible there; the disk elsewhere still is not.
    await admin.call('image_demote', { params: { image: ofSilo.id }, query })
    expect(await ofImage(ofSilo.id, member.caller)).toEqual([
      `stays 1 disk: here (${query.project}): Will be kept`,
      'stays 1 snapshot: snap: Will be kept',
    ])
  })

  test('anything of things that are hidden from them', async () => {
    const { id, query } = await newProject()
    const disk = await admin.call('disk_create', { query, body: blankDisk('data') })
    const stranger = await server.createUser('stranger')
    expect(
      await stranger.caller.refusal('disk_deletion', { params: { disk: disk.id } }),
    ).toMatchObject({ status: 404, message: `not found: disk with id "${disk.id}"` })
    expect(
      await stranger.caller.refusal('project_deletion', { params: { project: id } }),
    ).toMatchObject({ status: 404, message: `not found: project with id "${id}"` })
  })
})

// The sums are the same over PostgreSQL, but storing the rows takes long.
test.runIf(long || inject('dialect') === 'sqlite')(
  'describes a project of forty thousand resources quickly @long',
  async () => {
    const { id } = await newProject()
    const { db } = server
    const name = (what: string, i: number) => `${what}-${String(i).padStart(5, '0')}`
    const many = 20_000
    const instances = Array.from({ length: many }, (_, i) =>
      instanceRow(id, name('box', i), {
        run_state: i % 2 === 0 ? 'running' : 'stopped',
        // The last rows, so that none is found early by chance.
        ...(i >= many - 3 ? { run_state: 'repairing' } : {}),
      }),
    )
    await storeRows(db, 'instance', instances)
    await storeRows(
      db,
      'disk',
      instances.map((instance, i) =>
        diskRow(id, name('disk', i), { state: 'attached', instance_id: instance.id, slot: 0 }),
      ),
    )
    const params = { project: id }
    /** Processor time of some work; not of others that use the machine too. */
    const workOf = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
      const began = process.threadCpuUsage()
      const result = await work()
      const { user, system } = process.threadCpuUsage(began)
      return [user + system, result]
    }
    const times: number[] = []
    const whole: number[] = []
    for (let i = 0; i < 10; i++) {
      const [time, { groups }] = await workOf(() => admin.call('project_deletion', { params }))
      times.push(time)
      const [all] = await workOf(async () => {
        for (const kind of ['instance', 'disk'] as const) {
          await db.selectFrom(kind).selectAll().where('project_id', '=', id).execute()
        }
      })
      whole.push(all)
      expect(groups.map(({ kind, total, can_go }) => [kind, total, can_go]).slice(0, 4)).toEqual([
        ['instance', many - 3, true],
        ['instance', 3, false],
        ['disk', many - 3, true],
        ['disk', 3, false],
      ])
    }
    // Reading everything would take many times that.
    expect(Math.min(...times)).toBeLessThan(Math.min(...whole) / 2)
  },
  300_000,
)
