/**
 * Plans of deletions: in any world, and for any choice of targets, what a plan does not refuse can
 * be done in its order by the one who asked, and leads to where it said.
 */
import type { Wire } from '@steading/api'
import {
  type DeletionStep,
  deletionWaitsFor,
  errors,
  type JobTargetKind,
  jobTargetKinds,
  type JobThingKind,
  mayGoAlong,
} from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadActor } from '../../src/kernel/authz/actor.ts'
import { type DeletionWishes, planDeletion } from '../../src/resources/deletion/plan.ts'
import type { PlannedStep } from '../../src/kernel/steps.ts'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { diskRow, instanceRow, storeRows } from '../support/many.ts'
import { detachedDisk, reaches, stoppedInstance } from '../support/things.ts'
import {
  look,
  loosen,
  makeWorld,
  type Piece,
  refusedRemove,
  remove,
  worldShape,
} from '../support/worlds.ts'

let server: TestServer
let admin: { id: string; caller: Caller }
beforeAll(async () => {
  server = await startTestServer()
  const { id } = await server.admin.call('current_user_view')
  admin = { id, caller: server.admin }
})
afterAll(() => server.close())

const actorOf = ({ id: userId }: { id: string }) => {
  const { db, siloId } = server
  const identity = {
    userId,
    siloId,
    displayName: '',
    siloName: 'main',

    mappedFleetRoles: '{}',
  }
  return loadActor(db, identity)
}

async function planAs(
  user: { id: string },
  kind: JobTargetKind,
  targets: { id: string }[],
  wishes?: DeletionWishes,
): Promise<PlannedStep[]> {
  return planDeletion(server.db, await actorOf(user), kind, targets, wishes)
}

const forbidden = errors.forbidden().message
const short = ({ step, stage, thing, refusal }: PlannedStep) =>
  `${stage} ${step} ${thing.kind} ${thing.name}${refusal === undefined ? '' : `: ${refusal}`}`

const detached = (disk: string) =>
  vi.waitFor(
    async () => {
      const { state } = await admin.caller.call('disk_view', { params: { disk } })
      expect(state.state).toBe('detached')
    },
    { timeout: 30_000, interval: 10 },
  )

async function take(caller: Caller, { step, thing }: PlannedStep): Promise<void> {
  const { kind, id } = thing
  const disk = { params: { disk: id } }
  const steps: Record<DeletionStep | 'delete', () => Promise<unknown>> = {
    stop: async () => {
      await caller.call('instance_stop', { params: { instance: id } })
      await reaches(admin.caller, id, 'stopped')
    },
    stop_import: () => caller.call('disk_bulk_write_import_stop', disk),
    finalize: async () => {
      await caller.call('disk_finalize_import', { ...disk, body: {} })
      await detached(id)
    },
    unset_boot_disk: async () => {
      const { ncpus, memory, cpu_platform, auto_restart_policy } = await caller.call(
        'instance_view',
        { params: { instance: id } },
      )
      await caller.call('instance_update', {
        params: { instance: id },
        body: {
          ncpus,
          memory,
          cpu_platform: cpu_platform ?? null,
          auto_restart_policy: auto_restart_policy ?? null,
          enable_jumbo_frames: false,
          boot_disk: null,
        },
      })
    },
    detach: async () => {
      if (kind === 'floating_ip') {
        return caller.call('floating_ip_detach', { params: { floating_ip: id } })
      }
      const { state } = await caller.call('disk_view', disk)
      const { instance } = state as { instance: string }
      return caller.call('instance_disk_detach', { params: { instance }, body: { disk: id } })
    },
    delete: () => remove(caller, thing),
  }
  await steps[step as DeletionStep | 'delete']()
}

/** Does what a plan does not refuse, one stage after the other and each all at once. */
async function execute(caller: Caller, plan: PlannedStep[]): Promise<void> {
  const stages = [...new Set(plan.map(({ stage }) => stage))]
  expect(stages).toEqual(stages.map((_, i) => i))
  for (const stage of stages) {
    const steps = plan.filter((step) => step.stage === stage && step.refusal === undefined)
    await Promise.all(steps.map((step) => take(caller, step)))
  }
}

/** What a caller may do, as far as plans are concerned. */
const callers = ['admin', 'project.admin', 'limited_collaborator', 'viewer'] as const
type Role = (typeof callers)[number]

