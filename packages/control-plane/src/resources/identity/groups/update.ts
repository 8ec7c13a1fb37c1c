import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { groupChanged } from './create.ts'

/** @throws ApiError 400 if another group of the silo has the new name */
export async function updateGroup(
  writing: Writing,
  group: Row<'silo_group'>,
  values: Partial<Pick<Row<'silo_group'>, 'display_name' | 'display_name_key' | 'provider_key'>>,
): Promise<Row<'silo_group'>> {
  const changed = { ...group, ...values, time_modified: writing.now.toISOString() }
  const { id, ...row } = changed
  await changeRow(writing.db, 'silo_group', id, row)
  await groupChanged(writing, changed, 'update')
  return changed
}
