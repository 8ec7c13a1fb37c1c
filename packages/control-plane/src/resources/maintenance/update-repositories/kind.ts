import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { ownVolumes } from '../../../kernel/orphans.ts'
import type { UpdateRepositoryTable, UpdateUploadTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    update_repository: UpdateRepositoryTable
    update_upload: UpdateUploadTable
  }
}

storeTable('update_repository', {})
storeTable('update_artifact', { within: { repository_id: 'update_repository' } })
storeTable('update_upload', { origins: { user_id: 'silo_user' } })
storeKind('update_repository', { table: 'update_repository', live: 'time_pruned is null' })
storeKind('update_upload', { table: 'update_upload', live: 'resumable = 1' })

ownVolumes((db, some) => db.selectFrom('update_upload').select('id').where('id', 'in', some))
ownVolumes((db, some) =>
  db
    .selectFrom('update_repository')
    .select('id')
    .where('id', 'in', some)
    .where('time_pruned', 'is', null),
)
