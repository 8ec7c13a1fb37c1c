import type { ListedKind } from '@steading/api/rules'
import type { StoredTables } from '../db/tables.ts'

/** A tag of a resource. */
export interface TagTable {
  thing_id: string
  kind: ListedKind
  key: string
  /** Empty for a plain tag. */
  value: string
  /** Id of the parent in whose list the resource is. */
  parent_id: string
  /** Silo and project of the resource; null for resources of the system, and of a user. */
  silo_id: string | null
  project_id: string | null
}

declare module '../db/schema.ts' {
  interface Database {
    tag: TagTable
  }
}

export const tagTables: StoredTables = { tag: { about: 'thing_id', noun: 'tag' } }
