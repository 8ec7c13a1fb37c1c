import { storeTable } from '../../../kernel/db/tables.ts'
import type { JobTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    job: JobTable
  }
}

storeTable('job', {
  marked: true,
  origins: { user_id: 'silo_user' },
  // The runner of jobs removes these rows.
  unfinished: 'true',
})

storeTable('job_item', {
  within: { job_id: 'job' },
})

storeKind('job', { table: 'job', live: 'time_deleted is null', parentColumn: 'user_id' })
