/**
 * Plans of deletions in random worlds: for any targets, the permitted steps of a plan can be
 * carried out in order by its caller, with the result it states.
 */
import type { Wire } from '@steading/api'
import {
  deletionWaitsFor,
  errors,
  isContainer,
  type JobTargetKind,
  jobTargetKinds,
  type JobResourceKind,
  cascadesOf,
} from '@steading/api/rules'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDangling } from '../../src/kernel/db/references.ts'
import type { DeletionWishes } from '../../src/resources/workspace/deletion/plan.ts'
import type { PlannedStep } from '../../src/kernel/job-steps.ts'
import type { Caller } from '../support/caller.ts'
import { execute, planAs, short } from '../support/deletion-plans.ts'
import { addressFaults } from '../support/address-account.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { addSubnetPool } from '../support/networks.ts'
import {
  emptyWorld,
  look,
  loosen,
  makeWorld,
  type Piece,
  refusedRemove,
  type WorldShape,
  worldShape,
} from '../support/worlds.ts'

let server: TestServer
let admin: { id: string; caller: Caller }
beforeAll(async () => {
  server = await startTestServer()
  const { id } = await server.admin.call('current_user_view')
  admin = { id, caller: server.admin }
  await addSubnetPool(server.db, 'out', ['198.51.100.0/24'], {
    siloId: server.siloId,
    isDefault: true,
  })
})
afterAll(() => server.close())

const forbidden = errors.forbidden().message

/** Roles of the caller, as far as they matter to plans. */
const callers = ['admin', 'project.admin', 'limited_collaborator', 'viewer'] as const
type Role = (typeof callers)[number]

interface Wish {
  kind: JobTargetKind
  /** The targets of the kind, as indexes modulo the number of things. */
  chosen: number[]
  chain: boolean
  cascades: readonly JobResourceKind[]
  role: Role
}

const wishOf = (kinds: readonly JobTargetKind[]): fc.Arbitrary<Wish> =>
  fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      chosen: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }),
      chain: fc.boolean(),
      cascades: fc.subarray([...(cascadesOf(kind) as readonly JobResourceKind[])]),
      role: fc.oneof(
        { weight: 3, arbitrary: fc.constant('admin' as const) },
        { weight: 2, arbitrary: fc.constantFrom(...callers) },
      ),
    }),
  )

/** Kinds that are deleted with the thing they are part of, without a step of their own. */
const parts: readonly JobResourceKind[] = [
  'network_interface',
  'vpc_router',
  'router_route',
  'internet_gateway',
]
/** Kinds that need a stronger role to be changed. */
const networking: readonly JobResourceKind[] = [
  'vpc',
  'vpc_subnet',
  'vpc_router',
  'router_route',
  'internet_gateway',
]

