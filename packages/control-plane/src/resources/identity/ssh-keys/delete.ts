import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'

export const deleteSshKey = (
  writing: Writing,
  key: Row<'ssh_key'>,
  silo_id: string,
): Promise<void> => deleteRow(writing, 'ssh_key', key, {}, { silo_id, user_id: key.silo_user_id })

/** Deletes the keys of a deleted user. Instances keep their copies. */
export async function deleteKeysOf(writing: Writing, user: Row<'silo_user'>): Promise<void> {
  const keys = await rowsOf(writing.db, 'ssh_key')
    .selectAll()
    .where('its.silo_user_id', '=', user.id)
    .execute()
  for (const key of keys) await deleteSshKey(writing, key, user.silo_id)
}
