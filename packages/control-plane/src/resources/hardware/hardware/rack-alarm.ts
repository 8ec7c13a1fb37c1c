import type { Db } from '../../../kernel/db/database.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Sets the alarm of the racks, so that they are compared with the hardware. */
export const setRackAlarms = (db: Db, now: Date): Promise<unknown> =>
  db.updateTable('rack').set({ reconcile_at: now.toISOString() }).execute()

/** Emits an update event for a rack. Racks have no names. */
export const emitRackUpdate = ({ emit }: Pick<Writing, 'emit'>, id: string): Promise<void> =>
  emit('rack', 'update', { id, name: '' })
