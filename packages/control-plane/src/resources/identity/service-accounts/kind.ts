import type { StoredKind } from '../../../kernel/kinds.ts'
import { serviceAccountTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_service_account: 'service_account'
  }
}

export const service_account: StoredKind<'service_account'> = {
  tables: serviceAccountTables,
  live: 'time_deleted is null and project_id is not null',
}

export const silo_service_account: StoredKind<'silo_service_account'> = {
  table: 'service_account',
  live: 'time_deleted is null and project_id is null',
}
