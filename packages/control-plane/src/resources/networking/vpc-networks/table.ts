import type { Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** The network of a VPC in the engine; a VPC that is gone there has no row. */
export interface VpcNetworkTable extends Reconciled {
  /** Id of the VPC. */
  id: string
  project_id: string
  /** Digest of the rows that the engine should have. */
  wanted: string
  /** Rises whenever `wanted` changes. */
  generation: number
  /** Digest of the rows that the engine has; null while it has none. */
  applied: string | null
  /** Version of the network in the engine; null if none has been in effect. */
  applied_version: number | null
  time_applied: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_network: VpcNetworkTable
  }
}

export const vpcNetworkTables: StoredTables = {
  // The row of a deleted VPC stays until the engine has removed the network.
  vpc_network: { origins: { id: 'vpc', project_id: 'project' } },
}
