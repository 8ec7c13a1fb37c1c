import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { groupChanged } from './create.ts'

/** @throws ApiError 400 if another group of the silo has the new name */
export async function updateGroup(
  writing: Writing,
  group: Row<'silo_group'>,
  values: Partial<Pick<Row<'silo_group'>, 'display_name' | 'display_name_key' | 'provider_key'>>,
): Promise<Row<'silo_group'>> {
  const changed = { ...group, ...values, time_modified: writing.now.toISOString() }
  const { id, ...row } = changed
  await writing.db.updateTable('silo_group').set(row).where('id', '=', id).execute()
  await groupChanged(writing, changed, 'update')
  return changed
}
