import type { Listed, SoftDeleted } from '../../kernel/db/schema.ts'

export interface ProjectTable extends Listed, SoftDeleted {
  silo_id: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    project: ProjectTable
  }
}
