/** Deletions as jobs, over HTTP: with their obstacles, and the things deleted along. */
import type { Wire } from '@steading/api'
import type { JobTargetKind } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { done, itemsOf, jobBody, outcomes, start, targets } from '../support/jobs.ts'
import { importingDisk } from '../support/storage.ts'
import { detachedDisk, reaches, stoppedInstance } from '../support/things.ts'
import { look, loosen, makeWorld, refusedRemove } from '../support/worlds.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
})
afterAll(() => server.close())

let count = 0
async function newProject() {
  const project = `project-${count++}`
  const { id } = await admin.call('project_create', { body: { name: project, description: '' } })
  return { id, query: { project } }
}
const attach = (name: string) => ({ type: 'attach', name })
async function runningInstance(query: { project: string }, name: string, values: object = {}) {
  const { id } = await stoppedInstance(admin, query, name, values)
  await admin.call('instance_start', { params: { instance: id } })
  return reaches(admin, id, 'running')
}

const planDeletionOf = (
  kind: JobTargetKind,
  project: string | null,
  ids: string[],
  wishes: Pick<Wire.JobCreate, 'chain' | 'with'>,
  caller = admin,
) =>
  caller.call('job_create', {
    body: { ...jobBody('delete', kind, targets(...ids), project), ...wishes },
  })

async function run(job: Wire.Job, caller = admin): Promise<Wire.Job> {
  await start(caller, job)
  return done(caller, job)
}

