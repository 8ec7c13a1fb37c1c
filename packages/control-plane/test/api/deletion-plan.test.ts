/** Plans of deletions, example by example. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planDeletion } from '../../src/resources/workspace/deletion/plan.ts'
import type { Caller } from '../support/caller.ts'
import { actorOf, execute, planAs, short } from '../support/deletion-plans.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { long } from '../support/long.ts'
import { diskRow, instanceRow, storeRows } from '../support/many.ts'
import { detachedDisk, forceState, reaches, stoppedInstance } from '../support/things.ts'
import { look, makeWorld, remove } from '../support/worlds.ts'

let server: TestServer
let admin: { id: string; caller: Caller }
beforeAll(async () => {
  server = await startTestServer()
  const { id } = await server.admin.call('current_user_view')
  admin = { id, caller: server.admin }
})
afterAll(() => server.close())

describe('a plan', () => {
  let count = 0
  async function newProject() {
    const project = `plan-${count++}`
    const query = { project }
    const { id } = await admin.caller.call('project_create', {
      body: { name: project, description: '' },
    })
    return { id, query, project }
  }
  type Asked = Parameters<typeof planAs> extends [TestServer, ...infer Rest] ? Rest : never
  const planned = async (...asked: Asked) => (await planAs(server, ...asked)).map(short)
  const attach = (name: string) => ({ type: 'attach', name })
  const runningInstance = async (query: { project: string }, name: string, values: object) => {
    const { id } = await stoppedInstance(admin.caller, query, name, values)
    await admin.caller.call('instance_start', { params: { instance: id } })
    return reaches(admin.caller, id, 'running')
  }

  test('stops an instance once, however many of its disks are deleted', async () => {
    const { query } = await newProject()
    const one = await detachedDisk(admin.caller, query, 'one')
    const two = await detachedDisk(admin.caller, query, 'two')
    await runningInstance(query, 'box', { disks: [attach('one'), attach('two')] })
    const attached = 'Disk must be detached before it can be deleted'
    expect(await planned(admin, 'disk', [one, two])).toEqual([
      `0 delete disk one: ${attached}`,
      `0 delete disk two: ${attached}`,
    ])
    expect(await planned(admin, 'disk', [one, two, one], { chain: true })).toEqual([
      '0 stop instance box',
      '1 detach disk one',
      '1 detach disk two',
      '2 delete disk one',
      '2 delete disk two',
    ])
  })

  test('does not stop an instance for a disk that cannot be deleted', async () => {
    const { query } = await newProject()
    const disk = await detachedDisk(admin.caller, query, 'root')
    const box = await runningInstance(query, 'box', { boot_disk: attach('root') })
    const state = (value: 'maintenance' | 'attached') =>
      server.db.updateTable('disk').set({ state: value }).where('id', '=', disk.id).execute()
    await state('maintenance')
    expect(await planned(admin, 'disk', [disk], { chain: true })).toEqual([
      '0 delete disk root: Only disks in state detached or faulted can be deleted',
    ])
    await state('attached')
    // It is deleted together with its instance.
    expect(await planned(admin, 'instance', [box], { chain: true, with: ['disk'] })).toEqual([
      '0 stop instance box',
      '1 delete instance box',
      '2 delete disk root',
    ])
    expect(await planned(admin, 'instance', [box], { with: ['disk'] })).toEqual([
      '0 delete instance box: Only stopped or failed instances can be deleted',
      '1 delete disk root: Cannot be deleted because instance box cannot',
    ])
  })

  test('unsets a boot disk before detaching it', async () => {
    const { query } = await newProject()
    const disk = await detachedDisk(admin.caller, query, 'root')
    await runningInstance(query, 'box', { boot_disk: attach('root') })
    expect(await planned(admin, 'disk', [disk])).toEqual([
      '0 delete disk root: Boot disk must be unset before it can be detached',
    ])
    expect(await planned(admin, 'disk', [disk], { chain: true })).toEqual([
      '0 stop instance box',
      '1 unset_boot_disk instance box',
      '2 detach disk root',
      '3 delete disk root',
    ])
  })

  test('refuses callers without the permission to delete a thing, and plans no steps for it', async () => {
    const { id, query } = await newProject()
    const box = await runningInstance(query, 'box', {})
    const viewer = await server.createUser('plan-viewer', { projects: { [id]: 'viewer' } })
    const limited = await server.createUser('plan-limited', {
      projects: { [id]: 'limited_collaborator' },
    })
    const wishes = { chain: true, with: ['disk', 'floating_ip'] as const }
    expect(await planned(viewer, 'instance', [box], wishes)).toEqual([
      '0 delete instance box: Forbidden',
    ])
    expect(await planned(limited, 'project', [{ id }], { chain: true })).toEqual([
      `0 delete project ${query.project}: Forbidden`,
    ])
    expect(await planned(admin, 'project', [{ id }])).toEqual([
      `0 delete project ${query.project}: project to be deleted contains an instance: box`,
    ])
  })

  test('empties a project from the outside in', async () => {
    const { id, query } = await newProject()
    const { caller } = admin
    const world = await makeWorld(server, {
      instances: [{ state: 'running' }, { state: 'failed' }],
      disks: [
        { on: 0, boots: true, state: 'plain' },
        { on: null, boots: false, state: 'importing' },
        { on: null, boots: false, state: 'import_ready' },
      ],
      snapshots: [{ of: 0, creating: false }],
      images: [
        { of: 0, ofSilo: false, snapshotDeleted: false },
        { of: 0, ofSilo: true, snapshotDeleted: false },
      ],
      floatingIps: [{ on: 1 }],
      groups: [
        { kind: 'affinity_group', member: 0 },
        { kind: 'anti_affinity_group', member: 0 },
      ],
    })
    const [project] = world
    const image = world.find(({ kind, project }) => kind === 'image' && project !== '')!
    const silos = world.find(({ kind, project }) => kind === 'image' && project === '')!
    const plan = await planAs(server, admin, 'project', [project!, { id }], { chain: true })
    expect(plan.map(short)).toEqual([
      '0 stop instance box-0',
      '0 stop_import disk disk-1',
      '1 finalize disk disk-1',
      '1 finalize disk disk-2',
      '2 delete instance box-0',
      '2 delete instance box-1',
      '3 delete disk disk-0',
      '3 delete disk disk-1',
      '3 delete disk disk-2',
      '4 delete floating_ip address-0',
      '5 delete snapshot snap-0',
      `6 delete image ${image.name}`,
      '7 delete vpc_subnet default',
      '7 delete vpc_subnet default',
      '8 delete vpc default',
      '8 delete vpc default',
      '9 delete affinity_group group-0',
      '10 delete anti_affinity_group group-1',
      `11 delete project ${project!.name}`,
      `11 delete project ${query.project}`,
    ])
    await execute(server, caller, plan)
    expect(await look(caller, project!)).toBeUndefined()
    // An image of the silo is not part of the project; its bytes stay.
    expect(await look(caller, silos)).toBeDefined()
    await remove(caller, silos)
  })

  test('deletes the subnets of VPCs and the interfaces in them', async () => {
    const { query } = await newProject()
    const { caller } = admin
    const vpcs = []
    for (const name of ['yard', 'mill']) {
      const body = { name, description: '', dns_name: name }
      vpcs.push(await caller.call('vpc_create', { query, body }))
    }
    const [used] = (await caller.call('vpc_list', { query })).items
    const box = await stoppedInstance(admin.caller, query, 'box')
    const targets = [...vpcs, used!]
    const contains = 'VPC cannot be deleted while VPC Subnets exist'
    expect(await planned(admin, 'vpc', targets)).toEqual([
      `0 delete vpc yard: ${contains}`,
      `0 delete vpc mill: ${contains}`,
      `0 delete vpc default: ${contains}`,
    ])
    const plan = await planAs(server, admin, 'vpc', targets, { chain: true })
    // Subnets of the same name are in no defined order.
    expect(plan.map(short).toSorted()).toEqual([
      '0 delete network_interface net0',
      '1 delete vpc_subnet default',
      '1 delete vpc_subnet default',
      '1 delete vpc_subnet default',
      '2 delete vpc default',
      '2 delete vpc mill',
      '2 delete vpc yard',
    ])
    await execute(server, admin.caller, plan)
    expect((await caller.call('vpc_list', { query })).items).toEqual([])
    // The instance stays, without a network.
    const nics = await caller.call('instance_network_interface_list', {
      query: { instance: box.id },
    })
    expect(nics.items).toEqual([])
  })

  test('gives a reason for things that cannot be deleted, and for those they keep', async () => {
    const { id, query } = await newProject()
    await detachedDisk(admin.caller, query, 'data')
    await detachedDisk(admin.caller, query, 'spare')
    const box = await stoppedInstance(admin.caller, query, 'box', { disks: [attach('data')] })
    await forceState(server, box.id, 'repairing')
    const kept = 'Cannot be deleted because instance box cannot'
    expect(await planned(admin, 'project', [{ id }], { chain: true })).toEqual([
      '0 delete instance box: Only stopped or failed instances can be deleted',
      `1 delete disk data: ${kept}`,
      '1 delete disk spare',
      `2 delete vpc_subnet default: ${kept}`,
      '3 delete vpc default: Cannot be deleted because subnet default cannot',
      `4 delete project ${query.project}: ${kept}`,
    ])
    await forceState(server, box.id, 'stopped')
  })

  test('mentions only things that the caller can see', async () => {
    const { id, query } = await newProject()
    const disk = await detachedDisk(admin.caller, query, 'data')
    const { id: snapshot } = await admin.caller.call('snapshot_create', {
      query,
      body: { name: 'snap', description: '', disk: disk.id },
    })
    const about = { description: '', os: 'Plan 9', version: '4' }
    const source = { type: 'snapshot' as const, id: snapshot }
    await admin.caller.call('image_create', { query, body: { name: 'img', ...about, source } })
    await admin.caller.call('image_create', { body: { name: 'of-silo', ...about, source } })
    const member = await server.createUser('plan-member', { projects: { [id]: 'admin' } })
    const guest = await server.createUser('plan-guest', {
      silo: 'viewer',
      projects: { [id]: 'admin' },
    })
    const wishes = { with: ['snapshot', 'image'] as const }
    const seen = ['0 delete disk data', '1 delete snapshot snap', '2 delete image img']
    expect(await planned(member, 'disk', [disk], wishes)).toEqual(seen)
    expect(await planned(guest, 'disk', [disk], wishes)).toEqual([
      ...seen,
      '2 delete image of-silo: Forbidden',
    ])
    expect(await planned(admin, 'disk', [disk], wishes)).toEqual([
      ...seen,
      '2 delete image of-silo',
    ])
  })

  test('takes few queries for one of thousands of resources', async () => {
    const { id } = await newProject()
    const { db } = server
    const many = long ? 20_000 : 2_000
    const name = (what: string, i: number) => `${what}-${String(i).padStart(5, '0')}`
    const instances = Array.from({ length: many }, (_, i) =>
      instanceRow(id, name('box', i), i % 2 ? {} : { run_state: 'running' }),
    )
    await storeRows(db, 'instance', instances)
    await storeRows(
      db,
      'disk',
      instances.map((instance, i) =>
        diskRow(id, name('disk', i), { state: 'attached', instance_id: instance.id, slot: 0 }),
      ),
    )
    let queries = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const actor = await actorOf(server, admin)
    const plan = await planDeletion(counted, actor, 'project', [{ id }], { chain: true })
    expect(plan).toHaveLength(many / 2 + many + many + 3)
    expect(plan.filter(({ refusal }) => refusal !== undefined)).toEqual([])
    expect(queries).toBeLessThan(50)
    const chosen = await planDeletion(counted, actor, 'instance', instances, {
      chain: true,
      with: ['disk', 'snapshot', 'image'],
    })
    expect(chosen).toHaveLength(many / 2 + many + many)
    expect(queries).toBeLessThan(200)
    await db.deleteFrom('instance').where('project_id', '=', id).execute()
    await db.deleteFrom('disk').where('project_id', '=', id).execute()
  }, 300_000)
})
