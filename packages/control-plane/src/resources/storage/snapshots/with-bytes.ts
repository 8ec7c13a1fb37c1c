import type { Db } from '../../../kernel/db/database.ts'
import { isKept } from '../../workspace/deleted-resources/keep.ts'
import { stillOwnsBytes } from '../../../kernel/orphaned-bytes.ts'

/** Snapshots that have bytes, whose bytes will still be deleted, or whose bytes an image uses. */
export const snapshotsWithBytes = (db: Db) => (some: string[]) =>
  db
    .selectFrom('snapshot')
    .select('id')
    .where('id', 'in', some)
    .where((eb) =>
      eb.or([
        stillOwnsBytes,
        isKept(),
        eb(
          'id',
          'in',
          eb
            .selectFrom('image')
            .select('snapshot_id')
            .where('snapshot_id', 'is not', null)
            .where((image) => image.or([image('time_deleted', 'is', null), isKept()]))
            .$castTo<{ snapshot_id: string }>(),
        ),
      ]),
    )
    .execute()
