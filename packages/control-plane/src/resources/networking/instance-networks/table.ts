import type { NetworkNeed } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { MachineEndpoint } from '../../../kernel/ports/machine-networks.ts'
import type { DesiredNetwork } from './derive.ts'

/** The network of an instance's machine; a machine that is gone has no row. */
export interface InstanceNetworkTable extends Reconciled {
  /** Id of the machine. */
  id: string
  instance_id: string
  project_id: string
  /** The network that the engine should have. JSON. */
  wanted: string
  /** Rises whenever `wanted` changes. */
  generation: number
  /** The network that the engine has; null while it has none. JSON. */
  applied: string | null
  /** Version of the network in the engine; null if none has been in effect. */
  applied_version: number | null
  time_applied: string | null
  /** JSON. */
  endpoints: string
  /** External addresses lead to the machine by themselves. */
  direct: Flag
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
