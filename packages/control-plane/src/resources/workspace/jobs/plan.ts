import type { Wire } from '@steading/api'
import {
  addressCannotDetach,
  deletionOrder,
  diskCannotSnapshot,
  errors,
  instanceCannot,
  type InstanceState,
  type DiskStateName,
  jobMessages,
  type JobTargetKind,
  type JobResourceKind,
  NAME_MAX,
} from '@steading/api/rules'
import { may, type Scope } from '../../../kernel/authz/actor.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { planDeletion } from '../deletion/plan.ts'
import { stepForbidden } from '../../../kernel/step-permission.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import type { Target } from './targets.ts'

/** Resources per query. */
const CHUNK = 2_000

interface Planning {
  ctx: Context<'job_create'>
  kind: JobTargetKind
  project: Row<'project'> | undefined
  targets: Target[]
}

const scopeOf = (
  { ctx, kind, project }: Planning,
  { id, silo_id }: Pick<Target, 'id' | 'silo_id'>,
): Scope => ({
  siloId: silo_id ?? ctx.actor.siloId,
  projectId: kind === 'project' ? id : project?.id,
})

/** The states of the instances that targets are attached to. */
async function holderStates(db: Db, targets: Target[]): Promise<Map<string, InstanceState>> {
  const states = new Map<string, InstanceState>()
  const ids = [...new Set(targets.flatMap(({ instance_id }) => instance_id ?? []))]
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await db
      .selectFrom('instance')
      .select(['id', 'run_state'])
      .where('id', 'in', ids.slice(start, start + CHUNK))
      .execute()
    for (const { id, run_state } of rows) states.set(id, run_state)
    await yieldToEventLoop()
  }
  return states
}

/** One step for each target. */
async function planEach(
  planning: Planning,
  step: 'start' | 'stop' | 'reboot' | 'detach' | 'tag',
): Promise<PlannedStep[]> {
  const { ctx, kind, targets } = planning
  const states = step === 'detach' ? await holderStates(ctx.db, targets) : undefined
  const problem = ({ run_state, instance_id }: Target): string | undefined =>
    step === 'tag'
      ? undefined
      : step === 'detach'
        ? addressCannotDetach(
            kind === 'floating_ip' ? 'floating IP' : 'external subnet',
            states!.get(instance_id ?? ''),
          )
        : instanceCannot(step, run_state!)
  const steps: PlannedStep[] = []
  for (const [index, target] of targets.entries()) {
    if (index % CHUNK === CHUNK - 1) await yieldToEventLoop()
    const { id, name } = target
    const refusal =
      stepForbidden(ctx.actor, step, kind, scopeOf(planning, target)) ?? problem(target)
    steps.push({ step, thing: { kind, id, name }, stage: 0, refusal })
  }
  return steps
}

interface SnapshotSource extends Target {
  instance_id: string | null
}

/** Disks of instances, in the order in which they are attached. */
async function disksOf(db: Db, instances: Target[]): Promise<Map<string, SnapshotSource[]>> {
  const disks = new Map<string, SnapshotSource[]>()
  for (let start = 0; start < instances.length; start += CHUNK) {
    const ids = instances.slice(start, start + CHUNK).map(({ id }) => id)
    const rows = await db
      .selectFrom('disk')
      .select(['id', 'name', 'state', 'disk_type', 'read_only', 'instance_id'])
      .where('instance_id', 'in', ids)
      .where('time_deleted', 'is', null)
      .orderBy('slot')
      .execute()
    await yieldToEventLoop()
    for (const row of rows) {
      const list = disks.get(row.instance_id!)
      if (list) list.push(row)
      else disks.set(row.instance_id!, [row])
    }
  }
  return disks
}

/** Creates unique names for snapshots, from the name of the disk and the time. */
function snapshotNamer(now: Date): (disk: string) => string {
  const [date, time] = now.toISOString().replaceAll(/[-:Z]/g, '').replace('.', '-').split('T')
  const given = new Set<string>()
  return (disk) => {
    for (let more = 1; ; more++) {
      const suffix = `-${date}-${time}${more > 1 ? `-${more}` : ''}`
      const name = disk.slice(0, NAME_MAX - suffix.length) + suffix
      if (given.has(name)) continue
      given.add(name)
      return name
    }
  }
}

/** Plans a snapshot of each target disk, or of each disk of the target instances. */
async function planSnapshots(planning: Planning): Promise<PlannedStep[]> {
  const { ctx, kind, targets } = planning
  const nameFor = snapshotNamer(ctx.now)
  const ofDisk = (disk: Target): PlannedStep => {
    const { id, name, state, disk_type, read_only } = disk
    const refusal =
      stepForbidden(ctx.actor, 'snapshot', 'disk', scopeOf(planning, disk)) ??
      diskCannotSnapshot(state as DiskStateName, disk_type!, read_only === 1)
    const thing = { kind: 'disk' as JobResourceKind, id, name }
    return refusal
      ? { step: 'snapshot', thing, stage: 0, refusal }
      : { step: 'snapshot', thing, stage: 0, makes: nameFor(name) }
  }
  if (kind === 'disk') return targets.map(ofDisk)
  const disks = await disksOf(ctx.db, targets)
  return targets.flatMap(({ id, name }): PlannedStep[] => {
    const own = disks.get(id)
    if (own) return own.map(ofDisk)
    return [{ step: 'snapshot', thing: { kind, id, name }, stage: 0, refusal: jobMessages.noDisks }]
  })
}

/**
 * Plans to restore resources: containers before their contents, and disks before the instances that
 * they were attached to.
 */
function planRestorations(planning: Planning): PlannedStep[] {
  const { ctx, kind, targets } = planning
  return targets.map((target): PlannedStep => {
    const { id, name, kind: restored } = target
    const scope = scopeOf(planning, target)
    const refusal =
      stepForbidden(ctx.actor, 'restore', kind, scope) ??
      (may(ctx.actor, 'modify', restored!, scope) ? undefined : errors.forbidden().message)
    const stage = deletionOrder.length - deletionOrder.indexOf(restored!)
    return { step: 'restore', thing: { kind, id, name }, stage, refusal }
  })
}

/**
 * Refused steps come first, because the user has to decide about them. They are in the first stage,
 * as they are not run.
 */
function inOrder(steps: PlannedStep[]): PlannedStep[] {
  const refused = steps.filter(({ refusal }) => refusal !== undefined)
  const done = steps.filter(({ refusal }) => refusal === undefined)
  const stages = [...new Set(done.map(({ stage }) => stage))].toSorted((a, b) => a - b)
  return [
    ...refused.map((step) => ({ ...step, stage: 0 })),
    ...done
      .toSorted((a, b) => a.stage - b.stage)
      .map((step) => ({ ...step, stage: stages.indexOf(step.stage) })),
  ]
}

/** The steps of a job in their order, with a refusal for those that are not possible at present. */
export async function planSteps(
  ctx: Context<'job_create'>,
  project: Row<'project'> | undefined,
  targets: Target[],
): Promise<PlannedStep[]> {
  const { action, kind } = ctx.body satisfies Wire.JobCreate
  const planning = { ctx, kind, project, targets }
  const steps =
    action === 'snapshot'
      ? await planSnapshots(planning)
      : action === 'delete'
        ? await planDeletion(ctx.db, ctx.actor, kind, targets, {
            chain: ctx.body.chain ?? false,
            with: ctx.body.with ?? [],
          })
        : action === 'restore'
          ? planRestorations(planning)
          : await planEach(planning, action)
  return inOrder(steps)
}
