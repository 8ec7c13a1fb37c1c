/**
 * Joining and leaving groups (control plane 8.10). Only transactions that run alone may call this.
 */
import type { Wire } from '@steading/api'
import {
  canonicalSources,
  INSTANCE_MAX_MULTICAST_GROUPS,
  joinRefusal,
  kinds,
  multicastMessages,
  multicastSourcesProblem,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { LookupContext } from '../../../kernel/lookup.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { countRows, readRow } from '../../../kernel/db/rows.ts'
import type { Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { chooseGroup } from './choose.ts'
import { type GroupRow, type MemberRow, sourcesOf } from './wire.ts'
import { sourceIps } from './table.ts'

type Instance = Pick<Row<'instance'>, 'id'>

/** A call that changes memberships, which also notifies the reconciler. */
type Changing = Writing & Pick<Work, 'afterCommit' | 'services'>
/** A call that can create members. */
export type JoinContext = Changing & LookupContext<'multicast_group'>

const memberships = (db: Db, { id }: Instance) =>
  db.selectFrom('multicast_group_member').selectAll().where('instance_id', '=', id)

/** Records that the members of a group have changed, so that the reconciler updates the engine. */
async function changed(
  { db, now, emit, afterCommit, services }: Changing,
  group: GroupRow,
  state: GroupRow['state'],
): Promise<void> {
  const time = now.toISOString()
  await db
    .updateTable('multicast_group')
    .set((eb) => ({
      state,
      generation: eb('generation', '+', 1),
      time_modified: time,
      reconcile_at: time,
    }))
    .where('id', '=', group.id)
    .execute()
  await emit('multicast_group', 'update', group)
  afterCommit(async () => services.reconciler.wake('multicast_group'))
}

/** @throws ApiError 400 if the instance is a member of as many groups as it may be */
async function requireRoom(db: Db, instance: Instance): Promise<void> {
  const count = await countRows(memberships(db, instance).clearSelect())
  if (count >= INSTANCE_MAX_MULTICAST_GROUPS) {
    throw fail.invalidRequest(multicastMessages.tooMany)
  }
}

/** Adds an instance to a group, or changes the sources of a member. */
async function join(
  ctx: Changing,
  group: GroupRow,
  instance: Instance,
  asked: readonly string[] | null | undefined,
): Promise<MemberRow> {
  const { db, now } = ctx
  const before = await memberships(db, instance).where('group_id', '=', group.id).executeTakeFirst()
  const sources = asked ? canonicalSources(asked) : before ? sourcesOf(before) : []
  const problem = multicastSourcesProblem(group.multicast_ip, sources)
  if (problem) throw fail.invalidRequest(problem)
  const source_ips = sourceIps.write(sources)
  if (before?.source_ips === source_ips) return before
  if (!before) await requireRoom(db, instance)
  const time = now.toISOString()
  const row: MemberRow = {
    id: crypto.randomUUID(),
    group_id: group.id,
    instance_id: instance.id,
    time_created: time,
    ...before,
    source_ips,
    state: 'Joining',
    time_modified: time,
  }
  await db
    .insertInto('multicast_group_member')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'instance_id']).doUpdateSet({
        source_ips,
        state: row.state,
        time_modified: time,
      }),
    )
    .execute()
  // A group about to be removed stays.
  await changed(ctx, group, group.state === 'Deleting' ? 'Creating' : group.state)
  return row
}

/** Adds an instance to a group, which is created if needed. */
export async function joinGroup(
  ctx: JoinContext,
  siloId: string,
  instance: Instance,
  spec: Wire.MulticastGroupJoinSpec,
): Promise<{ group: GroupRow; member: MemberRow }> {
  refuseIf(joinRefusal(ctx.services.settings.multicast))
  const group = await chooseGroup(ctx, siloId, spec)
  return { group, member: await join(ctx, group, instance, spec.source_ips) }
}

/**
 * Ends a membership. A group without members is removed.
 * @throws ApiError 404 if the instance is not a member
 */
export async function leaveGroup(
  ctx: Changing,
  group: GroupRow,
  instance: Instance,
): Promise<void> {
  const left = await ctx.db
    .deleteFrom('multicast_group_member')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .returning('id')
    .executeTakeFirst()
  if (!left) throw fail.notFoundById(`${kinds.multicast_group.type}-member`, instance.id)
  const other = await ctx.db
    .selectFrom('multicast_group_member')
    .select('id')
    .where('group_id', '=', group.id)
    .limit(1)
    .executeTakeFirst()
  await changed(ctx, group, other ? group.state : 'Deleting')
}

async function leaveExcept(
  ctx: Changing,
  instance: Instance,
  kept: ReadonlySet<string>,
): Promise<void> {
  const groups = await ctx.db
    .selectFrom('multicast_group as its')
    .innerJoin('multicast_group_member as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.instance_id', '=', instance.id)
    .execute()
  for (const group of groups) if (!kept.has(group.id)) await leaveGroup(ctx, group, instance)
}

/** Makes a restored instance a member again. */
export async function restoreMember({ work }: Restoring, row: MemberRow): Promise<MemberRow> {
  const group = await readRow(work.db, 'multicast_group', row.group_id)
  // A group about to be removed stays.
  await changed(work, group, group.state === 'Deleting' ? 'Creating' : group.state)
  return { ...row, state: 'Joining' }
}

/** Ends all memberships of a deleted instance. */
export const leaveGroups = (ctx: Changing, instance: Instance): Promise<void> =>
  leaveExcept(ctx, instance, new Set())

/**
 * Makes an instance a member of exactly these groups.
 * @throws ApiError 400 also for a group that is named twice
 */
export async function replaceMemberships(
  ctx: JoinContext,
  siloId: string,
  instance: Instance,
  specs: readonly Wire.MulticastGroupJoinSpec[],
): Promise<void> {
  if (specs.length > INSTANCE_MAX_MULTICAST_GROUPS) {
    throw fail.invalidRequest(multicastMessages.tooMany)
  }
  if (specs.length > 0) refuseIf(joinRefusal(ctx.services.settings.multicast))
  const groups = new Map<string, { group: GroupRow; spec: Wire.MulticastGroupJoinSpec }>()
  for (const spec of specs) {
    const group = await chooseGroup(ctx, siloId, spec)
    if (groups.has(group.id)) throw fail.invalidRequest(multicastMessages.duplicate)
    groups.set(group.id, { group, spec })
  }
  await leaveExcept(ctx, instance, new Set(groups.keys()))
  for (const { group, spec } of groups.values()) {
    await join(ctx, group, instance, spec.source_ips)
  }
}
