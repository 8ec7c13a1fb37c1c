import type { Row } from '../../../kernel/kinds.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Emits the event of a changed key, which only its owner may see. */
export const keyChanged = (
  { emit }: Pick<Writing, 'emit'>,
  key: Row<'ssh_key'>,
  siloId: string,
  action: 'create' | 'delete',
): Promise<void> => emit('ssh_key', action, { ...key, silo_id: siloId, user_id: key.silo_user_id })

export async function deleteSshKey(
  writing: Writing,
  key: Row<'ssh_key'>,
  siloId: string,
): Promise<void> {
  await writing.db
    .updateTable('ssh_key')
    .set({ time_deleted: writing.now.toISOString() })
    .where('id', '=', key.id)
    .execute()
  await keyChanged(writing, key, siloId, 'delete')
}

/** Deletes the keys of a deleted user. Instances keep their copies. */
export async function deleteKeysOf(writing: Writing, user: Row<'silo_user'>): Promise<void> {
  const keys = await rowsOf(writing.db, 'ssh_key')
    .selectAll()
    .where('its.silo_user_id', '=', user.id)
    .execute()
  for (const key of keys) await deleteSshKey(writing, key, user.silo_id)
}
