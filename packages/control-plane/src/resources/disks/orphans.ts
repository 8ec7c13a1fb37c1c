import type { Db } from '../../kernel/db/database.ts'

/** Disks that have a volume, or whose volume will still be deleted by the reconciler. */
export const disksWithVolume = (db: Db) => (some: string[]) =>
  db
    .selectFrom('disk')
    .select('id')
    .where('id', 'in', some)
    .where((eb) =>
      eb.or([
        eb('time_deleted', 'is', null),
        eb('reconcile_at', 'is not', null),
        eb('lease_until', 'is not', null),
      ]),
    )
    .execute()
