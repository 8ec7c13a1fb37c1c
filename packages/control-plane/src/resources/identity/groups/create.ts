import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

export interface NewGroup {
  silo_id: string
  display_name: string
  /** Only for SCIM groups; see the table. */
  display_name_key?: string
  provider_key?: string | null
}

/** Emits the event of a group, also for a change of its members. */
export const groupChanged = (
  { emit }: Pick<Writing, 'emit'>,
  group: Pick<Row<'silo_group'>, 'id' | 'display_name' | 'silo_id'>,
  action: 'create' | 'update' | 'delete',
): Promise<void> =>
  emit('silo_group', action, { id: group.id, name: group.display_name, silo_id: group.silo_id })

/** @throws ApiError 400 if a group of the silo has the name */
export async function createGroup(writing: Writing, group: NewGroup): Promise<Row<'silo_group'>> {
  const time = writing.now.toISOString()
  const row: Row<'silo_group'> = {
    id: crypto.randomUUID(),
    silo_id: group.silo_id,
    display_name: group.display_name,
    display_name_key: group.display_name_key ?? null,
    provider_key: group.provider_key ?? null,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
  await writing.db.insertInto('silo_group').values(row).execute()
  await groupChanged(writing, row, 'create')
  return row
}
