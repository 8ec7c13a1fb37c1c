/** The items of a run: a step for each target, or for each disk of a target instance. */
import {
  jobMessages,
  NAME_MAX,
  SCHEDULE_TAGGED_MAX,
  type ScheduleActionName,
  scheduleMessages,
  type ScheduleResourceKind,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { secondsOf } from '../../storage/snapshots/create.ts'
import { liveTargets, type ScheduleRow, taggedResources, tagTargets } from './wire.ts'

interface Target {
  id: string
  name: string
}

const targetsOf = (
  db: Db,
  { id }: Pick<ScheduleRow, 'id'>,
  kind: ScheduleResourceKind,
): Promise<Target[]> => liveTargets(db, [id], kind).select(['thing.id', 'thing.name']).execute()

/**
 * Adds the resources with the tags of a schedule to others, without repetitions.
 * @returns undefined for more than a run may have
 */
async function withTagged(
  db: Db,
  { project_id }: ScheduleRow,
  kind: ScheduleResourceKind,
  tags: readonly string[],
  others: readonly Target[],
): Promise<Target[] | undefined> {
  const found = new Map(others.map((target) => [target.id, target]))
  for (const tag of tags) {
    const rows = await taggedResources(db, project_id, kind, tag)
      .select(['thing.id', 'thing.name'])
      .$if(kind === 'disk', (disks) =>
        // There can never be a snapshot of another disk.
        disks.where('thing.disk_type', '<>', 'local').where('thing.read_only', '=', 0),
      )
      .limit(SCHEDULE_TAGGED_MAX + 1)
      .execute()
    for (const { id, name } of rows) found.set(id, { id, name })
    if (found.size > SCHEDULE_TAGGED_MAX + others.length) return undefined
  }
  return [...found.values()]
}

/** Removes the targets that were deleted. */
async function dropDeleted(db: Db, scheduleId: string, kept: readonly Target[]): Promise<void> {
  await db
    .deleteFrom('schedule_target')
    .where('schedule_id', '=', scheduleId)
    .where('kind', '<>', 'tag')
    .$if(kept.length > 0, (rows) => rows.where('target', 'not in', idsIn(kept)))
    .execute()
}

/** Makes names of snapshots, unique in the project: the disk, the schedule and the time. */
async function snapshotNames(
  db: Db,
  { name: schedule, project_id }: ScheduleRow,
  disks: readonly Target[],
  now: Date,
): Promise<Map<string, string>> {
  const time = secondsOf(now)
  const nameWith = (disk: string, more: string) => {
    const end = `-${time}${more}`
    const half = Math.floor((NAME_MAX - end.length - 1) / 2)
    const short = schedule.slice(0, Math.max(half, NAME_MAX - end.length - 1 - disk.length))
    return `${disk.slice(0, NAME_MAX - end.length - 1 - short.length)}-${short}${end}`
  }
  const given = new Set<string>()
  const names = new Map<string, string>()
  const taken = async (some: string[]): Promise<Set<string>> => {
    const rows = await rowsOf(db, 'snapshot')
      .select('its.name')
      .where('its.project_id', '=', project_id)
      .where('its.name', 'in', some)
      .execute()
    return new Set(rows.map(({ name }) => name))
  }
  const first = disks.map(({ name }) => nameWith(name, ''))
  const used = first.length > 0 ? await taken(first) : new Set<string>()
  for (const { id, name } of disks) {
    let one = nameWith(name, '')
    for (let more = 2; given.has(one) || used.has(one); more++) {
      one = nameWith(name, `-${more}`)
      if (more === 2 && used.size > 0) for (const other of await taken([one])) used.add(other)
    }
    given.add(one)
    names.set(id, one)
  }
  return names
}

/** Attached disks that can ever be snapshotted, by instance. Others hold no data of their own. */
async function disksOf(db: Db, instances: readonly Target[]) {
  if (instances.length === 0) return []
  return rowsOf(db, 'disk')
    .select(['its.id', 'its.name', 'its.instance_id'])
    .where('its.instance_id', 'in', idsIn(instances))
    .where('its.disk_type', '<>', 'local')
    .where('its.read_only', '=', 0)
    .orderBy('its.slot')
    .execute()
}

async function planSnapshots(
  db: Db,
  schedule: ScheduleRow,
  instances: readonly Target[],
  single: readonly Target[],
  now: Date,
): Promise<PlannedStep[]> {
  const attached = await disksOf(db, instances)
  const groups = Map.groupBy(attached, ({ instance_id }) => instance_id!)
  const covered = new Set(attached.map(({ id }) => id))
  const alone = single.filter(({ id }) => !covered.has(id))
  const names = await snapshotNames(db, schedule, [...attached, ...alone], now)
  const ofDisk = ({ id, name }: Target, inside?: string): PlannedStep => ({
    step: 'snapshot',
    thing: { kind: 'disk', id, name, inside },
    stage: 0,
    makes: names.get(id)!,
  })
  const ofInstance = ({ id, name }: Target): PlannedStep[] => {
    const disks = groups.get(id)
    if (disks) return disks.map((disk) => ofDisk(disk, name))
    const thing = { kind: 'instance', id, name } as const
    return [{ step: 'snapshot', thing, stage: 0, refusal: jobMessages.noDisks }]
  }
  return [...instances.flatMap(ofInstance), ...alone.map((disk) => ofDisk(disk))]
}

const planEach = (
  step: Exclude<ScheduleActionName, 'snapshot'>,
  instances: readonly Target[],
): PlannedStep[] =>
  instances.map(({ id, name }) => ({ step, thing: { kind: 'instance', id, name }, stage: 0 }))

/** The items of a run that begins now, or the reason why it cannot begin. */
export async function planItems(
  db: Db,
  schedule: ScheduleRow,
  now: Date,
): Promise<{ items: PlannedStep[]; reason?: string }> {
  const named = {
    instance: await targetsOf(db, schedule, 'instance'),
    disk: await targetsOf(db, schedule, 'disk'),
  }
  await dropDeleted(db, schedule.id, [...named.instance, ...named.disk])
  const tags = (await tagTargets(db, [schedule.id])).get(schedule.id) ?? []
  const instances = await withTagged(db, schedule, 'instance', tags, named.instance)
  if (!instances) return { items: [], reason: scheduleMessages.tooManyTagged('instance') }
  let items: PlannedStep[]
  if (schedule.action === 'snapshot') {
    const disks = await withTagged(db, schedule, 'disk', tags, named.disk)
    if (!disks) return { items: [], reason: scheduleMessages.tooManyTagged('disk') }
    items = await planSnapshots(db, schedule, instances, disks, now)
  } else {
    items = planEach(schedule.action, instances)
  }
  if (items.length > 0) return { items }
  const { nothingTagged, targetsGone } = scheduleMessages
  return { items, reason: tags.length > 0 ? nothingTagged : targetsGone }
}
