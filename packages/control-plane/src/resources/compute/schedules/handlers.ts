import type { tables, Wire } from '@steading/api'
import {
  COVERING_SCHEDULES_MAX,
  parseTag,
  scheduleMessages,
  type ScheduleResourceKind,
} from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf, type Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { pageByTime } from '../../../kernel/paging.ts'
import { tagsOf } from '../../../kernel/tags/tags.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { mandateOf } from '../../identity/access-tokens/mandate.ts'
import { beginRun } from './begin.ts'
import { deleteSchedule } from './kind.ts'
import { createSchedule, updateSchedule } from './save.ts'
import {
  liveTargets,
  tagTargets,
  toWireRun,
  toWireRunDetails,
  toWireSchedule,
  toWireSchedules,
} from './wire.ts'

/** Texts of the targets that stand for a resource by its tags: each tag, and its key alone. */
const targetsOfTags = async (db: Db, kind: ScheduleResourceKind, id: string): Promise<string[]> =>
  (await tagsOf(db, kind, id)).flatMap((tag) => [tag, parseTag(tag).key])

/** The schedules of a project with any of some targets, by name. */
async function covering(
  db: Db,
  projectId: string,
  targets: readonly string[],
  only?: 'snapshot',
): Promise<Wire.Schedule[]> {
  let rows = rowsOf(db, 'schedule')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .where('its.id', 'in', (eb) =>
      eb.selectFrom('schedule_target').select('schedule_id').where('target', 'in', targets),
    )
    .orderBy('its.name')
    .limit(COVERING_SCHEDULES_MAX)
  if (only) rows = rows.where('its.action', '=', only)
  return toWireSchedules(db, await rows.execute())
}

const schedules = usualHandlers('schedule', (rows: Row<'schedule'>[], { db }) =>
  toWireSchedules(db, rows),
)

export const scheduleHandlers: Handlers<typeof tables.scheduleOperations> = {
  schedule_search: schedules.search,
  schedule_view: schedules.view,
  schedule_delete: schedules.delete(deleteSchedule),

  async schedule_create(ctx) {
    const project = await schedules.container(ctx)
    return toWireSchedule(ctx.db, await createSchedule(ctx, project))
  },

  async schedule_update(ctx) {
    const changed = await updateSchedule(ctx, await schedules.find(ctx))
    return toWireSchedule(ctx.db, changed)
  },

  async schedule_run(ctx) {
    const { db, now, actor, services } = ctx
    const schedule = await schedules.find(ctx)
    if (schedule.last_result === 'running') {
      throw fail.conflict(scheduleMessages.running(schedule.runs))
    }
    const time = now.toISOString()
    const { run } = await beginRun(ctx, schedule, {
      cause: 'requested',
      due: time,
      mandate: mandateOf(actor),
      values: { reconcile_at: time },
    })
    ctx.afterCommit(async () => services.reconciler.wake('schedule'))
    return toWireRunDetails(db, run)
  },

  async schedule_target_list(ctx) {
    const { id } = await schedules.find(ctx)
    const of = async (kind: ScheduleResourceKind) =>
      (await liveTargets(ctx.db, [id], kind).select(['thing.id', 'thing.name']).execute()).map(
        (thing) => ({ kind, ...thing }),
      )
    const tags = ((await tagTargets(ctx.db, [id])).get(id) ?? []).map((name) => ({
      kind: 'tag' as const,
      id: null,
      name,
    }))
    return { items: [...(await of('instance')), ...(await of('disk')), ...tags] }
  },

  async schedule_run_list(ctx) {
    const { id } = await schedules.find(ctx)
    return pageByTime(
      ctx.page,
      ctx.db.selectFrom('schedule_run').selectAll().where('schedule_id', '=', id),
      { time: 'time_started', id: 'id' },
      ({ time_started }) => time_started,
      toWireRun,
    )
  },

  async schedule_run_view(ctx) {
    const { id } = await schedules.find(ctx)
    const run = await ctx.db
      .selectFrom('schedule_run')
      .selectAll()
      .where('schedule_id', '=', id)
      .where('id', '=', ctx.params.run)
      .executeTakeFirst()
    if (!run) throw fail.notFoundById('schedule-run', ctx.params.run)
    return toWireRunDetails(ctx.db, run)
  },

  async covering_schedule_list(ctx) {
    const { instance: instanceId, disk: diskId } = ctx.query
    if ((instanceId === undefined) === (diskId === undefined)) {
      throw fail.badRequest('covering schedules need either an instance or a disk')
    }
    if (instanceId !== undefined) {
      const { id, project_id } = await lookup(ctx, 'instance', instanceId)
      const tags = await targetsOfTags(ctx.db, 'instance', id)
      return { items: await covering(ctx.db, project_id, [id, ...tags]) }
    }
    const { id, instance_id, project_id } = await lookup(ctx, 'disk', diskId!)
    const targets = [id, ...(await targetsOfTags(ctx.db, 'disk', id))]
    // Snapshots of an instance include those of its disks.
    if (instance_id) {
      targets.push(instance_id, ...(await targetsOfTags(ctx.db, 'instance', instance_id)))
    }
    return { items: await covering(ctx.db, project_id, targets, 'snapshot') }
  },
}