/** The things that should be deleted, computed from the world without the plan. */
function expectedToGo(
  world: Piece[],
  targets: Piece[],
  { kind, chain, cascades, role }: Wish,
): Set<string> {
  const going = new Set(targets.map(({ id }) => id))
  const mayDelete =
    role === 'admin' ||
    role === 'project.admin' ||
    (kind !== 'project' && !networking.includes(kind) && role !== 'viewer')
  if (!mayDelete) return going
  const disks = new Set(
    world.filter((one) => one.kind === 'disk' && going.has(one.instance!)).map(({ id }) => id),
  )
  if (kind === 'project') {
    if (!chain) return going
    for (const one of world) {
      if (going.has(one.project) && !parts.includes(one.kind)) going.add(one.id)
    }
  }
  if (kind === 'vpc' && chain) {
    const projects = new Set(targets.map(({ project }) => project))
    for (const one of world) {
      if (one.kind === 'vpc_subnet' && projects.has(one.project)) going.add(one.id)
    }
  }
  if (kind !== 'project' && chain) {
    for (const one of world) if (going.has(one.subnet!)) going.add(one.id)
  }
  for (const one of world) {
    if (!cascades.includes(one.kind)) continue
    // Images of the silo are hidden from callers whose only role is on a project.
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

/** The project that an image of the silo comes from: that of its snapshot or disk. */
const projectOf = (world: Piece[], { project, disk }: Piece): string =>
  project || (world.find(({ id }) => id === disk)?.project ?? '')

/** The things that cannot be deleted even with all permissions and a chain of steps. */
function expectedToStay(world: Piece[], targets: Piece[], going: Set<string>): Set<string> {
  const stays = new Set<string>()
  const known = world.filter(({ id }) => going.has(id))
  const of = (...kinds: JobResourceKind[]) => known.filter(({ kind }) => kinds.includes(kind))
  const isTarget = ({ id }: Piece) => targets.some((target) => target.id === id)
  const inTarget = ({ project }: Piece) => targets.some(({ id }) => id === project)
  for (const one of of('instance', 'snapshot', 'vpc_router', 'router_route')) {
    if (one.stuck) stays.add(one.id)
  }
  for (const one of of('disk', 'floating_ip', 'external_subnet')) {
    const alone = !going.has(one.instance!)
    if (alone ? one.stuck : stays.has(one.instance!)) stays.add(one.id)
    if (one.stuck && !one.instance) stays.add(one.id)
  }
  const nics = world.filter(({ kind }) => kind === 'network_interface')
  const isStuck = (nic: Piece) => world.find(({ id }) => id === nic.instance)!.stuck === true
  for (const nic of of('network_interface')) {
    const others = nics.filter((other) => other.instance === nic.instance && other !== nic)
    const isLast = others.every((other) => going.has(other.id) && !isStuck(other))
    if (isStuck(nic) || (nic.primary && !isLast)) stays.add(nic.id)
  }
  // A thing deleted along stays if its owner stays.
  for (const one of known) {
    if (isTarget(one) || inTarget(one)) continue
    const its = world.find(({ id }) => id === one.disk)
    const owners = [one.instance, one.disk, one.snapshot, its?.instance]
    if (targets.some(({ id }) => owners.includes(id) && stays.has(id))) stays.add(one.id)
  }
  for (const subnet of of('vpc_subnet')) {
    const holds = ({ id, instance }: Piece) =>
      going.has(id) ? stays.has(id) : !going.has(instance!) || stays.has(instance!)
    if (nics.some((nic) => nic.subnet === subnet.id && holds(nic))) stays.add(subnet.id)
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

/** The description of a deletion matches a plan of it. */
async function compareWithWord(target: Piece | undefined): Promise<void> {
  const kind = target?.kind as JobTargetKind
  const described = ['instance', 'disk', 'snapshot', 'image', 'project', 'vpc', 'vpc_subnet']
  if (!target || !described.includes(kind)) return
  const path = `/x/v1/${kind.replace('_', '-')}s/${target.id}/deletion`
  const { status, body } = await admin.caller.send('GET', path)
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
    const plan = await planAs(server, admin, kind, [target], wishes)
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
  if (isContainer(kind)) {
    const inside = chained.filter((step) => !isTarget(step))
    const refused = inside.filter(({ refusal }) => refusal !== undefined)
    expect(refused.map(label).toSorted()).toEqual(namesOf('blocks', false))
    const planned = inside.filter(({ refusal }) => refusal === undefined)
    expect(planned.map(label).toSorted()).toEqual(namesOf('blocks', true))
  }
  const cascades = await deletes({ chain: true, with: cascadesOf(kind) })
  const known = new Set(chained.map(({ thing }) => thing.id))
  const more = cascades.filter(({ thing }) => !known.has(thing.id))
  expect(more.map(label).toSorted()).toEqual(namesOf('stays', true))
}

const waits = new RegExp(`^${deletionWaitsFor('disk', 'x').split('disk')[0]}`)

/** Plans a deletion in new worlds, carries it out, and then deletes the rest. */
async function check(shapes: WorldShape[], asked: Wish): Promise<void> {
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
  const targets = [...new Set(asked.chosen.map((i) => candidates[i % candidates.length]))].filter(
    (one) => one !== undefined,
  )
  const before = new Map<string, Record<string, unknown> | undefined>()
  for (const one of world) before.set(one.id, await look(admin.caller, one))

  const wishes = { chain: asked.chain, with: asked.cascades }
  const plan = await planAs(server, user, asked.kind, targets, wishes)

  // No step twice, none missing, no others.
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

  await execute(server, caller, plan)

  for (const { thing, refusal } of refused) {
    if (waits.test(refusal!)) continue
    const answer = await refusedRemove(caller, thing)
    if (refusal === forbidden) expect(answer).toMatchObject({ status: 403, message: forbidden })
    else expect(answer.status).toBe(400)
  }
  const gone = new Set(
    deletes.filter(({ refusal }) => refusal === undefined).map(({ thing }) => thing.id),
  )
  const touched = new Set(plan.filter(({ step }) => step !== 'delete').map(({ thing }) => thing.id))
  for (const one of world) {
    const now = await look(admin.caller, one)
    const isGone = gone.has(one.id) || one.partOf?.some((id) => gone.has(id))
    if (isGone) expect(now, `${label(one.id)} is gone`).toBeUndefined()
    else {
      expect(now, `${label(one.id)} is there`).toBeDefined()
      // Unchanged, unless it was part of the plan, or lost the thing it was attached to.
      const lost = [one.instance, ...(one.leans ?? [])].some((id) => gone.has(id!))
      if (touched.has(one.id) || lost) continue
      const { time_modified: _, ...was } = before.get(one.id)!
      expect(now).toMatchObject(was)
    }
  }

  expect(await addressFaults(server.db)).toEqual([])

  // The remaining things can be deleted too, once none is in a stuck state.
  await loosen(server)
  const rest: Piece[] = []
  for (const one of projects) if (!gone.has(one.id)) rest.push(one)
  const last = await planAs(server, admin, 'project', rest, { chain: true, with: ['image'] })
  expect(last.filter(({ refusal }) => refusal !== undefined).map(short)).toEqual([])
  await execute(server, admin.caller, last)
  for (const { id } of rest) {
    expect(await look(admin.caller, { kind: 'project', id })).toBeUndefined()
  }
  expect(await findDangling(server.db)).toEqual([])
  expect(await addressFaults(server.db)).toEqual([])
}

/** The long tests have more. The seed is new in each run. */
const runs = { numRuns: Number(process.env.DELETION_RUNS ?? 5), endOnFailure: true }

describe('a plan of any targets, in any world, for any caller, can be carried out with the stated result', () => {
  test('for all kinds', async () => {
    const wish = wishOf(['project', 'project', 'instance', 'disk', ...jobTargetKinds])
    const worlds = fc.array(worldShape, { minLength: 1, maxLength: 2 })
    await fc.assert(fc.asyncProperty(worlds, wish, check), runs)
  }, 900_000)

  test('for networks with interfaces in them', async () => {
    const world = worldShape.map(({ instances, externalSubnets, subnets, routes, probes }) => ({
      ...emptyWorld,
      instances,
      probes,
      externalSubnets,
      subnets: [{ routed: false }, ...subnets!],
      routes,
    }))
    const worlds = world.map((one) => [one])
    await fc.assert(
      fc.asyncProperty(worlds, wishOf(['vpc', 'vpc_subnet', 'vpc_subnet']), check),
      runs,
    )
  }, 900_000)
})