interface Wish {
  kind: JobTargetKind
  /** Which of the things of the kind, modulo how many there are. */
  chosen: number[]
  chain: boolean
  along: readonly JobThingKind[]
  role: Role
}

const wish: fc.Arbitrary<Wish> = fc
  .constantFrom(
    'project' as const,
    'project' as const,
    'instance' as const,
    'disk' as const,
    ...jobTargetKinds,
  )
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      chosen: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }),
      chain: fc.boolean(),
      along: fc.subarray([...(mayGoAlong(kind) as readonly JobThingKind[])]),
      role: fc.oneof(
        { weight: 3, arbitrary: fc.constant('admin' as const) },
        { weight: 2, arbitrary: fc.constantFrom(...callers) },
      ),
    }),
  )

/** The things that should be deleted, computed from the world and without the plan. */
function expectedToGo(
  world: Piece[],
  targets: Piece[],
  { kind, chain, along, role }: Wish,
): Set<string> {
  const going = new Set(targets.map(({ id }) => id))
  const mayDelete =
    role === 'admin' || role === 'project.admin' || (kind !== 'project' && role !== 'viewer')
  if (!mayDelete) return going
  const disks = new Set(
    world.filter((one) => one.kind === 'disk' && going.has(one.instance!)).map(({ id }) => id),
  )
  if (kind === 'project') {
    if (!chain) return going
    for (const one of world) if (going.has(one.project)) going.add(one.id)
  }
  for (const one of world) {
    if (!along.includes(one.kind)) continue
    // Images of the silo are hidden from those who have a role in projects only.
    if (one.project === '' && role !== 'admin') continue
    const owner = world.find(({ id }) => id === one.snapshot) ?? one
    const related = [
      one.instance,
      one.disk,
      one.snapshot,
      kind === 'project' ? projectOf(world, owner) : '',
    ]
    if (related.some((id) => id && (targets.some((target) => target.id === id) || disks.has(id)))) {
      going.add(one.id)
    }
  }
  return going
}

/** The project an image of the silo comes from: its snapshot's, or where that was. */
const projectOf = (world: Piece[], { project, disk }: Piece): string =>
  project || (world.find(({ id }) => id === disk)?.project ?? '')

/** What cannot be deleted though everything is allowed and everything is tried. */
function expectedToStay(world: Piece[], targets: Piece[], going: Set<string>): Set<string> {
  const stays = new Set<string>()
  const known = world.filter(({ id }) => going.has(id))
  const of = (...kinds: JobThingKind[]) => known.filter(({ kind }) => kinds.includes(kind))
  const isTarget = ({ id }: Piece) => targets.some((target) => target.id === id)
  const inTarget = ({ project }: Piece) => targets.some(({ id }) => id === project)
  for (const one of of('instance', 'snapshot')) if (one.stuck) stays.add(one.id)
  for (const one of of('disk', 'floating_ip')) {
    const alone = !going.has(one.instance!)
    if (alone ? one.stuck : stays.has(one.instance!)) stays.add(one.id)
    if (one.stuck && !one.instance) stays.add(one.id)
  }
  // What goes along stays with what it has to do with.
  for (const one of known) {
    if (isTarget(one) || inTarget(one)) continue
    const its = world.find(({ id }) => id === one.disk)
    const owners = [one.instance, one.disk, one.snapshot, its?.instance]
    if (targets.some(({ id }) => owners.includes(id) && stays.has(id))) stays.add(one.id)
  }
  for (const subnet of of('vpc_subnet')) {
    const held = of('instance').filter(
      ({ id, project }) => stays.has(id) && project === subnet.project,
    )
    if (held.length > 0) stays.add(subnet.id)
  }
  for (const vpc of of('vpc')) {
    if (of('vpc_subnet').some(({ id, project }) => stays.has(id) && project === vpc.project))
      stays.add(vpc.id)
  }
  for (const project of of('project')) {
    if (known.some((one) => one.project === project.id && stays.has(one.id))) stays.add(project.id)
  }
  for (const one of known) {
    if (one.kind === 'image' && one.project === '' && stays.has(projectOf(world, one)))
      stays.add(one.id)
  }
  return stays
}

