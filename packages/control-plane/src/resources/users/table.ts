import type { SoftDeleted } from '../../kernel/db/schema.ts'

export interface SiloUserTable extends SoftDeleted {
  id: string
  silo_id: string
  external_id: string
  display_name: string
  /** PHC string; null if the user has no password. */
  password_hash: string | null
  time_created: string
  time_modified: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    silo_user: SiloUserTable
  }
}
