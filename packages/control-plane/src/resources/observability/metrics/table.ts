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