/** What is said of a deletion is what a plan of it would do. */
async function compareWithWord(target: Piece | undefined): Promise<void> {
  const kind = target?.kind as JobTargetKind
  if (!target || !['instance', 'disk', 'snapshot', 'image', 'project'].includes(kind)) return
  const { status, body } = await admin.caller.send('GET', `/x/v1/${kind}s/${target.id}/deletion`)
  expect(status).toBe(200)
  const { groups } = body as Wire.Deletion
  const namesOf = (relation: Wire.DeletionRelation, canGo: boolean) =>
    groups
      .filter((group) => group.relation === relation && group.can_go === canGo)
      .flatMap((group) => {
        expect(group.first).toHaveLength(group.total)
        return group.first.map(({ name }) => `${group.kind} ${name}`)
      })
      .toSorted()
  const deletes = async (wishes: DeletionWishes) => {
    const plan = await planAs(admin, kind, [target], wishes)
    return plan.filter(({ step }) => step === 'delete')
  }
  const label = ({ thing }: PlannedStep) => `${thing.kind} ${thing.name}`
  const isTarget = ({ thing }: PlannedStep) => thing.id === target.id

  const [alone] = await deletes({})
  const blocked = namesOf('blocks', true).length + namesOf('blocks', false).length > 0
  expect(alone!.refusal !== undefined).toBe(blocked)
  const chained = await deletes({ chain: true })
  const stays = chained.find(isTarget)!.refusal !== undefined
  expect(stays).toBe(namesOf('blocks', false).length > 0)
  if (kind === 'project') {
    const inside = chained.filter((step) => !isTarget(step))
    const refused = inside.filter(({ refusal }) => refusal !== undefined)
    expect(refused.map(label).toSorted()).toEqual(namesOf('blocks', false))
    const planned = inside.filter(({ refusal }) => refusal === undefined)
    expect(planned.map(label).toSorted()).toEqual(namesOf('blocks', true))
  }
  const along = await deletes({ chain: true, with: mayGoAlong(kind) })
  const known = new Set(chained.map(({ thing }) => thing.id))
  const more = along.filter(({ thing }) => !known.has(thing.id))
  expect(more.map(label).toSorted()).toEqual(namesOf('stays', true))
}

const waits = new RegExp(`^${deletionWaitsFor('disk', 'x').split('disk')[0]}`)

describe('a plan', () => {
  test('of any targets, in any world, for any caller, can be carried out and has the result that it states', async () => {
    const check = async (shapes: Parameters<typeof makeWorld>[1][], asked: Wish) => {
      const world = (await Promise.all(shapes.map((shape) => makeWorld(server, shape)))).flat()
      const projects = world.filter(({ kind }) => kind === 'project')
      const user =
        asked.role === 'admin'
          ? admin
          : await server.createUser(`user-${crypto.randomUUID()}`, {
              projects: Object.fromEntries(
                projects.map(({ id }) => [
                  id,
                  asked.role === 'project.admin' ? 'admin' : (asked.role as 'viewer'),
                ]),
              ),
            })
      const { caller } = user
      const candidates = world.filter(
        (one) => one.kind === asked.kind && (one.project !== '' || asked.role === 'admin'),
      )
      const targets = [
        ...new Set(asked.chosen.map((i) => candidates[i % candidates.length])),
      ].filter((one) => one !== undefined)
      const before = new Map<string, Record<string, unknown> | undefined>()
      for (const one of world) before.set(one.id, await look(admin.caller, one))

      const wishes = { chain: asked.chain, with: asked.along }
      const plan = await planAs(user, asked.kind, targets, wishes)

      // Nothing twice, nothing missing, nothing else.
      expect(new Set(plan.map(({ step, thing }) => `${step} ${thing.id}`)).size).toBe(plan.length)
      const deletes = plan.filter(({ step }) => step === 'delete')
      const going = expectedToGo(world, targets, asked)
      const label = (id: string) => {
        const { kind, name } = world.find((one) => one.id === id)!
        return `${kind} ${name}`
      }
      const labels = (ids: Iterable<string>) => [...ids].map(label).sort()
      expect(labels(deletes.map(({ thing }) => thing.id))).toEqual(labels(going))
      const refused = deletes.filter(({ refusal }) => refusal !== undefined)
      if (asked.role === 'admin' && asked.chain) {
        const stays = expectedToStay(world, targets, going)
        expect(labels(refused.map(({ thing }) => thing.id))).toEqual(labels(stays))
      }

      if (asked.role === 'admin') await compareWithWord(targets[0])

      await execute(caller, plan)

      for (const { thing, refusal } of refused) {
        if (waits.test(refusal!)) continue
        const answer = await refusedRemove(caller, thing)
        if (refusal === forbidden) expect(answer).toMatchObject({ status: 403, message: forbidden })
        else expect(answer.status).toBe(400)
      }
      const gone = new Set(
        deletes.filter(({ refusal }) => refusal === undefined).map(({ thing }) => thing.id),
      )
      const touched = new Set(
        plan.filter(({ step }) => step !== 'delete').map(({ thing }) => thing.id),
      )
      for (const one of world) {
        const now = await look(admin.caller, one)
        if (gone.has(one.id)) expect(now, `${label(one.id)} is gone`).toBeUndefined()
        else {
          expect(now, `${label(one.id)} is there`).toBeDefined()
          // And as it was, unless it was part of the plan, or lost what it was attached to.
          if (touched.has(one.id) || gone.has(one.instance!)) continue
          const { time_modified: _, ...was } = before.get(one.id)!
          expect(now).toMatchObject(was)
        }
      }

      // The things that are left can be deleted, too, once no thing is in a stuck state.
      await loosen(server)
      const rest: Piece[] = []
      for (const one of projects) if (!gone.has(one.id)) rest.push(one)
      const last = await planAs(admin, 'project', rest, { chain: true, with: ['image'] })
      expect(last.filter(({ refusal }) => refusal !== undefined).map(short)).toEqual([])
      await execute(admin.caller, last)
      for (const { id } of rest) {
        expect(await look(admin.caller, { kind: 'project', id })).toBeUndefined()
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(worldShape, { minLength: 1, maxLength: 2 }), wish, check),
      { numRuns: Number(process.env.DELETION_RUNS ?? 25), endOnFailure: true },
    )
  }, 300_000)
})

