import type { Selectable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { SnapshotTable } from '../../kernel/db/schema.ts'
import { writeChange } from '../../kernel/events/outbox.ts'

export type SnapshotRow = Selectable<SnapshotTable>

export const snapshotChanged = (
  db: Db,
  row: SnapshotRow,
  action: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> =>
  writeChange(
    db,
    {
      resource: 'snapshots',
      action,
      resource_id: row.id,
      name: row.name,
      project_id: row.project_id,
    },
    now,
  )
