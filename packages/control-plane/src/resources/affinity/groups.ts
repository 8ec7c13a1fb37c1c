import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { AffinityGroupTable } from '../../kernel/db/schema.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage, type ResultsPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import { type GroupKind, groupKinds } from './kinds.ts'

export type GroupRow = Selectable<AffinityGroupTable>
export type GroupView = Wire.AffinityGroup & Wire.AntiAffinityGroup

export const viewGroup = (row: GroupRow): GroupView => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
  project_id: row.project_id,
  policy: row.policy,
  failure_domain: row.failure_domain,
})

export const groupChanged = (
  ctx: Context,
  row: GroupRow,
  action: 'create' | 'update' | 'delete',
): Promise<void> =>
  ctx.emit({
    resource: groupKinds[row.kind].resource,
    action,
    resource_id: row.id,
    name: row.name,
    project_id: row.project_id,
  })

/** The group a path names. */
export const lookupGroup = (
  ctx: Context,
  kind: GroupKind,
  selector: string,
  { project }: { project?: string },
): Promise<GroupRow> => lookupChild(ctx, groupKinds[kind].child, selector, { project })

/** @throws ApiError 400 if another group of the project has the name */
async function requireFreeName(
  ctx: Context,
  kind: GroupKind,
  projectId: string,
  name: string,
): Promise<void> {
  const taken = await ctx.db
    .selectFrom('affinity_group')
    .select('id')
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (taken) throw fail.alreadyExists(groupKinds[kind].type, name)
}

export async function listGroups(
  ctx: Context,
  kind: GroupKind,
  selector: string,
): Promise<ResultsPage<GroupView>> {
  const project = await lookupProject(ctx, selector)
  const query = ctx.db
    .selectFrom('affinity_group')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('kind', '=', kind)
    .where('time_deleted', 'is', null)
  return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewGroup)
}

export async function createGroup(
  ctx: Context,
  kind: GroupKind,
  selector: string,
  body: Wire.AffinityGroupCreate & Wire.AntiAffinityGroupCreate,
): Promise<GroupView> {
  const project = await lookupProject(ctx, selector)
  await requireFreeName(ctx, kind, project.id, body.name)
  const time = ctx.now.toISOString()
  const row: GroupRow = {
    id: crypto.randomUUID(),
    name: body.name,
    description: body.description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
    project_id: project.id,
    kind,
    policy: body.policy,
    failure_domain: body.failure_domain,
  }
  await ctx.db.insertInto('affinity_group').values(row).execute()
  await groupChanged(ctx, row, 'create')
  return viewGroup(row)
}

export async function updateGroup(
  ctx: Context,
  row: GroupRow,
  body: Wire.AffinityGroupUpdate & Wire.AntiAffinityGroupUpdate,
): Promise<GroupView> {
  const name = body.name ?? row.name
  const description = body.description ?? row.description
  if (name !== row.name) await requireFreeName(ctx, row.kind, row.project_id, name)
  const updated = { ...row, name, description, time_modified: ctx.now.toISOString() }
  await ctx.db.updateTable('affinity_group').set(updated).where('id', '=', row.id).execute()
  await groupChanged(ctx, updated, 'update')
  return viewGroup(updated)
}

/** Deletes a group; its members are members no longer. */
export async function deleteGroup(ctx: Context, row: GroupRow): Promise<void> {
  await ctx.db.deleteFrom('affinity_group_member').where('group_id', '=', row.id).execute()
  await ctx.db
    .updateTable('affinity_group')
    .set({ time_deleted: ctx.now.toISOString() })
    .where('id', '=', row.id)
    .execute()
  await groupChanged(ctx, row, 'delete')
}
