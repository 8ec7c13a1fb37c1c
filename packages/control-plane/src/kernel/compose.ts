/** Hands the declarations of all resources to the kernel, which imports none of them. */
import type { KindName } from '@steading/api/rules'
import { ownTables } from './db/own-tables.ts'
import { composeTables, type StoredTables } from './db/tables.ts'
import type { JobSteps } from './job-steps.ts'
import { composeKinds, type StoredKinds } from './kinds.ts'

export interface Declarations {
  kinds: StoredKinds
  /** The tables of resources that belong to no stored kind. */
  tables: StoredTables
  /** Steps of jobs that several kinds have. */
  stepsOfAny: (kind: KindName) => JobSteps
}

/** Registers the declarations of all resources with the kernel. Call it before using the kernel. */
export function compose({ kinds, tables, stepsOfAny }: Declarations): void {
  composeKinds(kinds, stepsOfAny)
  composeTables([ownTables, tables, ...Object.values(kinds).map((kind) => kind.tables ?? {})])
}
