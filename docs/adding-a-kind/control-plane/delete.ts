import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

export async function deleteWidget(
  { db, now, emit }: Writing,
  widget: Row<'widget'>,
): Promise<void> {
  await db
    .updateTable('widget')
    .set({ time_deleted: now.toISOString() })
    .where('id', '=', widget.id)
    .execute()
  await emit('widget', 'delete', widget)
}
