import type { JobTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    job: JobTable
  }
}

storeKind('job', { table: 'job', live: 'time_deleted is null', parentColumn: 'user_id' })
