import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { AppliedNetwork } from '../applied-networks/rows.ts'

/** The network of a VPC; `wanted` and `applied` are digests. */
export type VpcNetworkTable = AppliedNetwork

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_network: VpcNetworkTable
  }
}

export const vpcNetworkTables: StoredTables = {
  // The row of a deleted VPC stays until the engine has removed the network.
  vpc_network: { origins: { id: 'vpc', project_id: 'project' } },
}
