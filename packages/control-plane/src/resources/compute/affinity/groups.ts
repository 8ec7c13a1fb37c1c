import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { changeNamed, deleteRow, insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { identityOf } from '../../../kernel/identity.ts'
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
  ...identityOf(row),
  project_id: row.project_id,
  policy: row.policy,
  failure_domain: row.failure_domain,
})

export const createGroup = (
  work: Writing,
  kind: GroupKind,
  project_id: string,
  body: Wire.AffinityGroupCreate & Wire.AntiAffinityGroupCreate,
): Promise<GroupRow> =>
  insertNamed(work, kind, body, {
    project_id,
    kind: stored[kind],
    policy: body.policy,
    failure_domain: body.failure_domain,
  })

export const updateGroup = (
  work: Writing,
  row: GroupRow,
  body: Wire.AffinityGroupUpdate & Wire.AntiAffinityGroupUpdate,
): Promise<GroupRow> =>
  // The refusal of a taken name reads the kind of the group.
  changeNamed(work, kindOf(row), row, body, { kind: row.kind })

/** Deletes a group and its memberships. */
export const deleteGroup = (work: Deleting, row: GroupRow): Promise<void> =>
  keeping(work, kindOf(row), row, () => removeGroup(work, row))

async function removeGroup(work: Writing, row: GroupRow): Promise<void> {
  await work.db.deleteFrom('affinity_group_member').where('group_id', '=', row.id).execute()
  await deleteRow(work, kindOf(row), row)
}
