import type { Db } from '../../kernel/db/database.ts'
import { liveOrUnfinished } from '../../kernel/orphans.ts'

/** Disks that have a volume, or whose volume will still be deleted by the reconciler. */
export const disksWithVolume = (db: Db) => (some: string[]) =>
  db.selectFrom('disk').select('id').where('id', 'in', some).where(liveOrUnfinished).execute()
