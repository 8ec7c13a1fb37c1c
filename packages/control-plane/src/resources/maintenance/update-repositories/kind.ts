import type { StoredKind } from '../../../kernel/kinds.ts'
import { updateArtifactTables } from './table.ts'

export const update_repository: StoredKind<'update_repository'> = {
  tables: updateArtifactTables,
  volumes: [
    (db, some) => db.selectFrom('update_upload').select('id').where('id', 'in', some),
    (db, some) =>
      db
        .selectFrom('update_repository')
        .select('id')
        .where('id', 'in', some)
        .where('time_pruned', 'is', null),
  ],
  live: 'time_pruned is null',
}

export const update_upload: StoredKind<'update_upload'> = {
  live: 'resumable = 1',
}
