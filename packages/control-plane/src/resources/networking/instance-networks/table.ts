import type { NetworkNeed } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { MachineEndpoint } from '../../../kernel/ports/machine-networks.ts'
import type { AppliedNetwork } from '../applied-networks/rows.ts'
import type { DesiredNetwork } from './derive.ts'

/** The network of an instance's machine; `wanted` and `applied` are JSON. */
export interface InstanceNetworkTable extends AppliedNetwork {
  instance_id: string
  /** JSON. */
  endpoints: string
  /** External addresses lead to the machine by themselves. */
  direct: Flag
  /** The traffic of its interfaces is measured. */
  measured: Flag
  /** JSON. */
  not_enforced: string
}

export const desiredNetwork = jsonColumn<DesiredNetwork>()
export const endpoints = jsonColumn<MachineEndpoint[]>()
export const networkNeedList = jsonColumn<NetworkNeed[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    instance_network: InstanceNetworkTable
  }
}

export const instanceNetworkTables: StoredTables = {
  // The row of a deleted instance stays until the engine has removed the network.
  instance_network: { origins: { instance_id: 'instance', project_id: 'project' } },
}
