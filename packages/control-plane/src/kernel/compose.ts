/** How the kernel, which knows no resource, learns what all of them declare. */
import { composeTables, type StoredTables } from './db/tables.ts'
import { composeKinds, type StoredKinds } from './kinds.ts'

export interface Declarations {
  kinds: StoredKinds
  /** The tables that belong to no stored kind. */
  tables: StoredTables
}

/** Hands the declarations of all resources to the kernel, before anything else asks it. */
export function compose({ kinds, tables }: Declarations): void {
  composeKinds(kinds)
  composeTables([tables, ...Object.values(kinds).map((kind) => kind.tables ?? {})])
}
