import type { StoredTables } from '../../../kernel/db/tables.ts'

/** The capacity provisioned from a moment on, until the next point of the same silo or project. */
export interface ProvisionedTable {
  kind: 'silo' | 'project'
  /** Of the silo or project. */
  target_id: string
  time: string
  cpus: number
  memory: number
  storage: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    provisioned: ProvisionedTable
  }
}

export const provisionedTables: StoredTables = {
  provisioned: {
    times: { time: { mayBeAhead: 'points ahead of the clock are removed with the next ones' } },
  },
}