describe('a job', () => {
  test('deletes a full project', async () => {
    const world = await makeWorld(server, {
      instances: [{ state: 'running' }, { state: 'stopped' }, { state: 'failed' }],
      disks: [
        { on: 0, boots: true, state: 'plain' },
        { on: 1, boots: false, state: 'plain' },
        { on: null, boots: false, state: 'importing' },
        { on: null, boots: false, state: 'faulted' },
      ],
      snapshots: [{ of: 0, creating: false }],
      images: [{ of: 0, ofSilo: false, snapshotDeleted: false }],
      floatingIps: [{ on: 0 }, { on: null }],
      groups: [{ kind: 'anti_affinity_group', member: 1 }],
    })
    const [project] = world
    const { volumes } = server.host.controlPlane.engines
    const job = await planDeletionOf('project', null, [project!.id], { chain: true })
    expect(job).toMatchObject({ targets: 1, name: project!.name, counts: { refused: 0 } })
    expect(await run(job)).toMatchObject({
      counts: { succeeded: job.counts.waiting, failed: 0, cancelled: 0 },
    })
    for (const one of world) expect(await look(admin, one)).toBeUndefined()
    // A resource is gone before its bytes are.
    const bytes = async () => {
      const ids = [...(await volumes.list()), ...(await volumes.listSnapshots())]
      return ids.filter((id) => world.some((one) => one.id === id))
    }
    await expect.poll(bytes).toEqual([])
  })

  test('deletes VPCs with all their contents', async () => {
    const { query } = await newProject()
    const inVpc = { ...query, vpc: 'default' }
    const about = (name: string) => ({ name, description: '' })
    await admin.call('vpc_create', { query, body: { ...about('yard'), dns_name: 'yard' } })
    const router = await admin.call('vpc_router_create', { query: inVpc, body: about('detour') })
    await admin.call('vpc_subnet_create', {
      query: inVpc,
      body: { ...about('stores'), ipv4_block: '10.7.0.0/24', custom_router: router.id },
    })
    const { items } = await admin.call('vpc_list', { query })
    const ids = items.map(({ id }) => id)
    const plain = await planDeletionOf('vpc', query.project, ids, {})
    expect(plain.counts).toMatchObject({ refused: 2, waiting: 0 })
    const job = await planDeletionOf('vpc', query.project, ids, { chain: true })
    expect(job).toMatchObject({ targets: 2, counts: { refused: 0, waiting: 5 } })
    await run(job)
    expect(await outcomes(admin, job)).toEqual([
      'delete default: succeeded',
      'delete default: succeeded',
      'delete stores: succeeded',
      'delete default: succeeded',
      'delete yard: succeeded',
    ])
    await admin.call('project_delete', { params: query })
  })

  test('spares a VPC whose subnets have got interfaces meanwhile', async () => {
    const { query } = await newProject()
    const [vpc] = (await admin.call('vpc_list', { query })).items
    const job = await planDeletionOf('vpc', query.project, [vpc!.id], { chain: true })
    const box = await stoppedInstance(admin, query, 'box')
    await run(job)
    expect(await outcomes(admin, job)).toEqual([
      'delete default: failed, VPC Subnet cannot be deleted while network interfaces in the subnet exist',
      'delete default: failed, VPC cannot be deleted while VPC Subnets exist',
    ])
    await admin.call('instance_delete', { params: { instance: box.id } })
    await admin.call('job_retry', { params: { job: job.id } })
    expect((await done(admin, job)).counts).toMatchObject({ succeeded: 2, failed: 0 })
  })

  test('deletes an instance with its disks and addresses', async () => {
    const { query } = await newProject()
    await detachedDisk(admin, query, 'root')
    const data = await detachedDisk(admin, query, 'data')
    await detachedDisk(admin, query, 'other')
    await admin.call('snapshot_create', {
      query,
      body: { name: 'snap', description: '', disk: data.id },
    })
    const box = await runningInstance(query, 'box', {
      boot_disk: attach('root'),
      disks: [attach('data')],
    })
    await admin.call('floating_ip_create', { query, body: { name: 'front', description: '' } })
    await admin.call('floating_ip_attach', {
      params: { floating_ip: 'front' },
      query,
      body: { kind: 'instance', parent: 'box' },
    })
    const job = await planDeletionOf('instance', query.project, [box.id], {
      chain: true,
      with: ['disk', 'floating_ip'],
    })
    await run(job)
    expect(await outcomes(admin, job)).toEqual([
      'stop box: succeeded',
      'delete box: succeeded',
      'delete data: succeeded',
      'delete root: succeeded',
      'delete front: succeeded',
    ])
    const left = async (list: 'disk_list' | 'snapshot_list' | 'floating_ip_list') =>
      (await admin.call(list, { query })).items.map(({ name }) => name)
    expect(await left('disk_list')).toEqual(['other'])
    expect(await left('snapshot_list')).toEqual(['snap'])
    expect(await left('floating_ip_list')).toEqual([])
  })

  test('clears obstacles for disks: stops, unsets the boot disk, detaches, ends imports', async () => {
    const { query } = await newProject()
    const data = await detachedDisk(admin, query, 'data')
    const root = await detachedDisk(admin, query, 'root')
    const box = await runningInstance(query, 'box', {
      boot_disk: attach('root'),
      disks: [attach('data')],
    })
    const open = await importingDisk(admin, query.project, 'open')
    const ids = [data.id, open.id, root.id]
    const refused = await planDeletionOf('disk', query.project, ids, {})
    expect(refused).toMatchObject({ destroys: 0, counts: { refused: 3, waiting: 0 } })
    const job = await planDeletionOf('disk', query.project, ids, { chain: true })
    expect(job.destroys).toBe(3)
    await run(job)
    expect(await outcomes(admin, job)).toEqual([
      'stop box: succeeded',
      'stop_import open: succeeded',
      'unset_boot_disk box: succeeded',
      'detach data: succeeded',
      'finalize open: succeeded',
      'detach root: succeeded',
      'delete data: succeeded',
      'delete open: succeeded',
      'delete root: succeeded',
    ])
    // The instance was stopped for its disk, and stays.
    expect(await admin.call('instance_view', { params: { instance: box.id } })).toMatchObject({
      run_state: 'stopped',
      boot_disk_id: null,
    })
  })

  test('does the rest when an item is refused', async () => {
    const world = await makeWorld(server, {
      instances: [{ state: 'repairing' }, { state: 'running' }],
      disks: [{ on: 0, boots: false, state: 'plain' }],
      snapshots: [],
      images: [],
      floatingIps: [],
      groups: [],
    })
    const [project] = world
    const job = await planDeletionOf('project', null, [project!.id], { chain: true })
    await run(job)
    const kept = 'refused, Cannot be deleted because instance box-0 cannot'
    // Refused items come first.
    expect(await outcomes(admin, job)).toEqual([
      'delete box-0: refused, Only stopped or failed instances can be deleted',
      `delete disk-0: ${kept}`,
      `delete default: ${kept}`,
      'delete default: refused, Cannot be deleted because subnet default cannot',
      `delete ${project!.name}: ${kept}`,
      'stop box-1: succeeded',
      'delete box-1: succeeded',
    ])
    // The kinds with steps of their own; the other things go or stay with them.
    const tried = ['project', 'vpc', 'vpc_subnet', 'instance', 'disk']
    for (const one of world.filter(({ kind }) => tried.includes(kind))) {
      if (one.name === 'box-1') expect(await look(admin, one)).toBeUndefined()
      else expect((await refusedRemove(admin, one)).status).toBe(400)
    }
    await loosen(server)
    await run(await planDeletionOf('project', null, [project!.id], { chain: true }))
    expect(await look(admin, project!)).toBeUndefined()
  })

  test('of a caller without the permission is refused', async () => {
    const { id, query } = await newProject()
    const disk = await detachedDisk(admin, query, 'data')
    const { caller } = await server.createUser('viewer', { projects: { [id]: 'viewer' } })
    const forbidden = [{ step: 'delete', state: 'refused', reason: 'Forbidden' }]
    const wishes = { chain: true }
    const ofDisk = await planDeletionOf('disk', query.project, [disk.id], wishes, caller)
    expect(await itemsOf(caller, ofDisk)).toMatchObject(forbidden)
    const ofProject = await planDeletionOf('project', null, [id], wishes, caller)
    expect(await itemsOf(caller, ofProject)).toMatchObject(forbidden)
  })

  test('deletes only the related things of its targets', async () => {
    const { id, query } = await newProject()
    const disk = await detachedDisk(admin, query, 'data')
    const refusal = (kind: JobTargetKind, project: string | null, one: string, other: 'disk') =>
      admin.refusal('job_create', {
        body: { ...jobBody('delete', kind, targets(one), project), with: [other] },
      })
    const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
    expect(await refusal('disk', query.project, disk.id, 'disk')).toEqual(
      invalid('with: disks cannot go along with disks'),
    )
    expect(await refusal('project', null, id, 'disk')).toEqual(
      invalid('with: disks cannot go along with projects'),
    )
  })

  test('spares things along with a target that turns out to stay', async () => {
    const { query } = await newProject()
    const disk = await detachedDisk(admin, query, 'data')
    const { id: snapshot } = await admin.call('snapshot_create', {
      query,
      body: { name: 'snap', description: '', disk: disk.id },
    })
    await admin.call('image_create', {
      query,
      body: {
        name: 'img',
        description: '',
        os: 'Plan 9',
        version: '4',
        source: { type: 'snapshot', id: snapshot },
      },
    })
    const box = await runningInstance(query, 'box', { disks: [attach('data')] })
    const wishes = { chain: true, with: ['disk', 'snapshot', 'image'] as const }
    const job = await planDeletionOf('instance', query.project, [box.id], {
      ...wishes,
      with: [...wishes.with],
    })
    // A state that the plan could not know of, and that a stop does not end.
    const setState = (run_state: 'repairing' | 'running') =>
      server.db.updateTable('instance').set({ run_state }).where('id', '=', box.id).execute()
    await setState('repairing')
    await run(job)
    const spared = 'failed, Cannot be deleted because instance box cannot'
    expect((await outcomes(admin, job)).slice(2)).toEqual([
      `delete data: ${spared}`,
      `delete snap: ${spared}`,
      `delete img: ${spared}`,
    ])
    expect((await admin.call('snapshot_list', { query })).items).toHaveLength(1)
    expect((await admin.call('image_list', { query })).items).toHaveLength(1)
    await setState('running')
    await admin.call('job_retry', { params: { job: job.id } })
    expect((await done(admin, job)).counts).toMatchObject({ succeeded: 5, failed: 0 })
    expect((await admin.call('image_list', { query })).items).toEqual([])
  })

  test('that failed because of a new obstacle can be retried', async () => {
    const { id, query } = await newProject()
    const box = await stoppedInstance(admin, query, 'box')
    const job = await planDeletionOf('project', null, [id], { chain: true })
    // Both happen after the plan, and are obstacles to it.
    await admin.call('instance_start', { params: { instance: box.id } })
    await reaches(admin, box.id, 'running')
    await detachedDisk(admin, query, 'late')
    expect((await run(job)).counts).toMatchObject({ succeeded: 0, failed: 4 })
    expect(await outcomes(admin, job)).toEqual([
      'delete box: failed, cannot delete instance: instance is running or has not yet fully stopped',
      'delete default: failed, VPC Subnet cannot be deleted while network interfaces in the subnet exist',
      'delete default: failed, VPC cannot be deleted while VPC Subnets exist',
      `delete ${query.project}: failed, project to be deleted contains an instance: box`,
    ])
    await admin.call('instance_stop', { params: { instance: box.id } })
    await reaches(admin, box.id, 'stopped')
    await admin.call('job_retry', { params: { job: job.id } })
    expect((await done(admin, job)).counts).toMatchObject({ succeeded: 3, failed: 1 })
    expect((await outcomes(admin, job)).at(-1)).toBe(
      `delete ${query.project}: failed, project to be deleted contains a disk: late`,
    )
    await admin.call('disk_delete', { params: { disk: 'late' }, query })
    await admin.call('job_retry', { params: { job: job.id } })
    expect((await done(admin, job)).counts).toMatchObject({ succeeded: 4, failed: 0 })
    expect(await look(admin, { kind: 'project', id })).toBeUndefined()
  })
})