describe('of a plan', () => {
  let count = 0
  async function newProject() {
    const project = `plan-${count++}`
    const query = { project }
    const { id } = await admin.caller.call('project_create', {
      body: { name: project, description: '' },
    })
    return { id, query, project }
  }
  const planned = async (...asked: Parameters<typeof planAs>) => (await planAs(...asked)).map(short)
  const attach = (name: string) => ({ type: 'attach', name })
  const runningInstance = async (query: { project: string }, name: string, values: object) => {
    const { id } = await stoppedInstance(admin.caller, query, name, values)
    await admin.caller.call('instance_start', { params: { instance: id } })
    return reaches(admin.caller, id, 'running')
  }

  test('an instance is stopped once, however many of its disks go', async () => {
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

  test('no instance is stopped for a disk that cannot be deleted', async () => {
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
    // With its instance it goes.
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

  test('a boot disk is unset before it is detached', async () => {
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

  test('callers without the permission to delete a thing are told so, and nothing is done for it', async () => {
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

  test('the deletion of a project empties it from the outside in', async () => {
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
    const plan = await planAs(admin, 'project', [project!, { id }], { chain: true })
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
    await execute(caller, plan)
    expect(await look(caller, project!)).toBeUndefined()
    // An image of the silo is not a part of the project; its bytes stay.
    expect(await look(caller, silos)).toBeDefined()
    await remove(caller, silos)
  })

  test('things that cannot be deleted have a reason, and so have those that they keep', async () => {
    const { id, query } = await newProject()
    const { db } = server
    await detachedDisk(admin.caller, query, 'data')
    await detachedDisk(admin.caller, query, 'spare')
    const box = await stoppedInstance(admin.caller, query, 'box', { disks: [attach('data')] })
    await db
      .updateTable('instance')
      .set({ run_state: 'repairing' })
      .where('id', '=', box.id)
      .execute()
    const kept = 'Cannot be deleted because instance box cannot'
    expect(await planned(admin, 'project', [{ id }], { chain: true })).toEqual([
      '0 delete instance box: Only stopped or failed instances can be deleted',
      `1 delete disk data: ${kept}`,
      '1 delete disk spare',
      `2 delete vpc_subnet default: ${kept}`,
      '3 delete vpc default: Cannot be deleted because subnet default cannot',
      `4 delete project ${query.project}: ${kept}`,
    ])
    await db
      .updateTable('instance')
      .set({ run_state: 'stopped' })
      .where('id', '=', box.id)
      .execute()
  })

  test('only what the caller sees is spoken of', async () => {
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

  test('one of forty thousand things takes few queries', async () => {
    const { id } = await newProject()
    const { db } = server
    const many = 20_000
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
    const actor = await actorOf(admin)
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
