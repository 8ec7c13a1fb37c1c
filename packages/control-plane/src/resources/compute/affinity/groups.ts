import type { Wire } from '@steading/api'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { listPage, type Page, type ResultsPage } from '../../../kernel/paging.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'

/** Both kinds of groups are rows of one table. */
export type GroupKind = 'affinity_group' | 'anti_affinity_group'
export type GroupRow = Row<GroupKind>
export type WireGroup = Wire.AffinityGroup & Wire.AntiAffinityGroup

/** Kind → its value in the column `kind`. */
export const stored = {
  affinity_group: 'affinity',
  anti_affinity_group: 'anti_affinity',
} as const satisfies Record<GroupKind, GroupRow['kind']>

export const kindOf = ({ kind }: GroupRow): GroupKind =>
  kind === 'affinity' ? 'affinity_group' : 'anti_affinity_group'

export const toWireGroup = (row: GroupRow): WireGroup => ({
  id: row.id,
  name: row.name,
  description: row.description,
  time_created: row.time_created,
  time_modified: row.time_modified,
  project_id: row.project_id,
  policy: row.policy,
  failure_domain: row.failure_domain,
})

export async function listGroups(
  { db, page }: Pick<Work, 'db'> & { page: Page },
  kind: GroupKind,
  projectId: string,
): Promise<ResultsPage<WireGroup>> {
  const rows = rowsOf(db, kind).selectAll().where('project_id', '=', projectId)
  return listPage(page, rows, { name: 'name', id: 'id' }, toWireGroup)
}

export async function createGroup(
  { db, now, emit }: Writing,
  kind: GroupKind,
  projectId: string,
  body: Wire.AffinityGroupCreate & Wire.AntiAffinityGroupCreate,
): Promise<WireGroup> {
  const time = now.toISOString()
  const row: GroupRow = {
    id: crypto.randomUUID(),
    ...named(body.name),
    description: body.description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
    project_id: projectId,
    kind: stored[kind],
    policy: body.policy,
    failure_domain: body.failure_domain,
  }
  await db.insertInto('affinity_group').values(row).execute()
  await emit(kind, 'create', row)
  return toWireGroup(row)
}

export async function updateGroup(
  { db, now, emit }: Writing,
  row: GroupRow,
  body: Wire.AffinityGroupUpdate & Wire.AntiAffinityGroupUpdate,
): Promise<WireGroup> {
  const name = body.name ?? row.name
  const description = body.description ?? row.description
  const updated = { ...row, ...named(name), description, time_modified: now.toISOString() }
  await db.updateTable('affinity_group').set(updated).where('id', '=', row.id).execute()
  await emit(kindOf(row), 'update', updated)
  return toWireGroup(updated)
}

/** Deletes a group and its memberships. */
export const deleteGroup = (work: Deleting, row: GroupRow): Promise<void> =>
  keeping(work, kindOf(row), row, () => removeGroup(work, row))

async function removeGroup({ db, now, emit }: Writing, row: GroupRow): Promise<void> {
  await db.deleteFrom('affinity_group_member').where('group_id', '=', row.id).execute()
  await db
    .updateTable('affinity_group')
    .set({ time_deleted: now.toISOString() })
    .where('id', '=', row.id)
    .execute()
  await emit(kindOf(row), 'delete', row)
}
